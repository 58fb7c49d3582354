// Transposes a matrix directly from global memory to global memory.
// Reads are coalesced, writes are strided: the slow baseline.
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#define CHECK_CUDA(expression)                                                 \
  {                                                                            \
    const auto error = (expression);                                           \
    if (error != cudaSuccess) {                                                \
      std::cerr << __LINE__ << ": " << cudaGetErrorString(error) << std::endl; \
      std::exit(1);                                                            \
    }                                                                          \
  }

__global__ void transpose(const short* in, short* out, unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

int main() {
  const unsigned width = 200, height = 123;
  const size_t bytes = width * height * sizeof(short);

  std::vector<short> image(width * height), result(width * height);
  std::iota(image.begin(), image.end(), short{0});

  short* d_in = nullptr;
  short* d_out = nullptr;
  CHECK_CUDA(cudaMalloc(&d_in, bytes));
  CHECK_CUDA(cudaMalloc(&d_out, bytes));
  CHECK_CUDA(cudaMemcpy(d_in, image.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemset(d_out, 0xFF, bytes));

  const dim3 block{32, 8};
  const dim3 grid{(width + block.x - 1) / block.x, (height + block.y - 1) / block.y};
  transpose<<<grid, block>>>(d_in, d_out, width, height);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaMemcpy(result.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaFree(d_in));
  CHECK_CUDA(cudaFree(d_out));

  bool correct = true;
  for (unsigned y = 0; y < height; ++y) {
    for (unsigned x = 0; x < width; ++x) {
      correct = correct && result[x * height + y] == image[y * width + x];
    }
  }

  std::cout << "first row of the result:";
  for (unsigned i = 0; i < 5; ++i) std::cout << ' ' << result[i];
  std::cout << "\nlast element: " << result.back() << '\n';
  std::cout << (correct ? "PASS" : "FAIL") << '\n';
  return correct ? 0 : 1;
}

// output:
// first row of the result: 0 200 400 600 800
// last element: 24599
// PASS
