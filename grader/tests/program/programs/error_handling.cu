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

// What a launch that cannot be is refused with: CUDA 13 passes on what its driver says.
static const cudaError_t kRefusedLaunch =
    CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

static int surprises = 0;

static void expect(const char* what, cudaError_t actual, cudaError_t expected) {
  const bool fits = actual == expected;
  std::printf("%s: %s\n", what, fits ? "as expected" : cudaGetErrorName(actual));
  surprises += fits ? 0 : 1;
}

__global__ void store_index(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * blockDim.x + threadIdx.x;
}

int main() {
  const int count = 2048;
  int* out = nullptr;
  MUST_WORK(cudaMalloc(&out, count * sizeof(int)));
  MUST_WORK(cudaMemset(out, 0xFF, count * sizeof(int)));

  // a block has at most 1,024 threads
  store_index<<<1, count>>>(out);  // <-- refused_launch
  expect("peek after 2,048 threads", cudaPeekAtLastError(), kRefusedLaunch);
  expect("first look", cudaGetLastError(), kRefusedLaunch);
  expect("second look", cudaGetLastError(), cudaSuccess);

  store_index<<<0, 32>>>(out);  // <-- refused_launch
  expect("empty grid", cudaGetLastError(), kRefusedLaunch);

  int* huge = nullptr;
  const cudaError_t failed = cudaMalloc(&huge, size_t(1) << 50);  // <-- no_memory
  expect("cudaMalloc of 1 PiB", failed, cudaErrorMemoryAllocation);
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
// peek after 2,048 threads: as expected
// first look: as expected
// second look: as expected
// empty grid: as expected
// cudaMalloc of 1 PiB: as expected
// it stays the last error: as expected
// device that is not there: as expected
// and as the last error: as expected
// two blocks of 1,024 threads: as expected
// synchronize: as expected
// cudaFree(nullptr): as expected
// text: out of memory
// PASS
