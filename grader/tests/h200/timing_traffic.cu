// Runs the transposes of ../observe/data/kernels.cu once each at sizes of kernel_times.csv, for
// Nsight Compute to say how many bytes DRAM and how many sectors L2 moved (timing_traffic.csv; the
// command is at its top).
//   nvcc -O3 -std=c++17 -arch=sm_90 -o timing_traffic timing_traffic.cu
#include <cstdio>
#include <cstdlib>

#include "../observe/data/kernels.cu"

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: timing_traffic ROWS COLS\n"), 2;
  const int rows = std::atoi(argv[1]), cols = std::atoi(argv[2]);
  float *in, *out;
  const size_t bytes = sizeof(float) * rows * cols;
  if (cudaMalloc(&in, bytes) || cudaMalloc(&out, bytes) || cudaMemset(in, 1, bytes)) return 1;
  const dim3 b32(32, 32), b16(16, 16), b8(32, 8), b64(64, 8);
  auto grid = [](int x, int tx, int y, int ty) {
    return dim3((x + tx - 1) / tx, (y + ty - 1) / ty);
  };
  copy_tile<<<grid(cols, 32, rows, 32), b32>>>(in, out, cols, rows);
  copy_tile<<<grid(cols, 32, rows, 32), b8>>>(in, out, cols, rows);
  copy_linear<float><<<(rows * cols + 255) / 256, 256>>>(in, out, rows * cols);
  tr_naive_read<float><<<grid(cols, 32, rows, 32), b32>>>(in, out, rows, cols);
  tr_naive_read<float><<<grid(cols, 16, rows, 16), b16>>>(in, out, rows, cols);
  tr_naive_read<float><<<grid(cols, 32, rows, 8), b8>>>(in, out, rows, cols);
  tr_naive_write<float><<<grid(rows, 32, cols, 32), b32>>>(in, out, rows, cols);
  tr_naive_write<float><<<grid(rows, 16, cols, 16), b16>>>(in, out, rows, cols);
  tr_tile<float, 32, 0><<<grid(cols, 32, rows, 32), b32>>>(in, out, rows, cols);
  tr_tile<float, 32, 1><<<grid(cols, 32, rows, 32), b32>>>(in, out, rows, cols);
  tr_tile<float, 16, 1><<<grid(cols, 16, rows, 16), b16>>>(in, out, rows, cols);
  tr_rows<float, 32, 8, 0><<<grid(cols, 32, rows, 32), b8>>>(in, out, rows, cols);
  tr_rows<float, 32, 8, 1><<<grid(cols, 32, rows, 32), b8>>>(in, out, rows, cols);
  tr_rows<float, 64, 8, 1><<<grid(cols, 64, rows, 64), b64>>>(in, out, rows, cols);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
