constexpr int kPowers = 32;
constexpr int kBlock = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float cell[kPowers][kBlock + 1];
  const int t = threadIdx.x;
  const int me = threadIdx.x + blockIdx.x * blockDim.x;
  float base = 1.0f;
  if (me < n) base = x[me];
  float power = base * base;
  cell[0][t] = power;
  for (int e = 1; e < kPowers; e++) {
    power *= base;
    cell[e][t] = power;
  }
  __syncwarp();

  const int warpCol = (t / 32) * 32;
  const int warpNum = (me / 32) * 32;
  const int laneId = t % 32;
  int left = n - warpNum;
  if (left > 32) left = 32;
  for (int s = 0; s < left; s++) {
    y[(warpNum + s) * kPowers + laneId] = cell[laneId][warpCol + s];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int me = threadIdx.x + blockIdx.x * blockDim.x;
  if (me >= n) return;
  const float base = x[me];
  float power = base * base;
  float* dst = y + me;
  for (int e = 0; e < kPowers; e++) {
    *dst = power;
    dst += n;
    power *= base;
  }
}
