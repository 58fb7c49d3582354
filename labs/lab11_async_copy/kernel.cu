// Lab 11: asynchronous copies.
//
// `in` has `rows` rows of 256 floats. Store for each element its rank: how many of the 256 elements
// of its row are smaller.
//
//   out[r * 256 + i] = number of k with in[r * 256 + k] < in[r * 256 + i]
//
// Blocks have 256 threads, one element of a row each. The grader chooses the grid: block b takes
// the rows b, b + gridDim.x, b + 2 * gridDim.x, ... There may be more blocks than rows, and rows may
// be 0.
//
// Useful names:
//   __pipeline_memcpy_async(to, from, bytes)
//       begins to copy 4, 8 or 16 bytes from global to shared memory, and does not wait. Both
//       addresses must be multiples of as many bytes.
//   __pipeline_commit()
//       makes a group of the copies that this thread has begun since its last commit. The group
//       may be empty.
//   __pipeline_wait_prior(n)
//       waits until all groups of this thread have arrived but the last n.
#include <cuda_pipeline.h>

constexpr int kRow = 256;

// Predict first (no points), a number in place of each 0.
// In your kernel, with 132 blocks and 16 rows for each of them:
enum {
  kBarriers = 0,     // at how many barriers do all warps wait, counted once for each warp?
  kCopySectors = 0,  // how many sectors does a copy touch that 32 threads begin together?
};

__global__ void ranks(const float* in, int* out, int rows) {
  // TODO 1: declare two rows in shared memory, and begin to copy the block's first row to one of
  // them.
  // TODO 2: loop over the block's rows. In each iteration, first begin to copy the next row, if
  // there is one, to the place that this row does not need. Commit.
  // TODO 3: wait for this row, but not for the next one; then for the other threads of the block.
  // TODO 4: count the smaller elements, and store the rank. Before the next iteration copies to
  // this row's place, no thread may still read it.
}
