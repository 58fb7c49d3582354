// verdict: out_of_bounds
// Threads without an element read and write past the ends.
__global__ void reversal(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[n - 1 - i] = in[i];
}
