// A ring of stages of any depth: three rows are under way while one is worked on.
#include <cuda_pipeline.h>

template <int kStages>
struct Ring {
  float stage[kStages][256];
  __device__ void push(const float* in, long long row, long long rows, int number) {
    if (row < rows)
      for (int i = threadIdx.x; i < 256; i += blockDim.x)
        __pipeline_memcpy_async(&stage[number % kStages][i], &in[row * 256 + i], sizeof(float));
    __pipeline_commit();
  }
  __device__ const float* front(int number) {
    __pipeline_wait_prior(kStages - 1);
    __syncthreads();
    return stage[number % kStages];
  }
};

__global__ void ranks(const float* in, int* out, int rows) {
  constexpr int kStages = 4;
  __shared__ Ring<kStages> ring;
  const long long step = gridDim.x;
  long long ahead = blockIdx.x;
  int pushed = 0;
  for (; pushed < kStages - 1; ++pushed, ahead += step) ring.push(in, ahead, rows, pushed);
  int number = 0;
  for (long long row = blockIdx.x; row < rows; row += step, ++number) {
    ring.push(in, ahead, rows, pushed++);
    ahead += step;
    const float* const elements = ring.front(number);
    const float mine = elements[threadIdx.x];
    int smaller = 0;
    for (int k = 0; k < 256; ++k) smaller += elements[k] < mine;
    out[row * 256 + threadIdx.x] = smaller;
    __syncthreads();
  }
}
