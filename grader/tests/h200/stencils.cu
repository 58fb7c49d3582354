// Stencils of 3 x 3, 5 x 5 and 7 x 7 weights: all loads from global memory (naive), a tile with a halo (tile), sums of rows kept in
// registers besides (slide); 1 or 4 results a thread. Measured: stencils.txt.
template <int R>
__device__ constexpr float weight(int k) {
  return R == 1   ? (k == 1 ? 2 : 1)
         : R == 2 ? (k == 2             ? 6
                     : k == 1 || k == 3 ? 4
                                        : 1)
                  : (k == 3             ? 20
                     : k == 2 || k == 4 ? 15
                     : k == 1 || k == 5 ? 6
                                        : 1);
}
template <int R>
__global__ void naive4(const float* in, float* out, int rows, int cols) {
  int c = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    int r = blockIdx.y * 32 + threadIdx.y + 8 * k;
    if (r >= rows || c >= cols) continue;
    float s = 0;
    for (int i = -R; i <= R; i++)
      for (int j = -R; j <= R; j++)
        if (r + i >= 0 && r + i < rows && c + j >= 0 && c + j < cols)
          s += weight<R>(i + R) * weight<R>(j + R) * in[(r + i) * cols + c + j];
    out[r * cols + c] = s;
  }
}
template <int R>
__global__ void tile4(const float* in, float* out, int rows, int cols) {
  __shared__ float t[32 + 2 * R][32 + 2 * R];
  for (int y = threadIdx.y; y < 32 + 2 * R; y += 8)
    for (int x = threadIdx.x; x < 32 + 2 * R; x += 32) {
      int r = blockIdx.y * 32 + y - R, c = blockIdx.x * 32 + x - R;
      t[y][x] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0;
    }
  __syncthreads();
  int c = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    int y = threadIdx.y + 8 * k, r = blockIdx.y * 32 + y;
    if (r >= rows || c >= cols) continue;
    float s = 0;
    for (int i = 0; i <= 2 * R; i++)
      for (int j = 0; j <= 2 * R; j++) s += weight<R>(i) * weight<R>(j) * t[y + i][threadIdx.x + j];
    out[r * cols + c] = s;
  }
}
template <int R>
__global__ void slide4(const float* in, float* out, int rows, int cols) {
  __shared__ float t[32 + 2 * R][32 + 2 * R];
  for (int y = threadIdx.y; y < 32 + 2 * R; y += 8)
    for (int x = threadIdx.x; x < 32 + 2 * R; x += 32) {
      int r = blockIdx.y * 32 + y - R, c = blockIdx.x * 32 + x - R;
      t[y][x] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0;
    }
  __syncthreads();
  int c = blockIdx.x * 32 + threadIdx.x;
  float h[4 + 2 * R];
  for (int i = 0; i < 4 + 2 * R; i++) {
    h[i] = 0;
    for (int j = 0; j <= 2 * R; j++) h[i] += weight<R>(j) * t[threadIdx.y * 4 + i][threadIdx.x + j];
  }
  for (int k = 0; k < 4; k++) {
    int r = blockIdx.y * 32 + threadIdx.y * 4 + k;
    float s = 0;
    for (int i = 0; i <= 2 * R; i++) s += weight<R>(i) * h[k + i];
    if (r < rows && c < cols) out[r * cols + c] = s;
  }
}
template <int R>
__global__ void naive1(const float* in, float* out, int rows, int cols) {
  int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float s = 0;
  for (int i = -R; i <= R; i++)
    for (int j = -R; j <= R; j++)
      if (r + i >= 0 && r + i < rows && c + j >= 0 && c + j < cols)
        s += weight<R>(i + R) * weight<R>(j + R) * in[(r + i) * cols + c + j];
  out[r * cols + c] = s;
}
template <int R>
__global__ void tile1(const float* in, float* out, int rows, int cols) {
  __shared__ float t[8 + 2 * R][32 + 2 * R];
  for (int y = threadIdx.y; y < 8 + 2 * R; y += 8)
    for (int x = threadIdx.x; x < 32 + 2 * R; x += 32) {
      int r = blockIdx.y * 8 + y - R, c = blockIdx.x * 32 + x - R;
      t[y][x] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0;
    }
  __syncthreads();
  int r = blockIdx.y * 8 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  if (r >= rows || c >= cols) return;
  float s = 0;
  for (int i = 0; i <= 2 * R; i++)
    for (int j = 0; j <= 2 * R; j++)
      s += weight<R>(i) * weight<R>(j) * t[threadIdx.y + i][threadIdx.x + j];
  out[r * cols + c] = s;
}
