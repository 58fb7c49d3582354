// One column too far: in the last row that is behind the array's end, and no row too far.
// grid: 1
// block: 32x8
// arg: f32[256]:random
// arg: f32[256]:poison
// finds: out_of_bounds
// place: a[7][32]
// never: a[8][0]
__global__ void k(const float* in, float* out) {
  __shared__ float a[8][32];
  const int t = threadIdx.x, y = threadIdx.y;
  a[y][t] = in[y * 32 + t];
  __syncthreads();
  out[y * 32 + t] = a[y][t + 1];  // <--
}
