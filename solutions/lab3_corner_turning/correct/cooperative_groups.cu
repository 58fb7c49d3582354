// Style: cooperative groups: block.sync() and thread_index().
// Right: block.sync() is the barrier of the whole block, and every thread reaches it.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  cg::thread_block block = cg::this_thread_block();
  const dim3 t = block.thread_index();
  const dim3 b = block.group_index();
  const int c = b.x * kTile + t.x, r = b.y * kTile + t.y;
  if (c < cols && r < rows) tile[t.y][t.x] = in[r * cols + c];
  block.sync();
  const int oc = b.y * kTile + t.x, orow = b.x * kTile + t.y;
  if (oc < rows && orow < cols) out[orow * rows + oc] = tile[t.x][t.y];
}
