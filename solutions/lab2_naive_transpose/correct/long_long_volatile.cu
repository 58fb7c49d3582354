// Style: long long, a volatile temporary, if/else with an empty branch, needless double check.
// Right: the checks are made twice; the element is read once and written once.
template <typename T>
__global__ void transpose_coalesced_read(const T* in, T* out, int rows, int cols) {
  long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  long long row = (long long)blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= cols || row >= rows) {
    ;
  } else {
    long long source = row * cols + column;
    long long target = column * rows + row;
    if (source >= 0 && source < (long long)rows * cols && target < (long long)rows * cols) {
      volatile T buffer = in[source];
      out[target] = buffer;
    }
  }
}

template <typename T>
__global__ void transpose_coalesced_write(const T* in, T* out, int rows, int cols) {
  long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  long long column = (long long)blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= cols || row >= rows) {
    ;
  } else {
    long long source = row * cols + column;
    long long target = column * rows + row;
    if (source >= 0 && source < (long long)rows * cols && target < (long long)rows * cols) {
      volatile T buffer = in[source];
      out[target] = buffer;
    }
  }
}
