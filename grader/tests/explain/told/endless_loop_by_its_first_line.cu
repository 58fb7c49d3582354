// Nothing that the condition reads changes: the loop is named by the line of `while`, whichever line a warp is at.
// grid: 1
// block: 32
// budget: 1000000
// arg: f32[32]:zero
// arg: i32[32]:zero
// finds: budget
// cause: budget
// evidence: budget_endless
// with: line 13
__global__ void k(const volatile float* in, int* out) {
  int steps = 0;
  while (in[threadIdx.x] < 10) {
    if (steps % 2 == 0)  // <--
      out[threadIdx.x] = steps;
    ++steps;
  }
}
