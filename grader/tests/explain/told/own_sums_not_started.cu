// An array that is meant to be the thread's own, in a kernel that has a barrier: it wants a value, not __shared__.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: i32:3
// arg: f32[64]:poison
// finds: uninitialized
// cause: uninitialized.variable
// fix: undefined_fix_own_array
__global__ void k(const float* in, int n, float* out) {
  __shared__ float s[64];
  float sums[8];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 64; ++i) sums[i * n % 8] += s[i];  // <--
  out[threadIdx.x] = sums[n];                            // <--
}
