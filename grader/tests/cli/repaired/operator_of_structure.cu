// lab: lab2
// change: __device__ T& operator()(int r, int c) const { return data[r * width + c]; }
// one struct for a matrix, so that the kernels can say m(r, c)
template <typename T>
struct Matrix {
  T* data;
  int height;
  int width;
  __device__ bool has(int r, int c) const { return r < height && c < width; }
  __device__ T& operator()(int r, int c) const { return data[r * height + c]; }
};

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  Matrix<const T> A{in, rows, cols};
  Matrix<T> B{out, cols, rows};
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (A.has(i, j)) B(j, i) = A(i, j);
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  Matrix<const T> A{in, rows, cols};
  Matrix<T> B{out, cols, rows};
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (B.has(i, j)) B(i, j) = A(j, i);
}
