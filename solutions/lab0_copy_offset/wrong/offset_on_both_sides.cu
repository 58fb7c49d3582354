// verdict: out_of_bounds
// defect: out_of_bounds.other_array
// says: Index `out` with the thread's own number alone
// The offset is used on the output side as well.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[offset + i] = in[offset + i * stride];  // <--
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int count = 0, last = -1;
  for (int i = 0; i < 32; ++i) {
    int sector = (offset[c] + i * stride[c]) / 8;
    if (sector != last) ++count;
    last = sector;
  }
  sectors[c] = count;
}
