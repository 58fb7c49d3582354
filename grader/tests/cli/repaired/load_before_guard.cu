// lab: lab0
// change: const float value = i < n ? in[src] : 0;
constexpr int kSectorBytes = 32;
constexpr int kWarpSize = 32;

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const unsigned int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  const int src = offset + i * stride;
  const float value = in[src];
  if (i < n) {
    out[i] = value;
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cases) {
    const int o = offset[i], s = stride[i];
    int different = 1;
    for (int t = 1; t < kWarpSize; t++) {
      int before = (o + (t - 1) * s) * (int)sizeof(float) / kSectorBytes;
      int here = (o + t * s) * (int)sizeof(float) / kSectorBytes;
      if (here > before) ++different;
    }
    sectors[i] = different;
  }
}
