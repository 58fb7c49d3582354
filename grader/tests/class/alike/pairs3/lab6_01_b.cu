constexpr int kPowers = 32;
constexpr int kBlock = 128;

__device__ __forceinline__ void chain(float* dst, float base, int stride) {
  float cur = base;
  for (int j = 0; j < kPowers; j++) {
    cur = cur * base;
    dst[j * stride] = cur;
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int id = threadIdx.x + kBlock * blockIdx.x;
  if (id >= n) return;
  chain(y + id, x[id], n);
}

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float stage[kBlock][1 + kPowers];
  const int tid = threadIdx.x;
  const int laneId = tid & 31;
  const int warpId = tid >> 5;
  const int first = 32 * warpId + kBlock * blockIdx.x;

  if (first + laneId < n) chain(stage[tid], x[first + laneId], 1);
  __syncwarp();

  int j = 0;
  while (j < 32 && first + j < n) {
    y[laneId + kPowers * (first + j)] = stage[j + 32 * warpId][laneId];
    j++;
  }
}
