// verdict: gate store_sectors
// defect: gate.store_sectors
// Every second thread copies two elements: each store skips every other float of its sectors.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2 != 0) return;
  for (int i = first; i < first + 2 && i < n; ++i) {
    out[i] = in[offset + i * stride];  // <--
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int first = offset[c] / 8, last = (offset[c] + 31 * stride[c]) / 8;
  sectors[c] = stride[c] <= 8 ? last - first + 1 : 32;
}
