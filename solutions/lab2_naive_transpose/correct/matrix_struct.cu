// Style: a matrix class with operator() and bounds; C++ as in a lecture.
// Right: the view is row by row; the kernels name (row, column) and the class does the rest.
template <typename E>
struct Matrix {
  E* data;
  int height, width;
  __device__ E& operator()(int r, int c) const { return data[r * width + c]; }
  __device__ bool contains(int r, int c) const {
    return r >= 0 && r < height && c >= 0 && c < width;
  }
};

struct Place {
  int x, y;
};
__device__ Place here() {
  return {(int)(blockIdx.x * blockDim.x + threadIdx.x),
          (int)(blockIdx.y * blockDim.y + threadIdx.y)};
}

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  Matrix<const T> A{in, rows, cols};
  Matrix<T> B{out, cols, rows};
  auto [c, r] = here();
  if (A.contains(r, c)) B(c, r) = A(r, c);
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  Matrix<const T> A{in, rows, cols};
  Matrix<T> B{out, cols, rows};
  auto [r, c] = here();
  if (B.contains(c, r)) B(c, r) = A(r, c);
}
