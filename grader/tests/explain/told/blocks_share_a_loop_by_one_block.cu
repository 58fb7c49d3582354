// The blocks begin side by side; the step of the loop is what one block covers, and not the grid.
// grid: 4
// block: 32
// arg: f32[512]:random
// arg: f32[512]:poison
// arg: i32:512
// finds: race
// evidence: step_other_block
// fix: step_fix_grid_in_loop
// with: elements 128
// with: step 32
__global__ void k(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
    out[i] = in[i] * blockIdx.x;  // <--
}
