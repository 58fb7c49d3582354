constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];

  int ir = blockIdx.y * 32 + threadIdx.y;
  int ic = blockIdx.x * 32 + threadIdx.x;
  T v = T(0);
  if (ir < rows)
    if (ic < cols)
      v = in[ir * cols + ic];
  tile[threadIdx.y][threadIdx.x] = v;
  __syncthreads();

  int orow = blockIdx.x * 32 + threadIdx.y;
  int ocol = blockIdx.y * 32 + threadIdx.x;
  if (orow >= cols || ocol >= rows)
    return;   // safe, no barrier after this
  out[orow * rows + ocol] = tile[threadIdx.x][threadIdx.y];
}
