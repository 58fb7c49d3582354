// The blocks begin side by side; the step of the loop is what one block covers, and not the grid.
// grid: 4
// block: 32
// arg: f32[512]:random
// arg: f32[512]:poison
// arg: i32:512
// finds: race
// says: all threads of the grid store side by side, 128 here (a block's, times gridDim.x), not by 32
// never: what one block covers
__global__ void k(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * blockIdx.x;  // <--
}
