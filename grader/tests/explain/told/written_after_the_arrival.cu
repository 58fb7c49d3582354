// Who only arrives at a barrier goes on at once: what it stores then is not what the others waited for.
// grid: 2
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.missing_barrier
// fix: race_fix_write_before_arrive
// with: arrive 15
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp == 0) {
    s[lane] = in[lane];
    asm volatile("bar.arrive 2, 64;" ::: "memory");
    s[lane + 32] = in[lane + 32];  // <--
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[blockIdx.x * 32 + lane] = s[lane] + s[63 - lane];  // <--
  }
}
