// Radix sort, one bit per pass: count zeros per block, scan, scatter (stable).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CUCHK(e)                                                            \
  {                                                                         \
    cudaError_t rc_ = (e);                                                  \
    if (rc_ != cudaSuccess) {                                               \
      fprintf(stderr, "%s (line %d)\n", cudaGetErrorString(rc_), __LINE__); \
      exit(1);                                                              \
    }                                                                       \
  }

using Key = uint16_t;
const int kBits = 16;
const int kBlock = 256;

__global__ void count_zeros(const Key* keys, int n, int bit, int* zeros) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  bool zero = i < n && !((keys[i] >> bit) & 1);
  int count = __syncthreads_count(zero);
  if (threadIdx.x == 0) zeros[blockIdx.x] = count;
}

// One thread is enough for the few blocks of this program.
__global__ void scan_counts(int* zeros, int blocks) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    int count = zeros[b];
    zeros[b] = sum;
    sum += count;
  }
  zeros[blocks] = sum;
}

__global__ void scatter(const Key* in, Key* out, int n, int bit, const int* zeros) {
  __shared__ int before[kBlock];  // zeros up to and with this thread
  int tid = threadIdx.x;
  int i = blockIdx.x * kBlock + tid;
  Key key = i < n ? in[i] : 0;
  bool zero = i < n && !((key >> bit) & 1);

  before[tid] = zero;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    int add = tid >= d ? before[tid - d] : 0;
    __syncthreads();
    before[tid] += add;
    __syncthreads();
  }

  if (i >= n) return;
  int zeros_before = zeros[blockIdx.x] + before[tid] - zero;
  int all_zeros = zeros[gridDim.x];
  out[zero ? zeros_before : all_zeros + i - zeros_before] = key;
}

int main() {
  const int n = 5000;
  const int blocks = (n + kBlock - 1) / kBlock;
  std::vector<Key> keys(n);
  uint32_t seed = 12345;
  for (Key& key : keys) {
    seed = seed * 1103515245u + 12345u;
    key = Key(seed >> 16);
  }
  std::vector<Key> expected = keys;
  std::sort(expected.begin(), expected.end());

  Key *src, *dst;
  int* zeros;
  CUCHK(cudaMalloc(&src, n * sizeof(Key)));
  CUCHK(cudaMalloc(&dst, n * sizeof(Key)));
  CUCHK(cudaMalloc(&zeros, (blocks + 1) * sizeof(int)));
  CUCHK(cudaMemcpy(src, keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice));
  for (int bit = 0; bit < kBits; ++bit) {
    count_zeros<<<blocks, kBlock>>>(src, n, bit, zeros);
    scan_counts<<<1, 1>>>(zeros, blocks);
    scatter<<<blocks, kBlock>>>(src, dst, n, bit, zeros);
    CUCHK(cudaGetLastError());
    std::swap(src, dst);
  }
  CUCHK(cudaMemcpy(keys.data(), src, n * sizeof(Key), cudaMemcpyDeviceToHost));
  CUCHK(cudaFree(src));
  CUCHK(cudaFree(dst));
  CUCHK(cudaFree(zeros));

  bool ok = keys == expected;
  printf("min %u, median %u, max %u\n", unsigned(keys[0]), unsigned(keys[n / 2]),
         unsigned(keys[n - 1]));
  puts(ok ? "PASS" : "FAIL");
  return !ok;
}

// output:
// min 19, median 32799, max 65535
// PASS
