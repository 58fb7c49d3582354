// lab: lab5
// change: int phases = (m + TILE_WIDTH - 1) / TILE_WIDTH;
#define TILE_WIDTH 32

__global__ void matmul(const float* M, const float* N, float* P, int n, int m, int p) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int Row = by * TILE_WIDTH + ty, Col = bx * TILE_WIDTH + tx;
  float Pvalue = 0;
  int phases = gridDim.x;
  for (int ph = 0; ph < phases; ++ph) {
    Mds[ty][tx] = (Row < n && ph * TILE_WIDTH + tx < m) ? M[Row * m + ph * TILE_WIDTH + tx] : 0.0f;
    Nds[ty][tx] = (ph * TILE_WIDTH + ty < m && Col < p) ? N[(ph * TILE_WIDTH + ty) * p + Col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (Row < n && Col < p) P[Row * p + Col] = Pvalue;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
