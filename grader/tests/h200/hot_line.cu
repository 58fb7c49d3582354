// Atomics of a whole grid on one line of 128 bytes: what the line that has most of them costs (profiles/h200.toml, atomic_*).
//   nvcc -arch=sm_90 -O3 -o hot_line hot_line.cu && ./hot_line > hot_line.txt
#include <algorithm>
#include <cstdio>
#include <vector>

enum Op { RED_U, RED_F, ATOM_U, EXCH_U };

template <int OP>
__device__ void op(unsigned* p, unsigned value, unsigned* sum) {
  if (OP == RED_U) atomicAdd(p, value);
  if (OP == RED_F) atomicAdd((float*)p, (float)value);
  if (OP == ATOM_U) *sum += atomicAdd(p, value);
  if (OP == EXCH_U) *sum += atomicExch(p, value);
}

/// `lanes` lanes of each warp, on `words` neighbouring words of the line.
template <int OP>
__global__ void hot(unsigned* p, int rounds, int lanes, int words, unsigned* sink) {
  unsigned sum = 0;
  const int lane = threadIdx.x % 32;
  if (lane < lanes)
    for (int r = 0; r < rounds; ++r) op<OP>(p + lane % words, threadIdx.x + r, &sum);
  if (sum == 12345) *sink = sum;
}
__global__ void empty() {}

template <typename F>
float time_us(F launch) {
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  std::vector<float> all;
  for (int i = 0; i < 12; ++i) {
    cudaEventRecord(a);
    launch();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    all.push_back(ms * 1e3f);
  }
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

int main() {
  unsigned *p, *sink;
  cudaMalloc(&p, 1 << 20);
  cudaMalloc(&sink, 4);
  cudaMemset(p, 0, 1 << 20);
  const float none = time_us([&] { empty<<<132, 32>>>(); });
  printf("empty,us,%.2f\n", none);
  struct Shape {
    int blocks, threads, rounds;
  };
  for (const Shape s : {Shape{132, 32, 800}, Shape{528, 256, 25}, Shape{8448, 256, 2}})
    for (const int lanes : {1, 2, 4, 8, 32})
      for (const int words : {1, lanes}) {
        const double requests = 1.0 * s.blocks * (s.threads / 32) * s.rounds;
#define ROW(OP)                                                                                   \
  {                                                                                               \
    const float us =                                                                              \
        time_us([&] { hot<OP><<<s.blocks, s.threads>>>(p, s.rounds, lanes, words, sink); }) -     \
        none;                                                                                     \
    printf(#OP                                                                                    \
           ",blocks %d threads %d rounds %d lanes %d words %d,%.2f us,%.3f ns a request,%.3f ns " \
           "a lane\n",                                                                            \
           s.blocks, s.threads, s.rounds, lanes, words, us, us * 1e3 / requests,                  \
           us * 1e3 / requests / lanes);                                                          \
  }
        ROW(RED_U) ROW(RED_F) ROW(ATOM_U) ROW(EXCH_U)
      }
  return cudaDeviceSynchronize() != cudaSuccess;
}
