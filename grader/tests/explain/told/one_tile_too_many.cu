// The loop over tiles makes one turn too many.
// grid: 1
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// arg: i32:128
// finds: out_of_bounds
// fix: index_fix_compare_in_loop
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  for (int t = 0; t <= n / 64; ++t) {
    s[threadIdx.x] = in[t * 64 + threadIdx.x];  // <--
    __syncthreads();
    out[t * 64 + threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}
