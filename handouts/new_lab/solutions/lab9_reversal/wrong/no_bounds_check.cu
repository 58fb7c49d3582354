// verdict: out_of_bounds
// Threads past the end read and write.
__global__ void reversal(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[n - 1 - i] = in[i];
}
