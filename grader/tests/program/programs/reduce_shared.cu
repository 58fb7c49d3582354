// Sums integers with a tree in shared memory, launched again until one is left.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

namespace cuda_util {
inline void verify(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s (line %d)\n", cudaGetErrorString(e), line);
  std::exit(1);
}
}  // namespace cuda_util
#define VERIFY(e) cuda_util::verify((e), __LINE__)

template <unsigned kBlock>
__global__ void block_sums(const std::int64_t* input, std::int64_t* output, unsigned count) {
  static_assert((kBlock & (kBlock - 1)) == 0, "the tree needs a power of two");
  __shared__ std::int64_t partial[kBlock];

  const unsigned i = blockIdx.x * (2 * kBlock) + threadIdx.x;
  std::int64_t mine = i < count ? input[i] : 0;
  if (i + kBlock < count) mine += input[i + kBlock];
  partial[threadIdx.x] = mine;
  __syncthreads();

  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) output[blockIdx.x] = partial[0];
}

int main() {
  constexpr unsigned kBlock = 128;
  std::vector<std::int64_t> values(60000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::int64_t(i) * 37 % 1001 - 500;
  const std::int64_t expected = std::accumulate(values.begin(), values.end(), std::int64_t{0});

  std::int64_t *from, *to;
  VERIFY(cudaMalloc(&from, values.size() * sizeof(std::int64_t)));
  VERIFY(cudaMalloc(&to, values.size() * sizeof(std::int64_t)));
  VERIFY(cudaMemcpy(from, values.data(), values.size() * sizeof(std::int64_t),
                    cudaMemcpyHostToDevice));

  unsigned left = unsigned(values.size());
  while (left > 1) {
    const unsigned blocks = (left + 2 * kBlock - 1) / (2 * kBlock);
    block_sums<kBlock><<<blocks, kBlock>>>(from, to, left);
    VERIFY(cudaGetLastError());
    std::printf("%u -> %u\n", left, blocks);
    std::swap(from, to);
    left = blocks;
  }

  std::int64_t sum = 0;
  VERIFY(cudaMemcpy(&sum, from, sizeof sum, cudaMemcpyDeviceToHost));
  VERIFY(cudaFree(from));
  VERIFY(cudaFree(to));

  std::printf("sum: %lld\n", static_cast<long long>(sum));
  const bool passed = sum == expected;
  std::puts(passed ? "PASS" : "FAIL");
  return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}

// output:
// 60000 -> 235
// 235 -> 1
// sum: -1389
// PASS
