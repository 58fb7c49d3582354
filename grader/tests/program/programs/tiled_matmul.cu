// Square matrix product with shared-memory tiles; edges are padded with zeros.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define OK(call)                                                             \
  do {                                                                       \
    const cudaError_t code = (call);                                         \
    if (code != cudaSuccess) {                                               \
      std::fprintf(stderr, "[%d] %s\n", __LINE__, cudaGetErrorString(code)); \
      std::exit(1);                                                          \
    }                                                                        \
  } while (0)

constexpr int TILE = 16;

struct CudaDeleter {
  void operator()(void* p) const { OK(cudaFree(p)); }
};
using DeviceInts = std::unique_ptr<int, CudaDeleter>;

DeviceInts upload(const std::vector<int>& host) {
  int* p = nullptr;
  OK(cudaMalloc(&p, host.size() * sizeof(int)));
  OK(cudaMemcpy(p, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
  return DeviceInts(p);
}

__global__ void multiply_tiled(const int* a, const int* b, int* c, int n) {
  __shared__ int tile_a[TILE][TILE];
  __shared__ int tile_b[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  int sum = 0;
  for (int base = 0; base < n; base += TILE) {
    tile_a[ty][tx] = (row < n && base + tx < n) ? a[row * n + base + tx] : 0;
    tile_b[ty][tx] = (base + ty < n && col < n) ? b[(base + ty) * n + col] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

int main() {
  const int n = 75;
  std::vector<int> a(n * n), b(n * n), c(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 11 - 5;
    b[i] = i % 13 - 6;
  }

  DeviceInts da = upload(a), db = upload(b), dc = upload(c);
  const dim3 block(TILE, TILE);
  const dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  multiply_tiled<<<grid, block>>>(da.get(), db.get(), dc.get(), n);
  OK(cudaGetLastError());
  OK(cudaMemcpy(c.data(), dc.get(), c.size() * sizeof(int), cudaMemcpyDeviceToHost));

  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) expected[i * n + j] += a[i * n + k] * b[k * n + j];

  int trace = 0;
  for (int i = 0; i < n; ++i) trace += c[i * n + i];
  const bool passed = c == expected;
  std::printf("n = %d, tile = %d\n", n, TILE);
  std::printf("trace = %d\n", trace);
  std::printf("%s\n", passed ? "PASS" : "FAIL");
  return !passed;
}

// output:
// n = 75, tile = 16
// trace = 21
// PASS
