// nvcc only: libcu++
// Blocks copy tiles ahead with cuda::pipeline, hand them from one warp to others, and meet at a cuda::barrier, where they
// arrive first and wait later.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>

#define CHECK(call)                                                         \
  do {                                                                      \
    cudaError_t rc = (call);                                                \
    if (rc != cudaSuccess) {                                                \
      printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(rc)); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 128, kTiles = 8, kStages = 2;

// All threads copy tile after tile, two ahead, and read what other threads have copied.
__global__ void reverse_tiles(const int* in, int* out) {
  __shared__ int tile[kStages][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  in += blockIdx.x * kTiles * kThreads;
  out += blockIdx.x * kTiles * kThreads;
  for (int tile_done = 0, tile_next = 0; tile_done < kTiles; ++tile_done) {
    for (; tile_next < kTiles && tile_next < tile_done + kStages; ++tile_next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[tile_next % kStages], in + tile_next * kThreads,
                         sizeof(int) * kThreads, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[tile_done * kThreads + threadIdx.x] = tile[tile_done % kStages][kThreads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
}

// The first warp copies, the three others add up.
__global__ void sum_tiles(const int* in, int* sums) {
  constexpr int kConsumers = kThreads - 32;
  __shared__ int tile[kStages][kConsumers];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cg::this_thread_block();
  const bool copies = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(
      block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  in += blockIdx.x * kTiles * kConsumers;
  if (copies) {
    for (int t = 0; t < kTiles; ++t) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < kConsumers; i += 32)
        cuda::memcpy_async(&tile[t % kStages][i], in + t * kConsumers + i,
                           cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int t = 0; t < kTiles; ++t) {
      pipe.consumer_wait();
      sum +=
          tile[t % kStages][threadIdx.x - 32] - 2 * tile[t % kStages][kThreads - 1 - threadIdx.x];
      pipe.consumer_release();
    }
    sums[blockIdx.x * kConsumers + threadIdx.x - 32] = sum;
  }
}

// Each thread gives its neighbour a number and does something else until all have arrived. The last copies with a barrier.
__global__ void ring(const int* in, int* out) {
  __shared__ barrier bar;
  __shared__ alignas(16) int tile[kThreads];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, kThreads);
  block.sync();
  int value = blockIdx.x * kThreads + threadIdx.x, work = 0;
  for (int round = 0; round < 5; ++round) {
    tile[(threadIdx.x + 1) % kThreads] = value;
    auto token = bar.arrive();
    work += round * round;
    bar.wait(std::move(token));
    value = tile[threadIdx.x];
    bar.arrive_and_wait();
  }
  cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), bar);
  bar.arrive_and_wait();
  out[blockIdx.x * kThreads + threadIdx.x] = value + work + tile[kThreads - 1 - threadIdx.x];
}

template <typename Kernel>
std::vector<int> run(Kernel kernel, const std::vector<int>& in, int blocks, std::size_t results) {
  int *d_in, *d_out;
  std::vector<int> out(results);
  CHECK(cudaMalloc(&d_in, in.size() * sizeof(int)));
  CHECK(cudaMalloc(&d_out, results * sizeof(int)));
  CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice));
  kernel<<<blocks, kThreads>>>(d_in, d_out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out.data(), d_out, results * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  return out;
}

int main() {
  constexpr int kBlocks = 3, kSums = kThreads - 32;
  std::vector<int> in(kBlocks * kTiles * kThreads);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = int(i * 37 % 101);
  int wrong[3] = {};
  const auto reversed = run(reverse_tiles, in, kBlocks, in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t lane = i % kThreads;
    wrong[0] += reversed[i] != in[i - lane + kThreads - 1 - lane];
  }
  const auto sums = run(sum_tiles, in, kBlocks, kBlocks * kSums);
  for (int b = 0; b < kBlocks; ++b)
    for (int i = 0; i < kSums; ++i) {
      int sum = 0;
      for (int t = 0; t < kTiles; ++t) {
        const int* tile = &in[(b * kTiles + t) * kSums];
        sum += tile[i] - 2 * tile[kSums - 1 - i];
      }
      wrong[1] += sums[b * kSums + i] != sum;
    }
  const auto passed = run(ring, in, kBlocks, kBlocks * kThreads);
  for (int i = 0; i < kBlocks * kThreads; ++i) {
    const int lane = i % kThreads, from = i - lane + (lane + kThreads - 5) % kThreads;
    wrong[2] += passed[i] != from + 30 + in[kThreads - 1 - lane];
  }
  printf("reversed[5] = %d, sums[7] = %d, passed[9] = %d\n", reversed[5], sums[7], passed[9]);
  printf("wrong: %d %d %d\n", wrong[0], wrong[1], wrong[2]);
  puts(wrong[0] + wrong[1] + wrong[2] ? "FAIL" : "PASS");
  return wrong[0] + wrong[1] + wrong[2] != 0;
}

// output:
// reversed[5] = 70, sums[7] = -303, passed[9] = 57
// wrong: 0 0 0
// PASS
