// What a load from constant memory takes whose lanes ask for different addresses. One row a measurement: type of the table, distinct
// elements a warp, elements between two of them, warps an SM, cycles an SM for a load of each warp.
//   nvcc -O3 -arch=sm_90 -o constants constants.cu && ./constants
#include <cstdio>
__constant__ unsigned words[4096];
__constant__ unsigned char bytes[4096];

template <bool is_word>
__global__ void look_up(int distinct, int step, int turns, unsigned* out, long long* cycles) {
  unsigned at = threadIdx.x % 32 % distinct * step;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (int t = 0; t < turns; ++t) at += is_word ? words[at] : bytes[at];
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

int main() {
  constexpr int kSms = 132, kTurns = 512;
  unsigned* out;
  long long *cycles, all[kSms];
  cudaMalloc(&out, kSms * 1024 * 4);
  cudaMalloc(&cycles, sizeof all);
  std::printf("type,distinct,step,warps,cycles\n");
  for (const bool is_word : {true, false})
    for (const int warps : {1, 8, 32})
      for (const int step : {1, 2, 4, 16, 64})
        for (const int distinct : {1, 2, 4, 8, 16, 32}) {
          const auto kernel = is_word ? look_up<true> : look_up<false>;
          for (int i = 0; i < 2; ++i)
            kernel<<<kSms, warps * 32>>>(distinct, step, kTurns, out, cycles);
          cudaMemcpy(all, cycles, sizeof all, cudaMemcpyDeviceToHost);
          double sum = 0;
          for (const long long one : all) sum += static_cast<double>(one);
          std::printf("%s,%d,%d,%d,%.2f\n", is_word ? "words" : "bytes", distinct, step, warps,
                      sum / kSms / kTurns);
        }
  std::printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
