// lab: lab0
// change: const int line = byte / 32;
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cases) return;
  int seen = 0, before = -1;
  for (int lane = 0; lane < 32; ++lane) {
    const int byte = sizeof(float) * (offset[i] + lane * stride[i]);
    const int line = byte / 8;
    if (line != before) ++seen;
    before = line;
  }
  sectors[i] = seen;
}
