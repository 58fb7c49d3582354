// A tiled product without the barrier at the end of its loop: of one tile lanes race, of the other warps. One barrier is missing.
//
// grid: 4x4
// block: 16x16
// arg: f32[4096]:iota
// arg: f32[4096]:iota
// arg: f32[4096]:zero
// arg: i32:64
// finds: race
// cause: race.missing_barrier_in_loop
// evidence: race_next_iteration
// evidence: race_also_between
// fix: race_fix_barrier_before_end
// with: barrier __syncthreads()
// never: __syncwarp()
extern "C" __global__ void k(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    ta[y][x] = a[row * n + k0 + x];
    tb[y][x] = b[(k0 + y) * n + col];  // <--
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[y][k] * tb[k][x];  // <--
  }
  c[row * n + col] = sum;
}
