// The same with a step of two blocks, where there are three.
// grid: 3
// block: 64
// arg: f32[1000]:random
// arg: f32[1000]:poison
// arg: i32:1000
// finds: race
// evidence: step_other_block
// fix: step_fix_grid_in_loop
__global__ void k(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * 2)
    out[i] = in[i] * threadIdx.x + i + blockIdx.x;  // <--
}
