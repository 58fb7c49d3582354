// verdict: wrong_result
// defect: wrong_result.value
// Ignores where the warp begins in its first sector.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int span = 31 * stride[c] + 1;
  sectors[c] = stride[c] <= 8 ? (span + 7) / 8 : 32;
}
