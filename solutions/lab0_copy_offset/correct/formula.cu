// A loop over the grid's width, and the sectors without a loop: up to a stride of 8 floats, none between
// the first and the last is skipped; beyond that, each float has its own sector.
__global__ void copy(const float* __restrict__ in, float* __restrict__ out, int n, int offset,
                     int stride) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int first = offset[c] / 8, last = (offset[c] + 31 * stride[c]) / 8;
  sectors[c] = stride[c] <= 8 ? last - first + 1 : 32;
}
