// The block's number is not multiplied with its size.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: race
// says: times what one block covers
// never: atomic
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x + threadIdx.x;
  out[i] = in[threadIdx.x];  // <--
}
