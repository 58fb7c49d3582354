// 256-bin histogram: each block counts in shared memory, then merges.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Histogram = std::array<uint32_t, 256>;

#define REQUIRE(call)                                                                  \
  if (const cudaError_t result = (call); result != cudaSuccess) {                      \
    std::fprintf(stderr, "%d: %s -> %s\n", __LINE__, #call, cudaGetErrorName(result)); \
    std::exit(1);                                                                      \
  }

// Reads four pixels per load.
__global__ void histogram256(const uchar4* pixels, uint32_t quads, uint32_t* bins) {
  __shared__ uint32_t local[256];
  for (uint32_t bin = threadIdx.x; bin < 256; bin += blockDim.x) local[bin] = 0;
  __syncthreads();

  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += stride) {
    const uchar4 quad = pixels[i];
    atomicAdd(&local[quad.x], 1u);
    atomicAdd(&local[quad.y], 1u);
    atomicAdd(&local[quad.z], 1u);
    atomicAdd(&local[quad.w], 1u);
  }
  __syncthreads();

  for (uint32_t bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    if (local[bin] != 0) atomicAdd(&bins[bin], local[bin]);
  }
}

std::vector<uint8_t> make_image(size_t size) {
  std::vector<uint8_t> image(size);
  uint32_t x = 2463534242u;
  for (uint8_t& pixel : image) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    pixel = uint8_t((x & 0xFF) * ((x >> 8) & 0xFF) >> 8);  // dark values are frequent
  }
  return image;
}

Histogram device_histogram(const std::vector<uint8_t>& image) {
  uchar4* d_pixels = nullptr;
  uint32_t* d_bins = nullptr;
  REQUIRE(cudaMalloc(&d_pixels, image.size()));
  REQUIRE(cudaMalloc(&d_bins, sizeof(Histogram)));
  REQUIRE(cudaMemcpy(d_pixels, image.data(), image.size(), cudaMemcpyHostToDevice));
  REQUIRE(cudaMemset(d_bins, 0, sizeof(Histogram)));

  histogram256<<<12, 128>>>(d_pixels, uint32_t(image.size() / 4), d_bins);
  REQUIRE(cudaGetLastError());

  Histogram bins;
  REQUIRE(cudaMemcpy(bins.data(), d_bins, sizeof bins, cudaMemcpyDeviceToHost));
  REQUIRE(cudaFree(d_pixels));
  REQUIRE(cudaFree(d_bins));
  return bins;
}

int main() {
  const std::vector<uint8_t> image = make_image(320 * 200);
  Histogram expected{};
  for (uint8_t pixel : image) ++expected[pixel];

  const Histogram bins = device_histogram(image);
  const auto fullest = std::max_element(bins.begin(), bins.end());
  std::printf("pixels: %zu\n", image.size());
  std::printf("fullest bin: %d with %u pixels\n", int(fullest - bins.begin()), *fullest);
  std::printf("%s\n", bins == expected ? "PASS" : "FAIL");
  return bins == expected ? 0 : 1;
}

// output:
// pixels: 64000
// fullest bin: 0 with 1978 pixels
// PASS
