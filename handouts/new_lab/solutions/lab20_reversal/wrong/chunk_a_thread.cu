// verdict: gate sectors
// Each thread has its own chunk.
__global__ void reversal(const float* in, float* out, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int chunk = (n + threads - 1) / threads;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = first; i < first + chunk && i < n; ++i) out[n - 1 - i] = in[i];
}
