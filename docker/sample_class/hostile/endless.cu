// Never ends.
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  for (volatile int i = 0; i >= 0; i = 0) {
  }
  out[0] = in[0];
}
