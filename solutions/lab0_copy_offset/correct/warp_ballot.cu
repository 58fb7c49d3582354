// Style: the warp is asked itself: each case is looked at by 32 lanes at once with shuffles and a ballot.
// Right: all lanes run the loop before any bound is checked, so the full mask is legal (blocks are whole warps).
#include <cuda_runtime.h>
#define FULL 0xffffffffu

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  int i = 32 * warp + lane;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  int o = 0, s = 1, mine = 0;
  if (c < cases) {
    o = offset[c];
    s = stride[c];
  }
  for (int k = 0; k < 32; ++k) {
    const int ko = __shfl_sync(FULL, o, k);
    const int ks = __shfl_sync(FULL, s, k);
    const int sector = (ko + lane * ks) / 8;
    const int left = __shfl_up_sync(FULL, sector, 1);
    const int count = __popc(__ballot_sync(FULL, lane == 0 || sector != left));
    if (lane == k) mine = count;
  }
  if (c < cases) sectors[c] = mine;
}
