// verdict: gate sectors
// defect: gate.sectors
// The faster naive kernel of lab 2. It passes the limit of the ratio, but its strided reads fail that of the sectors.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  int r = blockIdx.y * kTile + threadIdx.x;
  int c = blockIdx.x * kTile + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];  // <--
}
