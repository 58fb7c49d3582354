// verdict: gate sectors
// defect: gate.sectors
// The slower naive kernel of lab 2.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  int c = blockIdx.x * kTile + threadIdx.x;
  int r = blockIdx.y * kTile + threadIdx.y;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];  // <--
}
