constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float sa[kTile * kTile];
  __shared__ float sb[kTile * kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int me = ty * kTile + tx;
  const int i = blockIdx.y * kTile + ty;
  const int j = blockIdx.x * kTile + tx;
  const bool have_row = i < n;
  const bool have_col = j < p;

  // offsets of my next element in a and b; they move on with the tiles
  int pa = i * m + tx;
  int pb = ty * p + j;

  float result = 0.f;
  int left = m;  // how many k are still to come
  while (left > 0) {
    sa[me] = (have_row && tx < left) ? a[pa] : 0.f;
    sb[me] = (have_col && ty < left) ? b[pb] : 0.f;
    pa += kTile;
    pb += kTile * p;
    left -= kTile;
    __syncthreads();

    float part = 0.f;
    for (int k = 0; k < kTile; k++)
      part += sa[ty * kTile + k] * sb[k * kTile + tx];
    result += part;
    __syncthreads();
  }

  if (have_row && have_col) c[i * p + j] = result;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
}
