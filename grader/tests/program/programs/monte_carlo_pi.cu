// Estimates pi from random points. The generator is a 32-bit PCG, one per thread.
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <iostream>

#define CUDA_ASSERT(x)                                                           \
  do {                                                                           \
    if (cudaError_t e = (x)) {                                                   \
      std::cerr << "line " << __LINE__ << ": " << cudaGetErrorString(e) << "\n"; \
      return 1;                                                                  \
    }                                                                            \
  } while (false)

class Pcg32 {
 public:
  __host__ __device__ explicit Pcg32(uint64_t stream) : state_(0), increment_(2 * stream + 1) {
    next();
    state_ += 0x853c49e6748fea9bULL;
    next();
  }

  __host__ __device__ uint32_t next() {
    const uint64_t old = state_;
    state_ = old * 6364136223846793005ULL + increment_;
    const uint32_t shifted = uint32_t(((old >> 18) ^ old) >> 27);
    const uint32_t rotation = uint32_t(old >> 59);
    return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
  }

 private:
  uint64_t state_;
  uint64_t increment_;
};

// Coordinates are integers of 16 bits, so the test has no rounding.
__host__ __device__ inline unsigned count_inside(uint64_t stream, int points) {
  Pcg32 random(stream);
  unsigned inside = 0;
  for (int i = 0; i < points; ++i) {
    const uint32_t bits = random.next();
    const uint64_t x = bits & 0xFFFF, y = bits >> 16;
    inside += x * x + y * y < (uint64_t(1) << 32);
  }
  return inside;
}

__global__ void throw_points(int points_per_thread, unsigned long long* inside) {
  __shared__ unsigned block_inside;
  if (threadIdx.x == 0) block_inside = 0;
  __syncthreads();
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&block_inside, count_inside(thread, points_per_thread));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(inside, block_inside);
}

int main() {
  constexpr int kBlocks = 16, kThreads = 128, kPoints = 100;

  unsigned long long* device_inside = nullptr;
  CUDA_ASSERT(cudaMalloc(&device_inside, sizeof *device_inside));
  CUDA_ASSERT(cudaMemset(device_inside, 0, sizeof *device_inside));
  throw_points<<<kBlocks, kThreads>>>(kPoints, device_inside);
  CUDA_ASSERT(cudaGetLastError());
  unsigned long long inside = 0;
  CUDA_ASSERT(cudaMemcpy(&inside, device_inside, sizeof inside, cudaMemcpyDeviceToHost));
  CUDA_ASSERT(cudaFree(device_inside));

  unsigned long long expected = 0;
  for (int thread = 0; thread < kBlocks * kThreads; ++thread) {
    expected += count_inside(thread, kPoints);
  }

  const int points = kBlocks * kThreads * kPoints;
  const double pi = 4.0 * double(inside) / points;
  std::cout << inside << " of " << points << " points inside\n";
  std::cout << "pi is about " << std::fixed << std::setprecision(2) << pi << '\n';
  const bool ok = inside == expected && std::fabs(pi - 3.14159265) < 0.02;
  std::cout << (ok ? "PASS" : "FAIL") << '\n';
  return ok ? 0 : 1;
}

// output:
// 160577 of 204800 points inside
// pi is about 3.14
// PASS
