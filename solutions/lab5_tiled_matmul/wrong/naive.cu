// verdict: gate load_sectors
// defect: gate.load_sectors
// No tiles: correct and coalesced, but every operand is fetched for every product.
constexpr int kTile = 32;

__global__ void matmul(const float* a, const float* b, float* c, int n, int m, int p) {
  int row = blockIdx.y * kTile + threadIdx.y;
  int col = blockIdx.x * kTile + threadIdx.x;
  if (row >= n || col >= p) return;
  float sum = 0.0f;
  for (int k = 0; k < m; ++k) sum += a[row * m + k] * b[k * p + col];  // <--
  c[row * p + col] = sum;
}

__constant__ int matmul_registers_shape[4] = {16, 16, 64, 64};

__global__ void matmul_registers(const float* a, const float* b, float* c, int n, int m, int p) {}
