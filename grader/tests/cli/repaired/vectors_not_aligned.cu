// lab: lab0
// change: if (stride == 1 && offset % 4 == 0) {
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (stride == 1) {
    // four floats at once where we can
    if (i < n / 4) {
      const float4* src = reinterpret_cast<const float4*>(in + offset);
      float4* dst = reinterpret_cast<float4*>(out);
      dst[i] = src[i];
    }
    int tail = n / 4 * 4 + i;
    if (tail < n) out[tail] = in[offset + tail];
  } else if (i < n) {
    out[i] = in[offset + i * stride];
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 0, last = -1;
  for (int lane = 0; lane < 32; ++lane) {
    int sector = (offset[c] + lane * stride[c]) / 8;
    if (sector != last) ++count;
    last = sector;
  }
  sectors[c] = count;
}
