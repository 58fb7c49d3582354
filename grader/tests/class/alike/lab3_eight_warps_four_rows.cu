// Of solutions/lab3_corner_turning/correct/eight_warps_four_rows.cu
#define SIDE 32
template <typename T>
__global__ void corner_turn(const T* in, T* out, int rows, int cols) {
  const int j = threadIdx.y;
  const int i = threadIdx.x;
  const int left = SIDE * blockIdx.x;
  const int top = SIDE * blockIdx.y;
  __shared__ T cache[SIDE][SIDE + 1];
  if (8 > j) {
    T d = 0, c = 0, b = 0, a = 0;
    const int line = j + top;
    const int place = i + left;
    if (cols > place) {
      if (rows > line) a = in[place + cols * line];
      if (rows > 8 + line) b = in[place + cols * (8 + line)];
      if (rows > 16 + line) c = in[place + cols * (16 + line)];
      if (rows > 24 + line) d = in[place + cols * (24 + line)];
    }
    cache[24 + j][i] = d;
    cache[16 + j][i] = c;
    cache[8 + j][i] = b;
    cache[j][i] = a;
  }
  __syncthreads();
  if (8 > j) {
    const int line = j + left;
    const int place = i + top;
    if (rows > place) {
      int s = 0;
      while (s < 32) {
        if (cols > s + line) out[place + rows * (s + line)] = cache[i][s + j];
        s += 8;
      }
    }
  }
}
