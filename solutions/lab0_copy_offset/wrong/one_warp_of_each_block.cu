// verdict: gate ratio
// Right and coalesced, but the first warp of each block copies for all of them, 32 elements at a time, and waits for each load:
// too few are under way to keep the memory busy, and no counter of sectors shows it.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int workers = blockDim.x < 32 ? blockDim.x : 32;
  if (threadIdx.x >= workers) return;
  const int begin = blockIdx.x * blockDim.x;
#pragma unroll 1
  for (int i = begin + threadIdx.x; i < begin + blockDim.x && i < n; i += workers)
    out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 0, last = -1;
  for (int lane = 0; lane < 32; ++lane) {
    int sector = (offset[c] + lane * stride[c]) / 8;
    if (sector != last) ++count;
    last = sector;
  }
  sectors[c] = count;
}
