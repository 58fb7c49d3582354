constexpr int kMaxBlock = 1024;

template <typename T>
__device__ T reduceLanes(T v) {
  for (int d = 16; d >= 1; d >>= 1) {
    const T other = __shfl_down_sync(0xffffffff, v, d);
    v = v + other;
  }
  return v;
}

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T partial[kMaxBlock >> 5];
  const int tid = threadIdx.x;
  const int stride = blockDim.x * gridDim.x;
  const int laneId = tid & 31;
  const int warpId = tid >> 5;
  const int warpCount = blockDim.x >> 5;

  int pos = tid + blockDim.x * blockIdx.x;
  T local = 0;
  while (pos < n) {
    local = local + x[pos];
    pos = pos + stride;
  }

  local = reduceLanes(local);
  if (laneId == 0) partial[warpId] = local;
  __syncthreads();

  if (warpId > 0) return;
  T value = T(0);
  if (laneId < warpCount) value = partial[laneId];
  value = reduceLanes(value);
  if (laneId == 0) atomicAdd(total, value);
}
