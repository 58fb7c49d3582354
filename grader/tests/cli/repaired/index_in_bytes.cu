// lab: lab0
// change: return index * 4 / kSectorBytes;
// Lab 0: copy with an offset and a stride, and how many sectors that touches.

enum {
  kLoadSectors = 5,   // with its load
  kStoreSectors = 4,  // with its store
};

constexpr int kSectorBytes = 32;

__device__ int sector_of(int index) {
  return index / kSectorBytes;
}

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me >= n) return;
  out[me] = in[offset + me * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 1;  // the sector of the first float
  for (int i = 1; i < 32; ++i) {
    int here = offset[c] + i * stride[c], before = here - stride[c];
    if (sector_of(here) != sector_of(before)) ++count;
  }
  sectors[c] = count;
}
