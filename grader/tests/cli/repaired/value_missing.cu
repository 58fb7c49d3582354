// lab: lab0
// change: int count = 0;
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    out[idx] = in[offset + idx * stride];
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int count;
  if (tid < cases) {
    int last = -1;
    for (int lane = 0; lane < 32; lane++) {
      int sector = (offset[tid] + lane * stride[tid]) / 8;
      if (sector > last) count++;
      last = sector;
    }
    sectors[tid] = count;
  }
}
