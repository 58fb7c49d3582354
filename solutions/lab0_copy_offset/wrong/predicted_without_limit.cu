// verdict: wrong_result
// defect: wrong_result.value
// All sectors from the first to the last, also where the stride skips some.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  sectors[c] = (offset[c] + 31 * stride[c]) / 8 - offset[c] / 8 + 1;
}
