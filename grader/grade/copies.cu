// The copies that lab kernels are held against. They are what a good kernel of that shape is: `__restrict__`, unrolled,
// every load of a thread under way before its first store.

// Block (x), kElements a thread, whole rows of threads apart. Grid: ceil(count / (x * kElements)).
template <typename T, int kElements>
__global__ void copy_1d(const T* __restrict__ in, T* __restrict__ out, int count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  T value[kElements];
#pragma unroll
  for (int k = 0; k < kElements; ++k)
    if (thread + k * threads < count) value[k] = in[thread + k * threads];
#pragma unroll
  for (int k = 0; k < kElements; ++k)
    if (thread + k * threads < count) out[thread + k * threads] = value[k];
}

// Block (x, y), a tile of x columns and y * kElements rows. Grid: (ceil(cols / x), ceil(rows / (y * kElements))).
template <typename T, int kElements>
__global__ void copy_2d(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y * kElements + threadIdx.y;
  T value[kElements];
  if (col >= cols) return;
#pragma unroll
  for (int k = 0; k < kElements; ++k)
    if (row + k * blockDim.y < rows) value[k] = in[(row + k * blockDim.y) * cols + col];
#pragma unroll
  for (int k = 0; k < kElements; ++k)
    if (row + k * blockDim.y < rows) out[(row + k * blockDim.y) * cols + col] = value[k];
}

// The best copy there is: 16 bytes a thread, 256 threads a block. Grid: ceil(count / 256), count in 16-byte pieces.
__global__ void copy_best(const uint4* __restrict__ in, uint4* __restrict__ out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}
