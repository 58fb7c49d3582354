// Rows of odd width in pitched memory, copied with cudaMemcpy2D.
#include <cstring>
#include <iostream>
#include <vector>

#define E(call)                                                         \
  if ((call) != cudaSuccess) {                                          \
    std::cerr << "failed: " #call " in line " << __LINE__ << std::endl; \
    return 1;                                                           \
  }

__global__ void add_row_number(float* base, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(base) + y * pitch);
  row[x] += static_cast<float>(y);
}

int main() {
  const int width = 77, height = 33;
  const size_t row_bytes = width * sizeof(float);
  std::vector<float> table(width * height);
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<float>(i % 50);
  const std::vector<float> original = table;

  float* pitched = nullptr;
  size_t pitch = 0;
  E(cudaMallocPitch(&pitched, &pitch, row_bytes, height));
  const bool pitch_fits = pitch >= row_bytes && pitch % 32 == 0;
  E(cudaMemset2D(pitched, pitch, 0, row_bytes, height));
  E(cudaMemcpy2D(pitched, pitch, table.data(), row_bytes, row_bytes, height,
                 cudaMemcpyHostToDevice));

  const dim3 block(32, 4);
  const dim3 grid((width + 31) / 32, (height + 3) / 4);
  add_row_number<<<grid, block>>>(pitched, pitch, width, height);
  E(cudaGetLastError());

  // The whole table, and a window of 3 x 2 that starts in row 10, column 5.
  E(cudaMemcpy2D(table.data(), row_bytes, pitched, pitch, row_bytes, height,
                 cudaMemcpyDeviceToHost));
  float window[2][3];
  const char* corner = reinterpret_cast<const char*>(pitched) + 10 * pitch + 5 * sizeof(float);
  E(cudaMemcpy2D(window, sizeof window[0], corner, pitch, sizeof window[0], 2,
                 cudaMemcpyDeviceToHost));
  E(cudaFree(pitched));

  int errors = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      errors += table[y * width + x] != original[y * width + x] + y;
    }
  }
  for (int y = 0; y < 2; ++y) {
    errors += std::memcmp(window[y], &table[(10 + y) * width + 5], sizeof window[y]) != 0;
  }

  std::cout << "rows are aligned: " << (pitch_fits ? "yes" : "no") << "\n";
  std::cout << "window:";
  for (const auto& row : window)
    for (float value : row) std::cout << ' ' << value;
  std::cout << "\nerrors: " << errors << "\n";
  const bool passed = pitch_fits && errors == 0;
  std::cout << (passed ? "PASS\n" : "FAIL\n");
  return passed ? 0 : 1;
}

// output:
// rows are aligned: yes
// window: 35 36 37 13 14 15
// errors: 0
// PASS
