// Style: someone from Fortran: 1-based macros A(i,j) and B(i,j), C thought of as column-major.
// Right: A(j,i) with j fastest is the row-major `in`; each thread moves one element.
#define A(j, i) in[((i)-1) * cols + ((j)-1)]
#define B(i, j) out[((j)-1) * rows + ((i)-1)]

template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  // j = colonne (rapide dans A), i = ligne (rapide dans B)
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (j <= cols && i <= rows) B(i, j) = A(j, i);
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (j <= cols && i <= rows) B(i, j) = A(j, i);
}
#undef A
#undef B
