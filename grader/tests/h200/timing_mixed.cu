// Mixtures, rounds, streams and turns, for the time model. One CSV row a measurement: name,parameter,value,unit.
//   nvcc -O3 -std=c++17 -arch=sm_90 -o timing_mixed timing_mixed.cu && ./timing_mixed
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#define OK(x)                                                      \
  do {                                                             \
    cudaError_t e = (x);                                           \
    if (e != cudaSuccess) {                                        \
      std::fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); \
      return 1;                                                    \
    }                                                              \
  } while (0)

// Rounds of a reduction: an access with `ways` conflicts, a barrier; one block or as many as fit.
__global__ void rounds(int ways, int lanes, int repeats, long long* cycles, float* sink) {
  extern __shared__ float part[];
  const int at = threadIdx.x * ways % 2048;
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const long long begin = clock64();
  for (int i = 0; i < repeats; ++i) {
    if (threadIdx.x < lanes) part[at] += part[at + 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  sink[blockIdx.x * blockDim.x + threadIdx.x] = part[threadIdx.x];
}
// Reads and stores of what L2 holds, `stores` of 8 requests store.
__global__ void mixed(const float4* in, float4* out, std::size_t mask, int stores, int repeats) {
  std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < repeats; ++r, i = (i + 132 * 2048) & mask)
    for (int k = 0; k < 8; ++k) {
      const std::size_t at = (i + k * 131072) & mask;
      if (k < stores)
        out[at] = make_float4(sum, 1, 2, 3);
      else {
        const float4 v = __ldcg(in + at);
        sum += v.x;
      }
    }
  if (sum == 1.5f) out[0].x = sum;
}
// Each warp stores 32 rows of 128 bytes that lie `apart` bytes from one another.
__global__ void streams(float* out, std::size_t apart, std::size_t n) {
  const std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 32; ++k) out[k * apart + i] = k;
}
// When blocks start and end, and where.
__global__ void when(unsigned long long* begin, unsigned long long* end, unsigned* sm,
                     const float* in, float* out) {
  extern __shared__ float unused[];
  unsigned long long t;
  unsigned id;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  const std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  if (in) out[i] = in[i];
  if (threadIdx.x == 0) {
    begin[blockIdx.x] = t;
    sm[blockIdx.x] = id;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    end[blockIdx.x] = t;
  }
}
template <typename F>
float us(F&& f, int runs = 10) {
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  float best = 1e9f;
  for (int i = 0; i < runs; ++i) {
    cudaEventRecord(a);
    f();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    best = ms < best ? ms : best;
  }
  return best * 1000;
}
int main() {
  std::printf("name,parameter,value,unit\n");
  long long* cycles;
  float *a, *b;
  OK(cudaMallocManaged(&cycles, 1056 * 8));
  OK(cudaMalloc(&a, 1ull << 30));
  OK(cudaMalloc(&b, 1ull << 30));
  for (int blocks : {1, 132 * 8})
    for (int ways : {1, 2, 4, 8, 16, 32})
      for (int lanes : {32, 256}) {
        rounds<<<blocks, 256, 2080 * 4>>>(ways, lanes, 1000, cycles, a);
        OK(cudaDeviceSynchronize());
        std::printf("rounds_%d_blocks_%d_threads,%d,%.2f,cycles a round\n", blocks, lanes, ways,
                    cycles[0] / 1000.0);
      }
  for (int stores = 0; stores <= 8; ++stores) {
    const float t =
        us([&] { mixed<<<132 * 8, 256>>>((float4*)a, (float4*)b, (1 << 20) - 1, stores, 50); });
    std::printf("mixed_L2_16MiB,%d of 8 store,%.1f,us\n", stores, t);
  }
  for (std::size_t apart :
       {std::size_t{1} << 18, std::size_t{1} << 20, (std::size_t{1} << 20) + 4096,
        std::size_t{1} << 22, (std::size_t{1} << 22) + 8224}) {
    const std::size_t n = apart > 1 << 22 ? 1 << 22 : apart;
    const float t = us([&] { streams<<<(unsigned)(n / 128), 128>>>(a, apart, n); });
    std::printf("streams_32,%zu,%.1f,GB/s\n", apart * 4, 32.0 * n * 4 / t / 1e3);
  }
  unsigned long long *begin, *end;
  unsigned* sm;
  constexpr int kMost = 1 << 16;
  OK(cudaMallocManaged(&begin, kMost * 8));
  OK(cudaMallocManaged(&end, kMost * 8));
  OK(cudaMallocManaged(&sm, kMost * 4));
  OK(cudaFuncSetAttribute(when, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  for (int threads : {32, 256, 1024})
    for (int shared : {0, 28, 56, 112, 200})
      for (int load : {0, 1}) {
        const int blocks = 132 * 128;
        const float t = us(
            [&] {
              when<<<blocks, threads, shared * 1024>>>(begin, end, sm, load ? a : nullptr, b);
            },
            3);
        OK(cudaDeviceSynchronize());
        std::printf("turns_%d_threads_%d_KiB_%s,128 blocks an SM,%.2f,us\n", threads, shared,
                    load ? "copy" : "empty", t);
      }
  OK(cudaDeviceSynchronize());
}
