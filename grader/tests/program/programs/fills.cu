// cudaMemset() sets bytes: an array of int is not filled with ones so. 0, -1 and the known way to a large number are meant.
#include <cstdio>

__global__ void add(const int* in, int* out) { out[threadIdx.x] += in[threadIdx.x]; }
__global__ void count(const unsigned char* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
  const int n = 32;
  const size_t bytes = n * sizeof(int);
  int *ones, *sums, host[n];
  unsigned char* flags;
  cudaMalloc(&ones, bytes);
  cudaMalloc(&sums, bytes);
  cudaMalloc(&flags, n);
  cudaMemset(flags, 1, n);
  count<<<1, n>>>(flags, sums);
  cudaMemset(sums, 0, bytes);
  cudaMemset(ones, 0x7f, bytes);
  add<<<1, n>>>(ones, sums);
  cudaMemset(ones, -1, bytes);
  add<<<1, n>>>(ones, sums);
  cudaMemset(sums, 0, bytes);
  cudaMemset(ones, 1, bytes);  // <-- fill_value
  add<<<1, n>>>(ones, sums);
  cudaMemcpy(host, sums, bytes, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaMemcpy(host, sums, n, cudaMemcpyDeviceToHost);  // <-- few_bytes
  cudaMemcpy(host, sums, n / 2 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(ones);
  cudaFree(sums);
  cudaFree(flags);
}
// output:
// 16843009
