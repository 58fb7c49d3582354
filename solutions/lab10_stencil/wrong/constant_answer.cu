// verdict: wrong_result
// class: constant answer
// defect: wrong_result.constant
// The same number is stored everywhere.
__global__ void smooth(const float* in, float* out, int rows, int cols) {
  const int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  if (r < rows && c < cols) out[r * cols + c] = 1;
}

__global__ void laplace(const float* in, float* out, int nz, int ny, int nx) {}
