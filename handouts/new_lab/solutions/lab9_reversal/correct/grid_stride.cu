// All threads step over the array together. What they write runs backwards, and is coalesced.
__global__ void reversal(const float* in, float* out, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[n - 1 - i] = in[i];
}
