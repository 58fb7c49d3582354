// The same with cooperative groups.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  __shared__ T of_warp[32];

  T value = 0;
  const int threads = gridDim.x * block.size();
  for (int i = blockIdx.x * block.size() + block.thread_rank(); i < n; i += threads) value += x[i];

  for (int k = warp.size() / 2; k > 0; k /= 2) value += warp.shfl_down(value, k);
  if (warp.thread_rank() == 0) of_warp[block.thread_rank() / 32] = value;
  block.sync();

  if (block.thread_rank() < 32) {
    value = warp.thread_rank() < block.size() / 32 ? of_warp[warp.thread_rank()] : T(0);
    for (int k = warp.size() / 2; k > 0; k /= 2) value += warp.shfl_down(value, k);
    if (warp.thread_rank() == 0) atomicAdd(total, value);
  }
}
