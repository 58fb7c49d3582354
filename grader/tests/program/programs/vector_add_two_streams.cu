// Adds two vectors in chunks; two streams overlap copies with kernels.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#define GPU(call)                                                                        \
  if (cudaError_t e = (call); e != cudaSuccess) {                                        \
    std::fprintf(stderr, "%s at line %d: %s\n", #call, __LINE__, cudaGetErrorString(e)); \
    std::exit(1);                                                                        \
  }

constexpr int kTotal = 1 << 16;
constexpr int kChunk = 1 << 13;
constexpr int kBlock = 256;

struct Lane {  // what one stream works with
  cudaStream_t stream;
  float *a, *b, *c;
};

__global__ void add_chunk(const float* a, const float* b, float* c, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  float *a, *b, *c;
  GPU(cudaMallocHost(&a, kTotal * sizeof(float)));
  GPU(cudaMallocHost(&b, kTotal * sizeof(float)));
  GPU(cudaMallocHost(&c, kTotal * sizeof(float)));
  for (int i = 0; i < kTotal; ++i) {
    a[i] = float(i % 1000);
    b[i] = float(i / 1000);
  }
  std::fill(c, c + kTotal, -1.0f);

  std::array<Lane, 2> lanes;
  for (Lane& lane : lanes) {
    GPU(cudaStreamCreate(&lane.stream));
    GPU(cudaMalloc(&lane.a, kChunk * sizeof(float)));
    GPU(cudaMalloc(&lane.b, kChunk * sizeof(float)));
    GPU(cudaMalloc(&lane.c, kChunk * sizeof(float)));
  }

  int chunks = 0;
  for (int start = 0; start < kTotal; start += kChunk, ++chunks) {
    const Lane& lane = lanes[chunks % lanes.size()];
    const int n = std::min(kChunk, kTotal - start);
    const size_t bytes = n * sizeof(float);
    GPU(cudaMemcpyAsync(lane.a, a + start, bytes, cudaMemcpyHostToDevice, lane.stream));
    GPU(cudaMemcpyAsync(lane.b, b + start, bytes, cudaMemcpyHostToDevice, lane.stream));
    add_chunk<<<(n + kBlock - 1) / kBlock, kBlock, 0, lane.stream>>>(lane.a, lane.b, lane.c, n);
    GPU(cudaGetLastError());
    GPU(cudaMemcpyAsync(c + start, lane.c, bytes, cudaMemcpyDeviceToHost, lane.stream));
  }
  for (Lane& lane : lanes) GPU(cudaStreamSynchronize(lane.stream));

  int bad = 0;
  for (int i = 0; i < kTotal; ++i) bad += c[i] != float(i % 1000 + i / 1000);

  for (Lane& lane : lanes) {
    GPU(cudaFree(lane.a));
    GPU(cudaFree(lane.b));
    GPU(cudaFree(lane.c));
    GPU(cudaStreamDestroy(lane.stream));
  }
  std::printf("%d chunks of %d elements in %zu streams\n", chunks, kChunk, lanes.size());
  std::printf("c[1234] = %.0f, c[65535] = %.0f\n", c[1234], c[65535]);
  GPU(cudaFreeHost(a));
  GPU(cudaFreeHost(b));
  GPU(cudaFreeHost(c));
  std::printf(bad ? "FAIL\n" : "PASS\n");
  return bad != 0;
}

// output:
// 8 chunks of 8192 elements in 2 streams
// c[1234] = 235, c[65535] = 600
// PASS
