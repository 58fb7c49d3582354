// A flag says when a part of a ring buffer is full, and nothing says when it may be filled again: not for lack of a fence.
//
// grid: 1
// block: 64
// arg: i32[256]:iota
// arg: i32[256]:zero
// finds: race
// cause: race.no_barrier_in_loop
// evidence: race_next_iteration
// fix: race_fix_barrier_for_all_before_end
// never: __threadfence
extern "C" __global__ void k(const int* in, int* out) {
  __shared__ int ring[2][32];
  __shared__ volatile int full;
  const int t = threadIdx.x, l = t % 32;
  if (t == 0) full = 0;
  __syncthreads();
  for (int i = 0; i < 8; ++i) {
    if (t < 32) {
      ring[i & 1][l] = in[i * 32 + l];  // <--
      __threadfence_block();
      __syncwarp();
      if (l == 0) full = i + 1;
    } else {
      while (full < i + 1) {
      }
      __threadfence_block();
      out[i * 32 + l] = ring[i & 1][31 - l];  // <--
    }
  }
}
