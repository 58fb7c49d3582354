// lab: lab11
// change: __pipeline_wait_prior(1);
// change: const float mine = here[i];
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

// Predict first: write a number in place of each 0. It costs no points, and `grade` says what it
// counted.
// In your kernel, with 132 blocks and 16 rows for each of them:
enum {
  kBarriers = 33792,     // at how many barriers do all warps wait, counted once for each warp?
  kCopySectors = 4,  // how many sectors does a copy touch that 32 threads begin together?
};

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float even[kRow], odd[kRow];
  const int i = threadIdx.x;
  float* here = even;
  float* there = odd;

  if (blockIdx.x < rows) {
    __pipeline_memcpy_async(&here[i], &in[blockIdx.x * kRow + i], sizeof(float));
  }
  __pipeline_commit();

  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    const int next = r + gridDim.x;
    if (next < rows) {
      __pipeline_memcpy_async(&there[i], &in[next * kRow + i], sizeof(float));
    }
    __pipeline_commit();

    const float mine = here[i];  // this one I have copied myself; the wait is for those of the others
    __pipeline_wait_prior(1);
    __syncthreads();

    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += here[k] < mine ? 1 : 0;
    out[r * kRow + i] = smaller;
    __syncthreads();

    float* const used = here;
    here = there;
    there = used;
  }
}
