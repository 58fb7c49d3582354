// lab: lab0
// change: if (here / FLOATS_PER_SECTOR != before / FLOATS_PER_SECTOR) ++count;
// why: change_quotients
// Lab 0
#define FLOATS_PER_SECTOR 8

enum {
  kLoadSectors = 5,
  kStoreSectors = 4,
};

__device__ __forceinline__ int myElement() { return blockDim.x * blockIdx.x + threadIdx.x; }

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = myElement();
  if (i >= n) return;
  out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 1;  // the sector of the first float
  for (int i = 1; i < 32; ++i) {
    int here = offset[c] + i * stride[c], before = here - stride[c];
    // a new sector has begun?
    if (here % FLOATS_PER_SECTOR == 0) ++count;
  }
  sectors[c] = count;
}
