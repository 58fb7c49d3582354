// A bitonic sort whose turns end with __syncwarp(), though partners are in other warps.
// grid: 1
// block: 128
// arg: i32[128]:random
// arg: i32[128]:poison
// finds: race
// cause: race.no_barrier_in_loop
// evidence: race_next_iteration
// fix: race_fix_barrier_for_all_before_end
// with: barrier __syncthreads()
__global__ void k(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int n = 2; n <= 128; n *= 2)
    for (int j = n / 2; j; j /= 2) {
      const int x = t ^ j;
      if (x > t) {
        const bool up = (t & n) == 0;
        const int a = s[t], b = s[x];  // <--
        if ((a > b) == up) {
          s[t] = b;
          s[x] = a;  // <--
        }
      }
      __syncwarp();
    }
  __syncthreads();
  out[t] = s[t];
}
