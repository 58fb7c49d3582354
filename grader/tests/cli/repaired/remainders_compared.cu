// lab: lab0
// change: if (here / 8 != before / 8) ++count;
// why: change_remainders
// Lab 0
enum {
  kLoadSectors = 5,   // with its load
  kStoreSectors = 4,  // with its store
};

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int me = threadIdx.x + blockIdx.x * blockDim.x;
  if (me >= n) return;
  out[me] = in[offset + me * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 1;  // the sector of the first float
  for (int i = 1; i < 32; ++i) {
    int here = offset[c] + i * stride[c], before = here - stride[c];
    if (here % 8 < before % 8) ++count;
  }
  sectors[c] = count;
}
