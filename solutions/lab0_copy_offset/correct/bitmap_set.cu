// Style: a physicist: a bitmap of visited sectors in registers/local memory, no reasoning about order.
// Right: at most 32 lanes, sectors counted from the first; those past the map are each new (stride > 8).
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  // x_i = a + i*b
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int x = offset + i * stride;
  float tmp = 0.0f;
  if (i < n) tmp = in[x];
  if (i < n) out[i] = tmp;
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = threadIdx.x + blockIdx.x * blockDim.x;
  if (c < cases) {
    const int a = offset[c], b = stride[c];
    if (b >= 8) {  // every thread in its own sector
      sectors[c] = 32;
    } else {
      unsigned long long map = 0ULL;  // <= (7 + 31*7)/8 + 1 = 29 sectors
      for (int i = 0; i < 32; i++) map |= 1ULL << ((a % 8 + i * b) / 8);
      sectors[c] = __popcll(map);
    }
  }
}
