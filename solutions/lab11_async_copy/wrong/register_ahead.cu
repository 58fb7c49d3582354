// verdict: gate asynchronous
// defect: gate.asynchronous
// The next row is loaded ahead, but into a register: it overlaps, but is no asynchronous copy.
constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[kRow];
  const int i = threadIdx.x;
  float next = blockIdx.x < rows ? in[blockIdx.x * kRow + i] : 0;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float mine = next;
    buffer[i] = mine;
    __syncthreads();
    if (row + gridDim.x < rows) next = in[(row + gridDim.x) * kRow + i];
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += buffer[k] < mine;
    out[row * kRow + i] = smaller;
    __syncthreads();
  }
}
