// A tile is filled turned where there is an element, and as it lies where there is none.
// grid: 1
// block: 32x32
// arg: f32[1024]:random
// arg: f32[1024]:poison
// arg: i32:31
// finds: race
// cause: race.swapped_indices
// evidence: race_indices_swapped
// fix: race_fix_one_order
// with: line {1}
// with: other_line {2}
__global__ void k(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (tx < n && ty < n - 5)
    tile[tx][ty] = in[ty * 32 + tx];  // <--
  else
    tile[ty][tx] = 0;  // <--
  __syncthreads();
  out[ty * 32 + tx] = tile[tx][ty];
}
