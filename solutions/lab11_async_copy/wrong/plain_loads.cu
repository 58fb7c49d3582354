// verdict: gate asynchronous
// defect: gate.asynchronous
// Each row goes through a register: load, store to shared memory, wait, work.
constexpr int kRow = 256;

__global__ void ranks(const float* in, int* out, int rows) {
  __shared__ float buffer[kRow];
  const int i = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    buffer[i] = in[row * kRow + i];
    __syncthreads();
    const float mine = buffer[i];
    int smaller = 0;
    for (int k = 0; k < kRow; ++k) smaller += buffer[k] < mine;
    out[row * kRow + i] = smaller;
    __syncthreads();
  }
}
