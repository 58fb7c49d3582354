// An array is cleared and then set in part by other threads: that is mended by a barrier.
// grid: 1
// block: 64
// dynamic_shared: 512
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.same_element
// fix: race_fix_barrier_between
__global__ void k(const float* in, float* out) {
  extern __shared__ float mem[];
  const int t = threadIdx.x;
  mem[t] = 0;                           // <--
  if (t % 2 == 0) mem[63 - t] = in[t];  // <--
  __syncthreads();
  out[t] = mem[t];
}
