// lab: lab5
// change:
// change: tileA[ty][tx] = i < n && ka < m ? a[i * m + ka] : 0;
// change: tileB[ty][tx] = j < p && kb < m ? b[kb * p + j] : 0;
// change:
// change:
// change:
// change:
// why: change_each_condition
// Lab 5
constexpr int kTile = 32;
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

enum {
  kLoadSectors = 4,
  kAllLoadSectors = 1048576,
};

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  __shared__ float tileA[kTile][kTile];
  __shared__ float tileB[kTile][kTile];
  int ty = threadIdx.y, tx = threadIdx.x;
  int i = blockIdx.y * kTile + ty;
  int j = blockIdx.x * kTile + tx;
  float acc = 0;
  for (int t = 0; t < CEIL_DIV(m, kTile); t++) {
    int ka = t * kTile + tx;
    int kb = t * kTile + ty;
    if (i < n && j < p && ka < m && kb < m) {
      tileA[ty][tx] = a[i * m + ka];
      tileB[ty][tx] = b[kb * p + j];
    } else {
      tileA[ty][tx] = 0;
      tileB[ty][tx] = 0;
    }
    __syncthreads();
    for (int k = 0; k < kTile; k++) acc += tileA[ty][k] * tileB[k][tx];
    __syncthreads();
  }
  if (i < n && j < p) c[i * p + j] = acc;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {
  // TODO (optional)
}
