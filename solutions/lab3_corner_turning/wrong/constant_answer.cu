// verdict: wrong_result
// class: constant answer
// defect: wrong_result.constant
// Every element is written, and all are zero.
constexpr int kTile = 32;

template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  const int out_c = blockIdx.y * kTile + threadIdx.x;
  const int out_r = blockIdx.x * kTile + threadIdx.y;
  if (out_r < cols && out_c < rows) out[out_r * rows + out_c] = 0;
}
