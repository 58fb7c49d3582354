// verdict: out_of_bounds
// The first element is written one place past the end.
__global__ void reversal(const float* in, float* out, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) out[n - i] = in[i];
}
