// Heat on a plate by Jacobi iteration: two buffers, until the change is small.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CALL(f)                                                                                \
  do {                                                                                         \
    cudaError_t s = f;                                                                         \
    if (s != cudaSuccess) {                                                                    \
      std::fprintf(stderr, "%s failed in line %d: %s\n", #f, __LINE__, cudaGetErrorString(s)); \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (0)

constexpr int kSide = 32;
constexpr float kTolerance = 0.01f;
constexpr int kMaxSteps = 1000;

__host__ __device__ inline float average(float up, float down, float left, float right) {
  return 0.25f * (up + down + left + right);
}

// Differences are not negative, so their bits order like integers.
__global__ void jacobi_step(const float* now, float* next, int* largest_change_bits) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= kSide - 1 || y >= kSide - 1) return;
  const int i = y * kSide + x;
  next[i] = average(now[i - kSide], now[i + kSide], now[i - 1], now[i + 1]);
  atomicMax(largest_change_bits, __float_as_int(fabsf(next[i] - now[i])));
}

int solve_on_host(std::vector<float>& now) {
  std::vector<float> next = now;
  for (int step = 1; step <= kMaxSteps; ++step) {
    float largest = 0;
    for (int y = 1; y < kSide - 1; ++y) {
      for (int x = 1; x < kSide - 1; ++x) {
        const int i = y * kSide + x;
        next[i] = average(now[i - kSide], now[i + kSide], now[i - 1], now[i + 1]);
        largest = std::max(largest, std::fabs(next[i] - now[i]));
      }
    }
    std::swap(now, next);
    if (largest < kTolerance) return step;
  }
  return -1;
}

int solve_on_device(std::vector<float>& plate) {
  const size_t bytes = plate.size() * sizeof(float);
  float *now, *next, change = kTolerance;
  int* change_bits;
  CALL(cudaMalloc(&now, bytes));
  CALL(cudaMalloc(&next, bytes));
  CALL(cudaMalloc(&change_bits, sizeof(int)));
  CALL(cudaMemcpy(now, plate.data(), bytes, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(next, now, bytes, cudaMemcpyDeviceToDevice));  // for the border

  int steps = 0;
  while (change >= kTolerance && steps < kMaxSteps) {
    CALL(cudaMemset(change_bits, 0, sizeof(int)));
    jacobi_step<<<dim3(2, 4), dim3(16, 8)>>>(now, next, change_bits);
    CALL(cudaGetLastError());
    CALL(cudaMemcpy(&change, change_bits, sizeof change, cudaMemcpyDeviceToHost));
    std::swap(now, next);
    ++steps;
  }
  CALL(cudaMemcpy(plate.data(), now, bytes, cudaMemcpyDeviceToHost));
  CALL(cudaFree(now));
  CALL(cudaFree(next));
  CALL(cudaFree(change_bits));
  return steps;
}

int main() {
  std::vector<float> plate(kSide * kSide, 0.0f);
  std::fill(plate.begin(), plate.begin() + kSide, 100.0f);  // the upper edge is hot
  std::vector<float> expected = plate;

  const int steps = solve_on_device(plate);
  const int expected_steps = solve_on_host(expected);
  const bool ok = steps == expected_steps && plate == expected;
  std::printf("steps: %d\n", steps);
  std::printf("center: %.3f\n", plate[kSide / 2 * kSide + kSide / 2]);
  std::printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// steps: 591
// center: 21.727
// PASS
