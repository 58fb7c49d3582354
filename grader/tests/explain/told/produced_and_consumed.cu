// Two barriers with numbers of their own, one for full and one for empty: each warp arrives at one and waits at the other.
// grid: 3
// block: 64
// arg: f32[128]:random
// arg: f32[384]:poison
// finds: nothing
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int turn = 0; turn < 4; ++turn) {
    if (warp == 0) {
      if (turn > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      s[lane] = in[turn * 32 + lane];
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[blockIdx.x * 128 + turn * 32 + lane] = s[31 - lane];
      if (turn < 3) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}
