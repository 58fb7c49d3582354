// A whole program, for tools that need one. The kernel is that of reverse_race.cu.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reverse(const float* in, float* out) {
  __shared__ float kept[64];
  const int first = blockIdx.x * 64;
  kept[threadIdx.x] = in[first + threadIdx.x];
  out[first + threadIdx.x] = kept[63 - threadIdx.x];
}

int main() {
  constexpr int kCount = 256;
  float *in = nullptr, *out = nullptr;
  if (cudaMallocManaged(&in, kCount * sizeof(float)) != cudaSuccess ||
      cudaMallocManaged(&out, kCount * sizeof(float)) != cudaSuccess) {
    std::puts("no GPU, or no memory on it");
    return 1;
  }
  for (int i = 0; i < kCount; ++i) in[i] = static_cast<float>(i);
  reverse<<<kCount / 64, 64>>>(in, out);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s; out[0] = %g\n", cudaGetErrorString(status), out[0]);
  cudaFree(in);
  cudaFree(out);
}
