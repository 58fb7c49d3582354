// Without a barrier for the way back, the warp that fills is a turn ahead of the one that empties.
// grid: 1
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: barrier
// cause: barrier.arguments
// evidence: barrier_arrives_again
// fix: barrier_fix_wait
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int turn = 0; turn < 4; ++turn) {
    if (warp == 0) {
      s[lane] = in[turn * 32 + lane];
      asm volatile("bar.arrive 1, 64;" ::: "memory");  // <--
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[turn * 32 + lane] = s[31 - lane];
    }
  }
}
