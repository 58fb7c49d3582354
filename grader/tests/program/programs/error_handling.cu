// Errors that a program can recover from: each is reported, then it goes on.
#include <cstdio>
#include <cstdlib>
#include <string>

#define MUST_WORK(call)                                                          \
  do {                                                                           \
    const cudaError_t must_work = (call);                                        \
    if (must_work != cudaSuccess) {                                              \
      std::printf("line %d: %s\nFAIL\n", __LINE__, cudaGetErrorName(must_work)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

static int surprises = 0;

static void expect(const char* what, cudaError_t actual, cudaError_t expected) {
  std::printf("%s: %s\n", what, cudaGetErrorName(actual));
  if (actual == expected) return;
  std::printf("  expected %s\n", cudaGetErrorName(expected));
  ++surprises;
}

__global__ void store_index(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
}

int main() {
  const int count = 2048;
  int* out = nullptr;
  MUST_WORK(cudaMalloc(&out, count * sizeof(int)));
  MUST_WORK(cudaMemset(out, 0xFF, count * sizeof(int)));

  store_index<<<1, count>>>(out);  // a block has at most 1,024 threads
  expect("peek after 2,048 threads", cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  expect("first look", cudaGetLastError(), cudaErrorInvalidConfiguration);
  expect("second look", cudaGetLastError(), cudaSuccess);

  store_index<<<0, 32>>>(out);
  expect("empty grid", cudaGetLastError(), cudaErrorInvalidConfiguration);

  int* huge = nullptr;
  expect("cudaMalloc of 1 PiB", cudaMalloc(&huge, size_t(1) << 50), cudaErrorMemoryAllocation);
  expect("it stays the last error", cudaGetLastError(), cudaErrorMemoryAllocation);

  int devices = 0;
  MUST_WORK(cudaGetDeviceCount(&devices));
  expect("device that is not there", cudaSetDevice(devices), cudaErrorInvalidDevice);
  expect("and as the last error", cudaGetLastError(), cudaErrorInvalidDevice);

  // None of this harmed the context.
  int last = 0;
  MUST_WORK(cudaMemcpy(&last, out + count - 1, sizeof last, cudaMemcpyDeviceToHost));
  const bool untouched = last == -1;
  store_index<<<2, count / 2>>>(out);
  expect("two blocks of 1,024 threads", cudaGetLastError(), cudaSuccess);
  expect("synchronize", cudaDeviceSynchronize(), cudaSuccess);
  MUST_WORK(cudaMemcpy(&last, out + count - 1, sizeof last, cudaMemcpyDeviceToHost));
  MUST_WORK(cudaFree(out));
  expect("cudaFree(nullptr)", cudaFree(nullptr), cudaSuccess);

  const std::string text = cudaGetErrorString(cudaErrorMemoryAllocation);
  std::printf("text: %s\n", text.c_str());
  const bool ok = surprises == 0 && untouched && last == count - 1 && text == "out of memory";
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// peek after 2,048 threads: cudaErrorInvalidConfiguration
// first look: cudaErrorInvalidConfiguration
// second look: cudaSuccess
// empty grid: cudaErrorInvalidConfiguration
// cudaMalloc of 1 PiB: cudaErrorMemoryAllocation
// it stays the last error: cudaErrorMemoryAllocation
// device that is not there: cudaErrorInvalidDevice
// and as the last error: cudaErrorInvalidDevice
// two blocks of 1,024 threads: cudaSuccess
// synchronize: cudaSuccess
// cudaFree(nullptr): cudaSuccess
// text: out of memory
// PASS
