// lab: lab0
// change: int lastSector = -1;
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    int seen = 0;
    int lastSector = 0;
    for (int lane = 0; lane < 32; lane++) {
      int sector = (offset[c] + lane * stride[c]) / 8;
      if (sector > lastSector) {
        seen++;
        lastSector = sector;
      }
    }
    sectors[c] = seen;
  }
}
