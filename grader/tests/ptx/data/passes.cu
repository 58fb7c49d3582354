// Kernels whose widths of shared accesses and load latencies in ptxas's SASS are known (merge_shared_test.cpp,
// latency_depth_test.cpp). The .ptx beside it were made with NVRTC:
//   13.0: --gpu-architecture=compute_90 -std=c++17   -> passes_nvrtc13_sm90.ptx
//   11.8: --gpu-architecture=compute_90 -std=c++17   -> passes_nvrtc118_sm90.ptx
extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[y][x] = a[row * n + k + x];
    bs[y][x] = b[(k + y) * n + column];
    __syncthreads();
#pragma unroll
    for (int l = 0; l < 16; ++l) sum += as[y][l] * bs[l][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
// One pitch lets ptxas join four stores, the other does not.
template <int kPitch>
__device__ void powers(const float* x, float* y) {
  __shared__ float staged[32 * kPitch];
  const int lane = threadIdx.x;
  const float v = x[blockIdx.x * 32 + lane];
  float p = v;
#pragma unroll
  for (int k = 0; k < 32; ++k) staged[lane * kPitch + k] = p *= v;
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 32; ++k) y[(blockIdx.x * 32 + k) * 32 + lane] = staged[k * kPitch + lane];
}
extern "C" __global__ void powers_conflict(const float* x, float* y) { powers<32>(x, y); }
extern "C" __global__ void powers_padded(const float* x, float* y) { powers<33>(x, y); }
// Three words of a 16-byte element.
struct Particle {
  float x, y, z, mass;
};
extern "C" __global__ void three_of_four(const Particle* in, float* out) {
  __shared__ Particle s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const Particle& p = s[threadIdx.x ^ 1];
  out[threadIdx.x] = p.x * p.y * p.z;
}
// Four rows a thread, no __restrict__: every load waits for the store before it.
extern "C" __global__ void copy_rows(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[(y + j) * width + x] = in[(y + j) * width + x];
}
extern "C" __global__ void copy_rows_rolled(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < width)
    for (int j = 0; j < 32; j += blockDim.y)
      if (y + j < height) out[(y + j) * width + x] = in[(y + j) * width + x];
}
extern "C" __global__ void copy_rows_restrict(const float* __restrict__ in, float* __restrict__ out, int width,
                                              int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[(y + j) * width + x] = in[(y + j) * width + x];
}
// The stores go to shared memory, so that the loads pass them.
extern "C" __global__ void transpose_rows(const float* in, float* out, int rows, int columns) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < columns && y + j < rows) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = t[threadIdx.x][threadIdx.y + j];
}
extern "C" __global__ void vecadd_chunk(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                        int n, int chunk) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = 0; i < chunk; ++i)
    if (first + i < n) c[first + i] = a[first + i] + b[first + i];
}
extern "C" __global__ void gather(const int* __restrict__ index, const float* __restrict__ in, float* out) {
  out[threadIdx.x] = in[index[index[threadIdx.x]]];
}
