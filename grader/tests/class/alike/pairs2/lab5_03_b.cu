constexpr int kTile = 32;

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional)
}

__global__ void matmul(const float* left, const float* right, float* out, int h, int inner, int w) {
  const int r = threadIdx.y, q = threadIdx.x;
  const int gx = q + blockIdx.x * kTile;
  const int gy = r + blockIdx.y * kTile;
  __shared__ float shR[kTile * kTile], shL[kTile * kTile];

  // walk pointers through the matrices
  int posR = gx + w * r;
  int posL = q + inner * gy;
  const bool okX = gx + 1 <= w;
  const bool okY = gy + 1 <= h;
  const int slot = q + r * kTile;

  float sum = 0.f;
  for (int todo = inner; todo >= 1; todo = todo - kTile) {
    float fromR = 0.f, fromL = 0.f;
    if (r < todo && okX) fromR = right[posR];
    if (q < todo && okY) fromL = left[posL];
    shR[slot] = fromR;
    shL[slot] = fromL;
    __syncthreads();  // tiles complete

    float dot = 0.f;
    for (int t = 0; t <= kTile - 1; t += 1) {
      const float f = shR[q + t * kTile];
      dot = f * shL[t + r * kTile] + dot;
    }
    sum = dot + sum;
    posR = w * kTile + posR;
    posL = kTile + posL;
    __syncthreads();  // tiles free again
  }

  if (okX && okY) {
    out[gx + w * gy] = sum;
  }
}
