constexpr int kBins = 256;

#define EACH_BIN(b) for (int b = threadIdx.x; b < kBins; b += blockDim.x)

__global__ void histogram(const unsigned char* data, int* counts, int n) {
  __shared__ int h[kBins];
  EACH_BIN(b) h[b] = 0;
  __syncthreads();

  const int threads = blockDim.x * gridDim.x;
  const int tid = threadIdx.x + blockDim.x * blockIdx.x;
  const uchar4* vec = reinterpret_cast<const uchar4*>(data);
  int groups = 0;
  if (((size_t)data & 3) == 0) groups = n >> 2;

  int g = tid;
  while (g < groups) {
    const uchar4 u = vec[g];
    atomicAdd(h + u.x, 1);
    atomicAdd(h + u.y, 1);
    atomicAdd(h + u.z, 1);
    atomicAdd(h + u.w, 1);
    g += threads;
  }
  int k = tid + groups * 4;
  while (k < n) {
    atomicAdd(h + data[k], 1);
    k += threads;
  }
  __syncthreads();
  EACH_BIN(b) atomicAdd(counts + b, h[b]);
}

__global__ void histogram_skewed(const unsigned char* data, int* counts, int n) {
  __shared__ int h[kBins];
  EACH_BIN(b) h[b] = 0;
  __syncthreads();

  int streak = 0;
  int last = 0;
  const int threads = blockDim.x * gridDim.x;
  int k = threadIdx.x + blockDim.x * blockIdx.x;
  while (k < n) {
    const int now = data[k];
    if (now == last) {
      streak++;
    } else {
      if (streak != 0) atomicAdd(h + last, streak);
      streak = 1;
      last = now;
    }
    k += threads;
  }
  if (streak != 0) atomicAdd(h + last, streak);
  __syncthreads();
  EACH_BIN(b) atomicAdd(counts + b, h[b]);
}
