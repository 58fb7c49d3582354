// One warp, one access at a time. The figures of the handouts show these accesses, with the sectors
// or wavefronts that the simulator counts for them.

// Lane `i` reads in[i * stride + offset].
template <typename T, int stride, int offset>
__global__ void read_global(const T* in, T* out) {
  const T value = in[threadIdx.x * stride + offset];
  if (value == T(-1)) out[0] = value;  // never true: it keeps the read
}

// Lane `i` reads row i of a column of a tile whose rows are `pitch` words apart.
template <int pitch>
__global__ void read_column(const float* in, float* out) {
  __shared__ float tile[32 * 40];
  for (int row = 0; row < 32; ++row) tile[row * pitch + threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  const float value = tile[threadIdx.x * pitch];
  if (value == -1.0f) out[0] = value;
}
