// lab: lab0
// change: sectors[c] = last / 8 - first / 8 + 1;
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[offset + i * stride];
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    int first = offset[c];
    int last = offset[c] + 31 * stride[c];
    if (stride[c] >= 8) {
      sectors[c] = 32;
    } else {
      sectors[c] = (last - first) / 8 + 1;
    }
  }
}
