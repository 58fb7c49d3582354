// Functions of the student's own: one build has them where they are called, the other in their own lines. It is one matter.
// grid: 2x2
// block: 16x16
// arg: f32[1369]:random
// arg: f32[1369]:poison
// arg: i32:37
// finds: race
// cause: race.missing_barrier_in_loop
// evidence: race_next_iteration
// fix: race_fix_barrier_for_all_before_end
// never: own.cu:13
// never: own.cu:14
struct Tile {
  float v[16][17];
  __device__ void put(int y, int x, float f) { v[y][x] = f; }
  __device__ float get(int y, int x) const { return v[y][x]; }
};
__global__ void k(const float* in, float* out, int n) {
  __shared__ Tile tile;
  for (int by = blockIdx.y * 16; by < n; by += gridDim.y * 16)
    for (int bx = blockIdx.x * 16; bx < n; bx += gridDim.x * 16) {
      const int y = by + threadIdx.y, x = bx + threadIdx.x;
      if (y < n && x < n) tile.put(threadIdx.y, threadIdx.x, in[y * n + x]);  // <--
      __syncthreads();
      const int oy = bx + threadIdx.y, ox = by + threadIdx.x;
      if (oy < n && ox < n) out[oy * n + ox] = tile.get(threadIdx.x, threadIdx.y);  // <--
    }
}
