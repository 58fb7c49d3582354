// Cooperative groups: a block, tiles of several sizes, and the coalesced threads.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                          \
  if (cudaError_t error = (call); error != cudaSuccess) {                    \
    std::cerr << __LINE__ << ": " << cudaGetErrorString(error) << std::endl; \
    std::exit(1);                                                            \
  }

// Sum over a group of any kind, through shared memory.
__device__ int sum_in_memory(cg::thread_group group, int* memory, int value) {
  const int lane = group.thread_rank();
  for (int half = group.size() / 2; half > 0; half /= 2) {
    memory[lane] = value;
    group.sync();
    if (lane < half) value += memory[lane + half];
    group.sync();
  }
  return value;  // valid in rank 0
}

template <unsigned kSize>
__device__ int sum_in_registers(cg::thread_block_tile<kSize> tile, int value) {
  for (unsigned delta = kSize / 2; delta > 0; delta /= 2) value += tile.shfl_xor(value, delta);
  return value;  // valid in every rank
}

struct Results {
  int block_sum;
  int tile_sums[4];       // of 32 threads each
  int quarter_maximum;    // largest sum of 4 neighbors
  int multiples_of_five;  // counted by coalesced threads
  int all_small, any_large;
};

__global__ void explore(const int* values, Results* results) {
  __shared__ int memory[128];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(warp);
  const int value = values[block.thread_rank()];

  const int block_sum = sum_in_memory(block, memory, value);
  if (block.thread_rank() == 0) results->block_sum = block_sum;

  const int tile_sum = sum_in_memory(warp, memory + 32 * warp.meta_group_rank(), value);
  if (warp.thread_rank() == 0) results->tile_sums[warp.meta_group_rank()] = tile_sum;

  const int quad_sum = sum_in_registers<4>(quad, value);
  if (quad.thread_rank() == 0) atomicMax(&results->quarter_maximum, quad_sum);

  if (value % 5 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(&results->multiples_of_five, int(active.size()));
  }

  if (block.thread_index().x < 32) {
    const int all_small = warp.all(value < 100);
    const int any_large = warp.any(value > 90);
    if (warp.thread_rank() == 0) {
      results->all_small = all_small;
      results->any_large = any_large;
    }
  }
}

int main() {
  std::vector<int> values(128);
  for (int i = 0; i < 128; ++i) values[i] = i * 29 % 97;

  int* d_values;
  Results *d_results, r;
  CHECK(cudaMalloc(&d_values, 128 * sizeof(int)));
  CHECK(cudaMalloc(&d_results, sizeof r));
  CHECK(cudaMemcpy(d_values, values.data(), 128 * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_results, 0, sizeof r));
  explore<<<1, 128>>>(d_values, d_results);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&r, d_results, sizeof r, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_values));
  CHECK(cudaFree(d_results));

  Results e{};
  e.all_small = 1;
  for (int i = 0; i < 128; ++i) {
    e.block_sum += values[i];
    e.tile_sums[i / 32] += values[i];
    e.multiples_of_five += values[i] % 5 == 0;
    if (i < 32) e.all_small &= values[i] < 100;
    if (i < 32) e.any_large |= values[i] > 90;
    if (i % 4 != 0) continue;
    const int quad = values[i] + values[i + 1] + values[i + 2] + values[i + 3];
    e.quarter_maximum = std::max(e.quarter_maximum, quad);
  }

  bool ok = r.block_sum == e.block_sum && r.quarter_maximum == e.quarter_maximum &&
            r.multiples_of_five == e.multiples_of_five && r.all_small == e.all_small &&
            r.any_large == e.any_large;
  std::cout << "block: " << r.block_sum << "\ntiles:";
  for (int t = 0; t < 4; ++t) {
    std::cout << ' ' << r.tile_sums[t];
    ok = ok && r.tile_sums[t] == e.tile_sums[t];
  }
  std::cout << "\nlargest quad: " << r.quarter_maximum
            << "\nmultiples of five: " << r.multiples_of_five << "\nall small: " << r.all_small
            << ", any large: " << r.any_large << '\n';
  std::cout << (ok ? "PASS" : "FAIL") << '\n';
  return ok ? 0 : 1;
}

// output:
// block: 6210
// tiles: 1580 1594 1414 1622
// largest quad: 263
// multiples of five: 25
// all small: 1, any large: 1
// PASS
