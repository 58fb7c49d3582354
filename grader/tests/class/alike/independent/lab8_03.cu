constexpr int kMaxBlock = 1024;

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T box[kMaxBlock];
  int t = threadIdx.x;
  int threads = gridDim.x * blockDim.x;

  T v = 0;
  int i = blockIdx.x * blockDim.x + t;
  while (i < n) {
    v += x[i];
    i += threads;
  }
  box[t] = v;
  __syncthreads();

  int live = blockDim.x;
  while (live > 32) {
    int half = (live + 1) / 2;
    if (t + half < live) box[t] += box[t + half];
    __syncthreads();
    live = half;
  }

  if (t < 32) {
    v = 0;
    if (t < live) v = box[t];
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    if (t == 0) atomicAdd(total, v);
  }
}
