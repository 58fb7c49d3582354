// lab: lab6
// change: __shared__ float box[4][32 * 33];
// change: float* own = box[team] + lane * 33;
// change: if (base + k < n) y[(base + k) * 32 + lane] = box[team][k * 33 + lane];
constexpr int kThreads = 128;

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float box[32 * 33];
  const int team = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int base = blockIdx.x * kThreads + team * 32;
  float* own = box + lane * 33;
  if (base + lane < n) {
    const float v = x[base + lane];
    float p = v;
    for (int k = 0; k < 32; ++k) own[k] = (p *= v);
  }
  __syncwarp();
  for (int k = 0; k < 32; ++k)
    if (base + k < n) y[(base + k) * 32 + lane] = box[k * 33 + lane];
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  float p = x[i];
  for (int k = 0; k < 32; ++k) y[k * n + i] = (p *= x[i]);
}
