// Style: a functional programmer: divide and conquer over the lanes, a real recursion.
// Right: it counts changes between lanes lo and hi; the depth is five.
__device__ int changes(int o, int s, int lo, int hi) {
  if ((o + lo * s) / 8 == (o + hi * s) / 8) return 0;
  if (hi - lo == 1) return 1;
  const int mid = (lo + hi) / 2;
  return changes(o, s, lo, mid) + changes(o, s, mid, hi);
}

__device__ __noinline__ float fetch(const float* in, int k) { return in[k]; }

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fetch(in, offset + i * stride);
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) sectors[c] = 1 + changes(offset[c], stride[c], 0, 31);
}
