// How often a thread comes to the barrier hangs on its number.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: barrier
// cause: barrier.not_on_every_path
// fix: barrier_fix_out_of_loop
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  for (int i = 0; i < t; ++i) {
    s[t] = in[t];
    __syncthreads();  // <--
  }
  out[t] = s[63 - t];
}
