// A grid-stride loop. The stores run backwards and are still coalesced.
__global__ void reversal(const float* in, float* out, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[n - 1 - i] = in[i];
}
