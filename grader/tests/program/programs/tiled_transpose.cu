// Transposes through a padded shared tile: all global accesses are coalesced.
// Each block of 32 x 8 threads moves a tile of 32 x 32 elements.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                             \
  do {                                                                          \
    cudaError_t rc = call;                                                      \
    if (rc != cudaSuccess) {                                                    \
      fprintf(stderr, "error %s in line %d\n", cudaGetErrorName(rc), __LINE__); \
      return 1;                                                                 \
    }                                                                           \
  } while (0)

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transposeTiled(float* odata, const float* idata, int nx, int ny) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];  // + 1: no bank conflicts

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
    if (x < nx && y + j < ny) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * nx + x];
  }

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;  // the block's place is swapped
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
    if (x < ny && y + j < nx) odata[(y + j) * ny + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

int main(int argc, char** argv) {
  int nx = argc > 1 ? atoi(argv[1]) : 130;
  int ny = argc > 2 ? atoi(argv[2]) : 70;
  size_t bytes = (size_t)nx * ny * sizeof(float);

  float* h_in = (float*)malloc(bytes);
  float* h_out = (float*)calloc((size_t)nx * ny, sizeof(float));
  if (!h_in || !h_out) return 1;
  for (int i = 0; i < nx * ny; i++) h_in[i] = (float)i;

  float *d_in, *d_out;
  CHECK(cudaMalloc((void**)&d_in, bytes));
  CHECK(cudaMalloc((void**)&d_out, bytes));
  CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));

  dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  dim3 dimGrid((nx + TILE_DIM - 1) / TILE_DIM, (ny + TILE_DIM - 1) / TILE_DIM, 1);
  transposeTiled<<<dimGrid, dimBlock>>>(d_out, d_in, nx, ny);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));

  int errors = 0;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) errors += h_out[i * ny + j] != h_in[j * nx + i];

  printf("%d x %d, %u tiles\n", nx, ny, dimGrid.x * dimGrid.y);
  printf("out[1] = %.0f, out[%d] = %.0f\n", h_out[1], ny, h_out[ny]);
  printf("errors: %d\n", errors);
  free(h_in);
  free(h_out);
  printf("%s\n", errors ? "FAIL" : "PASS");
  return errors != 0;
}

// output:
// 130 x 70, 15 tiles
// out[1] = 130, out[70] = 1
// errors: 0
// PASS
