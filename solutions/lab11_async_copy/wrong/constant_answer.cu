// verdict: wrong_result
// class: constant answer
// defect: wrong_result.constant
// The same rank for each element.
__global__ void ranks(const float* in, int* out, int rows) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) out[row * 256 + threadIdx.x] = 128;
}
