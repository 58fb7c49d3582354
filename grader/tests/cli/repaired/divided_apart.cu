// lab: lab0
// change: const int sector = (offset[c] + lane * step) / 8;
// why: change_parts_divided
// Lab 0: copy with an offset and a stride, and how many sectors that touches.

enum {
  kLoadSectors = 5,
  kStoreSectors = 4,
};

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;

  // The offset says in which sector the warp begins, the stride how many sectors further each lane is.
  const int begin = offset[c] / 8;
  const int step = stride[c];

  int seen = 1;  // the sector of lane 0
  int before = begin;
  for (int lane = 1; lane < 32; ++lane) {
    const int sector = begin + lane * step / 8;
    if (sector != before) {
      ++seen;
      before = sector;
    }
  }
  sectors[c] = seen;
}
