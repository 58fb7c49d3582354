constexpr int kPowers = 32;
constexpr int kBlock = 128;

struct Powers {
  float x, p;
  __device__ explicit Powers(float v) : x(v), p(v) {}
  __device__ float next() { p *= x; return p; }
};

__device__ int globalId() { return threadIdx.x + blockIdx.x * kBlock; }

__global__ void powers(const float* x, float* y, int n) {
  __shared__ float tile[kBlock][33];
  const int id = globalId();
  if (id < n) {
    Powers gen(x[id]);
    for (int k = 0; k < kPowers; k++) tile[threadIdx.x][k] = gen.next();
  }
  __syncwarp();
  const int lane = threadIdx.x % 32;
  for (int k = 0; k < 32; k++) {
    const int src = threadIdx.x / 32 * 32 + k;
    const int dst = blockIdx.x * kBlock + src;
    if (dst >= n) break;
    y[dst * kPowers + lane] = tile[src][lane];
  }
}

__global__ void powers_altered(const float* x, float* y, int n) {
  const int id = globalId();
  if (id < n) {
    Powers gen(x[id]);
    for (int k = 0; k < kPowers; k++) y[k * n + id] = gen.next();
  }
}
