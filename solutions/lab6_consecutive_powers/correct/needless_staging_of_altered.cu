// Style: cooperative groups for block and warp tile; powers_altered also goes through shared memory, for symmetry.
// Right: both tiles are free of conflicts; in the altered order each thread reads only what it has written.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float tile[kBlock][kPowers + 1];
  const int t = block.thread_rank();
  const int first = block.group_index().x * kBlock;
  float v = first + t < n ? x[first + t] : 1.0f;
  float product = v;
  for (int k = 0; k < kPowers; ++k) tile[t][k] = product = product * v;
  block.sync();
  for (int row = t / kPowers; row < kBlock; row += kBlock / kPowers) {
    const int number = first + row, k = t % kPowers;
    if (number < n) y[number * kPowers + k] = tile[row][k];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float tile[kPowers][kBlock];
  const int t = block.thread_rank();
  const int i = block.group_index().x * kBlock + t;
  float v = i < n ? x[i] : 1.0f;
  float product = v;
  for (int k = 0; k < kPowers; ++k) tile[k][t] = product = product * v;
  block.sync();
  for (int k = 0; k < kPowers; ++k)
    if (i < n) y[k * n + i] = tile[k][t];
}
