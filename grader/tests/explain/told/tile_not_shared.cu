// __shared__ is missing: each thread fills one element of a tile of its own and reads another.
// grid: 1
// block: 16x16
// arg: f32[256]:random
// arg: f32[256]:poison
// finds: uninitialized
// cause: uninitialized.not_shared
// evidence: undefined_own_array
// fix: undefined_fix_not_shared
__global__ void k(const float* in, float* out) {
  float tile[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];
  __syncthreads();
  out[y * 16 + x] = tile[x][y];  // <--
}
