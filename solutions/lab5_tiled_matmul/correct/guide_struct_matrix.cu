// Style: the CUDA programming guide's Matrix struct with GetElement, SetElement and sub-matrices.
// Right: sub-matrices share their parent's stride and know how much of them exists; tiles are zero outside.
constexpr int kTile = 32;

template <typename T>
struct MatrixOf {
  int height, width, stride;
  T* elements;
};
typedef MatrixOf<const float> ConstMatrix;
typedef MatrixOf<float> Matrix;

__device__ float GetElement(const ConstMatrix A, int row, int col) {
  if (row >= A.height || col >= A.width) return 0.0f;
  return A.elements[row * A.stride + col];
}
__device__ void SetElement(Matrix A, int row, int col, float value) {
  if (row < A.height && col < A.width) A.elements[row * A.stride + col] = value;
}
template <typename T>
__device__ MatrixOf<T> GetSubMatrix(MatrixOf<T> A, int row, int col) {
  MatrixOf<T> Asub;
  Asub.height = min(kTile, A.height - kTile * row);
  Asub.width = min(kTile, A.width - kTile * col);
  Asub.stride = A.stride;
  Asub.elements = A.elements + (ptrdiff_t)A.stride * kTile * row + kTile * col;
  return Asub;
}

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  const ConstMatrix A = {n, m, m, a};
  const ConstMatrix B = {m, p, p, b};
  const Matrix C = {n, p, p, c};
  const int blockRow = blockIdx.y, blockCol = blockIdx.x;
  Matrix Csub = GetSubMatrix(C, blockRow, blockCol);
  float Cvalue = 0;
  const int row = threadIdx.y, col = threadIdx.x;
  for (int s = 0; s < (m + kTile - 1) / kTile; ++s) {
    ConstMatrix Asub = GetSubMatrix(A, blockRow, s);
    ConstMatrix Bsub = GetSubMatrix(B, s, blockCol);
    __shared__ float As[kTile][kTile];
    __shared__ float Bs[kTile][kTile];
    As[row][col] = GetElement(Asub, row, col);
    Bs[row][col] = GetElement(Bsub, row, col);
    __syncthreads();
    for (int e = 0; e < kTile; ++e) Cvalue += As[row][e] * Bs[e][col];
    __syncthreads();
  }
  SetElement(Csub, row, col, Cvalue);
}

// Bonus: each thread two rows and four columns.
__constant__ int matmul_registers_shape[4] = {32, 8, 128, 16};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float As[16][32];
  __shared__ float Bs[32][128];
  const ConstMatrix A = {n, m, m, a};
  const ConstMatrix B = {m, p, p, b};
  const Matrix C = {n, p, p, c};
  const int row0 = 16 * blockIdx.y, col0 = 128 * blockIdx.x;
  const int tx = threadIdx.x, ty = threadIdx.y;
  float v[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  for (int k0 = 0; k0 < m; k0 += 32) {
    for (int r = ty; r < 16; r += 8) As[r][tx] = GetElement(A, row0 + r, k0 + tx);
    for (int k = ty; k < 32; k += 8)
      for (int q = tx; q < 128; q += 32) Bs[k][q] = GetElement(B, k0 + k, col0 + q);
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      const float x0 = As[ty][k], x1 = As[ty + 8][k];
      for (int q = 0; q < 4; ++q) {
        const float y = Bs[k][tx + 32 * q];
        v[0][q] += x0 * y;
        v[1][q] += x1 * y;
      }
    }
    __syncthreads();
  }
  for (int q = 0; q < 4; ++q) {
    SetElement(C, row0 + ty, col0 + tx + 32 * q, v[0][q]);
    SetElement(C, row0 + ty + 8, col0 + tx + 32 * q, v[1][q]);
  }
}
