// Each thread has 8 elements in a row and does 9: its loop is too long, and its step is right.
// grid: 1
// block: 64
// arg: f32[640]:random
// arg: f32[640]:poison
// finds: race
// never: advance by
// never: Multiply blockIdx
__global__ void k(const float* in, float* out) {
  for (int i = 0; i < 9; ++i)
    out[threadIdx.x * 8 + i] = in[threadIdx.x * 8 + i] + threadIdx.x;  // <--
}
