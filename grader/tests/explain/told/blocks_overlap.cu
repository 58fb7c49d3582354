// The block's number is not multiplied with its size.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: race
// says: multiply blockIdx.x by what a block covers, 64 elements (blockDim.x), not by 1: at line {1} a block begins 1 element after
// never: atomic
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x + threadIdx.x;
  out[i] = in[threadIdx.x];  // <--
}
