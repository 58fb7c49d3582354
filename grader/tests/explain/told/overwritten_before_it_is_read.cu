// Who fills the buffers says when each is full, but does not wait until it is empty again.
// grid: 2
// block: 128
// arg: f32[512]:random
// arg: f32[512]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_write_waits
__global__ void k(const float* in, float* out) {
  __shared__ float s[2][64];
  const int t = threadIdx.x, l = t % 64;
  if (t < 64) {
    for (int i = 0; i < 3; ++i) {
      s[i & 1][l] = in[blockIdx.x * 192 + i * 64 + l];  // <--
      if (i == 0) asm volatile("bar.arrive 1, 128;" ::: "memory");
      if (i == 1) asm volatile("bar.arrive 2, 128;" ::: "memory");
      if (i == 2) asm volatile("bar.arrive 3, 128;" ::: "memory");
    }
  } else {
    for (int i = 0; i < 3; ++i) {
      if (i == 0) asm volatile("bar.sync 1, 128;" ::: "memory");
      if (i == 1) asm volatile("bar.sync 2, 128;" ::: "memory");
      if (i == 2) asm volatile("bar.sync 3, 128;" ::: "memory");
      out[blockIdx.x * 192 + i * 64 + l] = s[i & 1][63 - l];  // <--
    }
  }
}
