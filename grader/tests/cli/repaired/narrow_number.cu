// lab: lab0
// change: int sector = (offset[c] + lane * stride[c]) / 8;
typedef signed char small;

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 0, before = -1;
  for (int lane = 0; lane < 32; ++lane) {
    small sector = (offset[c] + lane * stride[c]) / 8;
    if (sector > before) ++count;
    before = sector;
  }
  sectors[c] = count;
}
