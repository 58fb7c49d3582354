// lab: lab0
// change: previous = sector; }
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    int previous = offset[c] / 8;
    int count = 1;
    for (int i = 1; i < 32; i++) {
      int sector = (offset[c] + i * stride[c]) / 8;
      if (sector != previous) {
        count = count + 1;
      }
    }
    sectors[c] = count;
  }
}
