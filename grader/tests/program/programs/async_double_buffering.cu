// Double buffering: while a block works on one tile, the next is on its way
// from global to shared memory, past the registers.
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(stmt)                                                         \
  do {                                                                           \
    cudaError_t st = (stmt);                                                     \
    if (st != cudaSuccess) {                                                     \
      fprintf(stderr, "%s @ %d: %s\n", #stmt, __LINE__, cudaGetErrorString(st)); \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

constexpr int kThreads = 64;
constexpr int kTile = 4 * kThreads;  // each thread copies 16 bytes

__device__ void fetch(int* tile, const int* source) {
  __pipeline_memcpy_async(tile + 4 * threadIdx.x, source + 4 * threadIdx.x, 16);
  __pipeline_commit();
}

// Each block sums the products of mirrored elements of its tiles.
__global__ void mirror_products(const int* data, int tiles_per_block, int* sums) {
  alignas(16) __shared__ int tiles[2][kTile];
  __shared__ int block_sum;
  const int* mine = data + blockIdx.x * tiles_per_block * kTile;
  if (threadIdx.x == 0) block_sum = 0;

  fetch(tiles[0], mine);
  int sum = 0;
  for (int t = 0; t < tiles_per_block; ++t) {
    if (t + 1 < tiles_per_block) {
      fetch(tiles[(t + 1) % 2], mine + (t + 1) * kTile);
      __pipeline_wait_prior(1);  // all but the newest copy have arrived
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();  // the copies of the other threads, too
    const int* tile = tiles[t % 2];
    for (int i = threadIdx.x; i < kTile; i += kThreads) sum += tile[i] * tile[kTile - 1 - i];
    __syncthreads();  // the tile may be overwritten
  }

  atomicAdd(&block_sum, sum);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = block_sum;
}

int main() {
  const int blocks = 6, tiles_per_block = 7;
  const int count = blocks * tiles_per_block * kTile;
  std::vector<int> data(count), sums(blocks), expected(blocks, 0);
  for (int i = 0; i < count; ++i) data[i] = i % 101 - 50;
  for (int i = 0; i < count; ++i) {
    const int tile = i / kTile;
    expected[tile / tiles_per_block] += data[i] * data[tile * kTile + kTile - 1 - i % kTile];
  }

  int *d_data, *d_sums;
  CUDA_CHECK(cudaMalloc(&d_data, count * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_data, data.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  mirror_products<<<blocks, kThreads>>>(d_data, tiles_per_block, d_sums);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(sums.data(), d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_data));
  CUDA_CHECK(cudaFree(d_sums));

  printf("sums:");
  for (int s : sums) printf(" %d", s);
  printf("\n%s\n", sums == expected ? "PASS" : "FAIL");
  return sums == expected ? 0 : 1;
}

// output:
// sums: 51030 -117038 148180 -217048 278442 -325760
// PASS
