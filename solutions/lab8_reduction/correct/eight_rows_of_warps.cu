// Three quarters of the threads hand their sums over at once: the first warp adds what stands below each of its lanes.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T rows[32][32];
  const int lane = threadIdx.x % 32, row = threadIdx.x / 32;
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  rows[row][lane] = mine;
  __syncthreads();
  if (row > 0) return;
  for (int r = 1; r < blockDim.x / 32; ++r) mine += rows[r][lane];
  for (int k = 1; k < 32; k *= 2) mine += __shfl_down_sync(0xffffffff, mine, k);
  if (lane == 0) atomicAdd(total, mine);
}
