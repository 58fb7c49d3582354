// What cudaMemcpy and cudaMemset take, as the host waits for them: pageable and page-locked memory, both directions, and on the device.
// Median of 30 after 3. Build and run: nvcc -O2 -std=c++17 -arch=sm_90 copies.cu -o copies && ./copies
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

template <typename Call>
double median_us(const Call& call) {
  std::vector<double> times;
  for (int i = 0; i < 33; ++i) {
    CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    call();
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> passed =
        std::chrono::steady_clock::now() - begin;
    if (i >= 3) times.push_back(passed.count());
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int driver = 0;
  CHECK(cudaDriverGetVersion(&driver));
  std::printf(
      "%s, driver %d\nbytes to_device_us to_host_us locked_to_device_us locked_to_host_us "
      "on_device_us memset_us\n",
      properties.name, driver);
  const std::size_t most = 256u << 20;
  char *device = nullptr, *other = nullptr, *locked = nullptr;
  std::vector<char> pageable(most, 1);
  CHECK(cudaMalloc(&device, most));
  CHECK(cudaMalloc(&other, most));
  CHECK(cudaMallocHost(&locked, most));
  std::memset(locked, 1, most);
  for (std::size_t bytes = 4; bytes <= most; bytes *= 4) {
    std::printf("%zu", bytes);
    std::printf(" %.2f", median_us([&] {
                  CHECK(cudaMemcpy(device, pageable.data(), bytes, cudaMemcpyHostToDevice));
                }));
    std::printf(" %.2f", median_us([&] {
                  CHECK(cudaMemcpy(pageable.data(), device, bytes, cudaMemcpyDeviceToHost));
                }));
    std::printf(" %.2f", median_us([&] {
                  CHECK(cudaMemcpy(device, locked, bytes, cudaMemcpyHostToDevice));
                }));
    std::printf(" %.2f", median_us([&] {
                  CHECK(cudaMemcpy(locked, device, bytes, cudaMemcpyDeviceToHost));
                }));
    std::printf(" %.2f", median_us([&] {
                  CHECK(cudaMemcpy(other, device, bytes, cudaMemcpyDeviceToDevice));
                }));
    std::printf(" %.2f\n", median_us([&] { CHECK(cudaMemset(device, 0, bytes)); }));
  }
}
