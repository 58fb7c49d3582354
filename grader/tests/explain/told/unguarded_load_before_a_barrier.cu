// No comparison around the load, and a barrier behind it: `return` would be the next mistake.
// grid: 1
// block: 64
// arg: f32[32]:random
// arg: f32[32]:poison
// arg: i32:32
// finds: out_of_bounds
// fix: index_fix_compare_before_barrier
// with: array in
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = threadIdx.x;
  s[i] = in[i];  // <--
  __syncthreads();
  if (i < n) out[i] = s[n - 1 - i];
}
