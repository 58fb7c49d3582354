// A variable in shared memory, and no array, that only some threads set.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: i32[64]:poison
// finds: uninitialized
// cause: uninitialized.shared
// fix: undefined_fix_shared_variable
// with: array flag
__global__ void k(const float* in, int* out) {
  __shared__ int flag;
  const int t = threadIdx.x;
  if (in[t] > 1e30f) flag = 1;
  __syncthreads();
  out[t] = flag == 1 ? 1 : 2;  // <--
}
