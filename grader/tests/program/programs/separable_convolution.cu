// Separable 2-D convolution: rows, then columns; the filter is in constant memory.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = call;                                       \
    if (error != cudaSuccess) {                                           \
      printf("Error: %s:%d, ", __FILE__, __LINE__);                       \
      printf("code: %d, reason: %s\n", error, cudaGetErrorString(error)); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define TILE_X 32
#define TILE_Y 8

__constant__ int c_Kernel[KERNEL_LENGTH];

__global__ void convolutionRows(int* dst, const int* src, int w, int h) {
  __shared__ int data[TILE_Y][TILE_X + 2 * KERNEL_RADIUS];
  const int x0 = blockIdx.x * TILE_X;
  const int y = blockIdx.y * TILE_Y + threadIdx.y;

  for (int i = threadIdx.x; i < TILE_X + 2 * KERNEL_RADIUS; i += TILE_X) {
    const int x = x0 + i - KERNEL_RADIUS;
    data[threadIdx.y][i] = (x >= 0 && x < w && y < h) ? src[y * w + x] : 0;
  }
  __syncthreads();

  const int x = x0 + threadIdx.x;
  if (x >= w || y >= h) return;
  int sum = 0;
#pragma unroll
  for (int j = 0; j < KERNEL_LENGTH; j++) sum += c_Kernel[j] * data[threadIdx.y][threadIdx.x + j];
  dst[y * w + x] = sum;
}

__global__ void convolutionColumns(int* dst, const int* src, int w, int h) {
  __shared__ int data[TILE_Y + 2 * KERNEL_RADIUS][TILE_X];
  const int x = blockIdx.x * TILE_X + threadIdx.x;
  const int y0 = blockIdx.y * TILE_Y;

  for (int i = threadIdx.y; i < TILE_Y + 2 * KERNEL_RADIUS; i += TILE_Y) {
    const int y = y0 + i - KERNEL_RADIUS;
    data[i][threadIdx.x] = (y >= 0 && y < h && x < w) ? src[y * w + x] : 0;
  }
  __syncthreads();

  const int y = y0 + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0;
#pragma unroll
  for (int j = 0; j < KERNEL_LENGTH; j++) sum += c_Kernel[j] * data[threadIdx.y + j][threadIdx.x];
  dst[y * w + x] = sum;
}

int main() {
  const int w = 150, h = 85;
  const int kernel[KERNEL_LENGTH] = {1, 8, 28, 56, 70, 56, 28, 8, 1};  // binomial
  std::vector<int> image(w * h), result(w * h);
  for (int i = 0; i < w * h; i++) image[i] = (i * 31 + i / w) % 256;

  int *d_image, *d_rows, *d_result;
  const size_t size = w * h * sizeof(int);
  CHECK(cudaMalloc(&d_image, size));
  CHECK(cudaMalloc(&d_rows, size));
  CHECK(cudaMalloc(&d_result, size));
  CHECK(cudaMemcpyToSymbol(c_Kernel, kernel, sizeof(kernel)));
  CHECK(cudaMemcpy(d_image, image.data(), size, cudaMemcpyHostToDevice));

  dim3 threads(TILE_X, TILE_Y);
  dim3 blocks((w + TILE_X - 1) / TILE_X, (h + TILE_Y - 1) / TILE_Y);
  convolutionRows<<<blocks, threads>>>(d_rows, d_image, w, h);
  CHECK(cudaGetLastError());
  convolutionColumns<<<blocks, threads>>>(d_result, d_rows, w, h);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), d_result, size, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_image));
  CHECK(cudaFree(d_rows));
  CHECK(cudaFree(d_result));

  int wrong = 0;
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < w; x++) {
      int sum = 0;  // the whole 9 x 9 filter at once
      for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
        for (int i = -KERNEL_RADIUS; i <= KERNEL_RADIUS; i++)
          if (x + i >= 0 && x + i < w && y + j >= 0 && y + j < h)
            sum +=
                kernel[i + KERNEL_RADIUS] * kernel[j + KERNEL_RADIUS] * image[(y + j) * w + x + i];
      wrong += sum != result[y * w + x];
    }
  }
  printf("corner: %d, center: %d\n", result[0] >> 16, result[h / 2 * w + w / 2] >> 16);
  printf("wrong pixels: %d\n", wrong);
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}

// output:
// corner: 25, center: 115
// wrong pixels: 0
// PASS
