// One turn too many: the array that lies last is the one that is left, and the line reads two.
// grid: 1
// block: 16x16
// arg: f32[256]:random
// arg: f32[256]:random
// arg: f32[256]:poison
// finds: out_of_bounds
// cause: out_of_bounds.shared
// fix: bounds_fix_declared_size_in_loop
// place: tb[16][0]
// last: tb[15][15]
__global__ void k(const float* a, const float* b, float* c) {
  __shared__ float ta[16][16], tb[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  ta[y][x] = a[y * 16 + x];
  tb[y][x] = b[y * 16 + x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i <= 16; ++i) sum += ta[y][i] * tb[i][x];  // <--
  c[y * 16 + x] = sum;
}
