// verdict: wrong_result
// class: only multiples of 32
// defect: wrong_result.multiples
// Elements that do not fill a whole warp are left out.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 32 * 32) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int first = offset[c] / 8, last = (offset[c] + 31 * stride[c]) / 8;
  sectors[c] = stride[c] <= 8 ? last - first + 1 : 32;
}
