// verdict: wrong_result
// If there are fewer threads than elements, the rest is never written.
__global__ void reversal(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
