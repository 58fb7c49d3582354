// verdict: wrong_result
// defect: no_effect
// says: compares nothing
// never: Work out the index
// A single = in the condition: r becomes 0 or 1, and every thread continues.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  __shared__ T tile[kTile][kTile];
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  if (r = rows && c < cols) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];  // <--
  __syncthreads();
  int oc = blockIdx.y * kTile + threadIdx.x;
  int orow = blockIdx.x * kTile + threadIdx.y;
  if (orow < cols && oc < rows) out[orow * rows + oc] = tile[threadIdx.x][threadIdx.y];
}
