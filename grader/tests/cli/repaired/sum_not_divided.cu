// lab: lab0
// change: int sector = (offset[c] + t * stride[c]) / 8;
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[offset + i * stride];
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    int count = 0;
    int previous = -1;
    for (int t = 0; t < 32; t++) {
      int sector = offset[c] + t * stride[c] / 8;
      if (sector != previous) {
        count++;
        previous = sector;
      }
    }
    sectors[c] = count;
  }
}
