// Style: cooperative groups: rank in the block, a tile of 32 threads as the warp, cg::sync.
// Right: a tiled_partition<32> of a 32 x 32 block is a row of threads; the block waits as a whole.
#include <cooperative_groups.h>
using namespace cooperative_groups;
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  auto g = this_thread_block();
  auto warp = tiled_partition<32>(g);
  const int lane = warp.thread_rank();
  const int w = warp.meta_group_rank();
  const int col0 = blockIdx.x * kTile, row0 = blockIdx.y * kTile;
  if (row0 + w < rows && col0 + lane < cols) tile[w][lane] = in[(row0 + w) * cols + col0 + lane];
  sync(g);
  if (col0 + w < cols && row0 + lane < rows) out[(col0 + w) * rows + row0 + lane] = tile[lane][w];
}
