// verdict: wrong_result
// Rounds n / 2 down: the element in the middle is never written.
__global__ void reversal(const float* in, float* out, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += stride) {
    out[n - 1 - i] = in[i];
    out[i] = in[n - 1 - i];
  }
}
