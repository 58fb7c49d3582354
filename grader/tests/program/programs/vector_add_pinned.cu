// Adds two vectors held in page-locked host memory.
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t err, const char* what, int line) {
  if (err == cudaSuccess) return;
  fprintf(stderr, "line %d: %s failed: %s\n", line, what, cudaGetErrorName(err));
  exit(EXIT_FAILURE);
}
#define CHECK(x) check((x), #x, __LINE__)

__global__ void vecAdd(const int* A, const int* B, int* C, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) C[i] = A[i] + B[i];
}

int main(void) {
  const int n = 20000;
  const size_t size = n * sizeof(int);
  int *h_A, *h_B, *h_C;
  int *d_A, *d_B, *d_C;

  CHECK(cudaMallocHost((void**)&h_A, size));
  CHECK(cudaMallocHost((void**)&h_B, size));
  CHECK(cudaHostAlloc((void**)&h_C, size, cudaHostAllocDefault));
  CHECK(cudaMalloc((void**)&d_A, size));
  CHECK(cudaMalloc((void**)&d_B, size));
  CHECK(cudaMalloc((void**)&d_C, size));

  for (int i = 0; i < n; i++) {
    h_A[i] = 3 * i;
    h_B[i] = n - i;
    h_C[i] = 0;
  }

  CHECK(cudaMemcpy(d_A, h_A, size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_B, h_B, size, cudaMemcpyHostToDevice));

  int threadsPerBlock = 192;
  int blocksPerGrid = (n + threadsPerBlock - 1) / threadsPerBlock;
  vecAdd<<<blocksPerGrid, threadsPerBlock>>>(d_A, d_B, d_C, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(h_C, d_C, size, cudaMemcpyDeviceToHost));

  int errors = 0;
  long long total = 0;
  for (int i = 0; i < n; i++) {
    if (h_C[i] != h_A[i] + h_B[i]) errors++;
    total += h_C[i];
  }
  printf("blocks: %d of %d threads\n", blocksPerGrid, threadsPerBlock);
  printf("total: %lld\n", total);
  printf("errors: %d\n", errors);

  CHECK(cudaFree(d_A));
  CHECK(cudaFree(d_B));
  CHECK(cudaFree(d_C));
  CHECK(cudaFreeHost(h_A));
  CHECK(cudaFreeHost(h_B));
  CHECK(cudaFreeHost(h_C));

  puts(errors ? "FAIL" : "PASS");
  return errors ? EXIT_FAILURE : EXIT_SUCCESS;
}

// output:
// blocks: 105 of 192 threads
// total: 799980000
// errors: 0
// PASS
