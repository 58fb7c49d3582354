// lab: lab8
// change: if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
// why: change_sum_of_each_warp
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  T mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += x[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    mine += __shfl_down_sync(0xffffffff, mine, distance);
  }
  if (threadIdx.x == 0) atomicAdd(total, mine);
}
