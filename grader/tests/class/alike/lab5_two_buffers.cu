// Of solutions/lab5_tiled_matmul/correct/two_buffers.cu
#define W 32
__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  float acc = 0;
  const int j = threadIdx.y;
  const int i = threadIdx.x;
  const int v = i + W * blockIdx.x;
  const int u = j + W * blockIdx.y;
  __shared__ float right[2][W][W];
  __shared__ float left[2][W][W];
  int base = 0;
  while (m > base) {
    float(*r)[W] = right[base / W % 2];
    float(*l)[W] = left[base / W % 2];
    r[j][i] = p > v && m > j + base ? b[v + p * (j + base)] : 0;
    l[j][i] = m > i + base && n > u ? a[base + i + m * u] : 0;
    __syncthreads();
    int t = 0;
    while (W > t) {
      acc = acc + r[t][i] * l[j][t];
      t++;
    }
    base = base + W;
  }
  if (p > v && n > u) c[v + p * u] = acc;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
