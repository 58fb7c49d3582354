// The copies that a lab's bandwidth is held against. They are written as a good kernel would be:
// __restrict__, unrolled, all loads of a thread under way before its first store.
//
//   copy_flat<T, K>   a block of any shape moves K * threads consecutive elements, K a thread, a
//   block's width apart. copy_tile<T, K>   a block of bx x by threads moves a tile of bx columns
//   and K * by rows, K a thread. copy_flat<uint4, 1> with 256 threads a block is the best copy: 16
//   bytes a thread.

template <typename T, int kPerThread>
__global__ void copy_flat(const T* __restrict__ in, T* __restrict__ out, long long count) {
  const int threads = blockDim.x * blockDim.y;
  const long long first = static_cast<long long>(blockIdx.x) * threads * kPerThread +
                          threadIdx.y * blockDim.x + threadIdx.x;
  T held[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    if (first + k * threads < count) held[k] = in[first + k * threads];
  }
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    if (first + k * threads < count) out[first + k * threads] = held[k];
  }
}

template <typename T, int kPerThread>
__global__ void copy_tile(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y * kPerThread + threadIdx.y;
  T held[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int r = row + k * blockDim.y;
    if (r < rows && col < cols) held[k] = in[static_cast<long long>(r) * cols + col];
  }
#pragma unroll
  for (int k = 0; k < kPerThread; ++k) {
    const int r = row + k * blockDim.y;
    if (r < rows && col < cols) out[static_cast<long long>(r) * cols + col] = held[k];
  }
}
