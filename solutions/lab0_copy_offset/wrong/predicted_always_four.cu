// verdict: wrong_result
// defect: wrong_result.constant
// The answer for no offset and a stride of 1.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) sectors[c] = 4;
}
