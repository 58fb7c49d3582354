// The pitch of a padded tile in a launch that gives room for none.
// grid: 1
// block: 16x16
// dynamic_shared: 1024
// arg: f32[256]:random
// arg: f32[256]:poison
// finds: out_of_bounds
// cause: out_of_bounds.shared
// fix: bounds_fix_dynamic_rows
__global__ void k(const float* in, float* out) {
  extern __shared__ float tile[];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y * 17 + x] = in[y * 16 + x];  // <--
  __syncthreads();
  out[y * 16 + x] = tile[x * 17 + y];
}
