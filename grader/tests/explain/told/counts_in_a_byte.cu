// A counter that never comes to the limit.
// grid: 1
// block: 64
// arg: f32[300]:random
// arg: f32[300]:poison
// arg: i32:300
// budget: 3200000
// finds: budget
// cause: budget.narrow_counter
// evidence: budget_narrow_counter
// fix: budget_fix_count_in_int
__global__ void k(const float* in, float* out, int n) {
  for (unsigned char i = threadIdx.x; i < n; i += 64) out[i] = in[i];  // <--
}
