// lab: lab0
// change: return element * 4 / SECTOR_BYTES;
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

#define SECTOR_BYTES 32

__device__ int sectorOf(int element) {
  return element / SECTOR_BYTES;
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    int count = 0;
    int before = -1;
    for (int lane = 0; lane < warpSize; ++lane) {
      int s = sectorOf(offset[c] + lane * stride[c]);
      count += s != before;
      before = s;
    }
    sectors[c] = count;
  }
}
