// A constant stands where the block's size belongs: blocks of 128 threads, 32 elements apart.
// grid: 4
// block: 128
// arg: f32[512]:random
// arg: f32[512]:poison
// finds: race
// says: multiply blockIdx.x by what a block covers, 128 elements (blockDim.x), not by 32
// says: at line {1} a block begins 32 elements after the one before it, and its 128 threads store 128
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i] + blockIdx.x;  // <--
}
