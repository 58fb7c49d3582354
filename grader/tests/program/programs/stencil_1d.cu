// 1-D stencil of radius 3: a block loads its elements and a halo once.
#include <stdio.h>
#include <stdlib.h>

#define RADIUS 3
#define BLOCK_SIZE 128
#define NUM_ELEMENTS (BLOCK_SIZE * 80)

#define cudaCheck(x)                                                  \
  do {                                                                \
    cudaError_t error_code = (x);                                     \
    if (error_code != cudaSuccess) {                                  \
      fprintf(stderr, "Error: %s\n", cudaGetErrorString(error_code)); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

__global__ void stencil_1d(const int* in, int* out) {
  __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
  int gindex = blockIdx.x * blockDim.x + threadIdx.x + RADIUS;  // in[] has a halo too
  int lindex = threadIdx.x + RADIUS;

  temp[lindex] = in[gindex];
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
  }
  __syncthreads();

  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[lindex + offset];
  out[gindex - RADIUS] = result;
}

int main() {
  const size_t in_bytes = (NUM_ELEMENTS + 2 * RADIUS) * sizeof(int);
  const size_t out_bytes = NUM_ELEMENTS * sizeof(int);
  int* h_in = (int*)malloc(in_bytes);
  int* h_out = (int*)malloc(out_bytes);
  int *d_in, *d_out;

  for (int i = 0; i < NUM_ELEMENTS + 2 * RADIUS; i++) h_in[i] = i % 100;

  cudaCheck(cudaMalloc((void**)&d_in, in_bytes));
  cudaCheck(cudaMalloc((void**)&d_out, out_bytes));
  cudaCheck(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));

  stencil_1d<<<NUM_ELEMENTS / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out);
  cudaCheck(cudaPeekAtLastError());
  cudaCheck(cudaMemcpy(h_out, d_out, out_bytes, cudaMemcpyDeviceToHost));

  cudaCheck(cudaFree(d_in));
  cudaCheck(cudaFree(d_out));

  int wrong = 0;
  for (int i = 0; i < NUM_ELEMENTS; i++) {
    int sum = 0;
    for (int j = 0; j <= 2 * RADIUS; j++) sum += h_in[i + j];
    if (h_out[i] != sum) {
      if (wrong++ == 0) printf("out[%d] is %d, expected %d\n", i, h_out[i], sum);
    }
  }
  printf("out[0] = %d, out[97] = %d, out[%d] = %d\n", h_out[0], h_out[97], NUM_ELEMENTS - 1,
         h_out[NUM_ELEMENTS - 1]);
  free(h_in);
  free(h_out);

  if (wrong) {
    printf("FAIL\n");
    return 1;
  }
  printf("PASS\n");
  return 0;
}

// output:
// out[0] = 21, out[97] = 300, out[10239] = 294
// PASS
