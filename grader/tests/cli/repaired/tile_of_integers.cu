// lab: lab4
// change: __shared__ float buf[N][N + PAD];
#define N 32
#define PAD 1
typedef unsigned int uint;

struct Pos { int x, y; };
__device__ inline Pos here(uint bx, uint by) {
  Pos p;
  p.x = bx * blockDim.x + threadIdx.x;
  p.y = by * blockDim.y + threadIdx.y;
  return p;
}

__global__ void transpose_static(const float* in, float* out, int rows, int cols) {
  __shared__ int buf[N][N + PAD];
  Pos p = here(blockIdx.x, blockIdx.y);
  if (p.x < cols && p.y < rows) buf[threadIdx.y][threadIdx.x] = in[p.y * cols + p.x];
  __syncthreads();
  Pos q = here(blockIdx.y, blockIdx.x);
  if (q.x < rows && q.y < cols) out[q.y * rows + q.x] = buf[threadIdx.x][threadIdx.y];
}

__global__ void transpose_dynamic(const float* in, float* out, int rows, int cols) {
  extern __shared__ float buf[];
  const int w = blockDim.x + PAD;
  Pos p = here(blockIdx.x, blockIdx.y);
  if (p.x < cols && p.y < rows) buf[threadIdx.y * w + threadIdx.x] = in[p.y * cols + p.x];
  __syncthreads();
  Pos q = here(blockIdx.y, blockIdx.x);
  if (q.x < rows && q.y < cols) out[q.y * rows + q.x] = buf[threadIdx.x * w + threadIdx.y];
}
