// Three warps read what the fourth then changes; one of the three is not at the barrier between.
// grid: 2
// block: 128
// arg: f32[2]:random
// arg: f32[256]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_counted_barrier
// thread: (32,0,0)
__global__ void k(const float* in, float* out) {
  __shared__ float s;
  const int t = threadIdx.x, w = t / 32;
  if (t == 0) s = in[blockIdx.x];
  __syncthreads();
  float x = 0;
  if (w < 3) x = s;  // <--
  if (w != 1) asm volatile("bar.sync 1, 96;" ::: "memory");
  if (t == 96) s = 1;  // <--
  __syncthreads();
  out[blockIdx.x * 128 + t] = x + s;
}
