// Style: one who saw the fifth sector: aligned loads, each lane hands its float to a neighbour by a shuffle.
// Right: whole warps shuffle before any guard; only elements that exist are loaded; other strides are plain.
#define FULL 0xffffffffu
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  if (stride == 1 && blockDim.x % 32 == 0) {
    const int shift = offset & 7;
    const int k = offset - shift + i;  // aligned: lane 0 begins a sector
    const int end = offset + n;        // one past the last element of in
    const float low = k < end ? in[k] : 0.0f;
    float high = 0.0f;  // the first `shift` floats of what the next warp has
    if (lane < shift && k + 32 < end) high = in[k + 32];
    const int from = (lane + shift) & 31;
    const float a = __shfl_sync(FULL, low, from);
    const float b = __shfl_sync(FULL, high, from);
    if (i < n) out[i] = lane + shift < 32 ? a : b;
  } else if (i < n) {
    out[i] = in[offset + i * stride];
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) sectors[c] = min(32, (offset[c] % 8 + 31 * stride[c]) / 8 + 1);
}
