// verdict: gate load_sectors
// class: swapped index
// defect: gate.load_sectors
// Correct, but neighbouring threads are a grid apart: block and thread are swapped.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = threadIdx.x * gridDim.x + blockIdx.x;
  if (i < n) {
    out[i] = in[offset + i * stride];  // <--
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int first = offset[c] / 8, last = (offset[c] + 31 * stride[c]) / 8;
  sectors[c] = stride[c] <= 8 ? last - first + 1 : 32;
}
