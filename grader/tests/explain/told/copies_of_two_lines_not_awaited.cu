// Copies begun in two places by the toolkit's own function, whose line is of no use to the reader.
// grid: 2
// block: 64
// arg: f32[512]:random
// arg: f32[128]:poison
// finds: race
// cause: race.copy_not_awaited
// evidence: race_copy_under_way
// fix: race_fix_all_wait_for_copy
// with: line {2}
// never: .h:
// never: a line that is not known
#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out) {
  __shared__ float s[2][64];
  const int t = threadIdx.x, first = blockIdx.x * 256;
  __pipeline_memcpy_async(&s[0][t], &in[first + t], 4);
  __pipeline_commit();
  float sum = 0;
  for (int turn = 0; turn < 4; ++turn) {
    if (turn < 3)
      __pipeline_memcpy_async(&s[(turn + 1) & 1][t], &in[first + 64 * (turn + 1) + t], 4);  // <--
    __pipeline_commit();
    __pipeline_wait_prior(turn == 0 ? 1 : 2);
    __syncthreads();
    sum += s[turn & 1][63 - t];  // <--
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
