// Maximum and sum by warp shuffles, joined with one atomic per block.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_TRY(call)                                                               \
  do {                                                                               \
    cudaError_t err_ = (call);                                                       \
    if (err_ != cudaSuccess) {                                                       \
      fprintf(stderr, "CUDA_TRY line %d: %s\n", __LINE__, cudaGetErrorString(err_)); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kWarp = 32;

struct Totals {
  unsigned long long sum;
  int max;
};

__device__ unsigned warp_sum(unsigned value) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(kFullMask, value, offset);
  }
  return value;  // valid in lane 0
}

__device__ int warp_max(int value) {
  for (int mask = kWarp / 2; mask > 0; mask /= 2) {
    value = max(value, __shfl_xor_sync(kFullMask, value, mask));
  }
  return value;  // valid in every lane
}

__global__ void reduce(const int* data, int count, Totals* totals) {
  __shared__ unsigned sums[kWarp];
  __shared__ int maxima[kWarp];
  const int lane = threadIdx.x % kWarp;
  const int warp = threadIdx.x / kWarp;
  const int warps = blockDim.x / kWarp;

  unsigned sum = 0;
  int largest = INT_MIN;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    sum += data[i];
    largest = max(largest, data[i]);
  }

  sum = warp_sum(sum);
  largest = warp_max(largest);
  if (lane == 0) {
    sums[warp] = sum;
    maxima[warp] = largest;
  }
  __syncthreads();

  if (warp == 0) {
    sum = warp_sum(lane < warps ? sums[lane] : 0);
    largest = warp_max(lane < warps ? maxima[lane] : INT_MIN);
    if (lane == 0) {
      atomicAdd(&totals->sum, (unsigned long long)sum);
      atomicMax(&totals->max, largest);
    }
  }
}

int main() {
  const int count = 40000;
  std::vector<int> data(count);
  unsigned state = 1;
  for (int& value : data) {
    state = state * 1664525u + 1013904223u;
    value = state >> 16;
  }
  Totals expected{0, INT_MIN};
  for (int value : data) {
    expected.sum += value;
    expected.max = std::max(expected.max, value);
  }

  int* d_data;
  Totals* d_totals;
  Totals totals{0, INT_MIN};
  CUDA_TRY(cudaMalloc(&d_data, count * sizeof(int)));
  CUDA_TRY(cudaMalloc(&d_totals, sizeof(Totals)));
  CUDA_TRY(cudaMemcpy(d_data, data.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(d_totals, &totals, sizeof totals, cudaMemcpyHostToDevice));
  reduce<<<20, 256>>>(d_data, count, d_totals);
  CUDA_TRY(cudaGetLastError());
  CUDA_TRY(cudaMemcpy(&totals, d_totals, sizeof totals, cudaMemcpyDeviceToHost));
  CUDA_TRY(cudaFree(d_data));
  CUDA_TRY(cudaFree(d_totals));

  printf("sum: %llu (expected %llu)\n", totals.sum, expected.sum);
  printf("max: %d (expected %d)\n", totals.max, expected.max);
  bool ok = totals.sum == expected.sum && totals.max == expected.max;
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// sum: 1305714392 (expected 1305714392)
// max: 65535 (expected 65535)
// PASS
