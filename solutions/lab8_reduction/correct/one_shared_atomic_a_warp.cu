// Shuffles within the warp, then one atomic on shared memory for each warp, and one on global memory for the block.
template <class Number>
__global__ void sum(const Number* x, Number* total, int n) {
  __shared__ Number block_total;
  if (threadIdx.x == 0) block_total = 0;
  __syncthreads();

  Number my_sum = 0;
  for (int index = blockDim.x * blockIdx.x + threadIdx.x; index < n;
       index += blockDim.x * gridDim.x)
    my_sum += x[index];

  for (int width = 32; width > 1; width /= 2)
    my_sum += __shfl_down_sync(0xffffffff, my_sum, width / 2);

  if ((threadIdx.x & 31) == 0) atomicAdd(&block_total, my_sum);
  __syncthreads();

  if (threadIdx.x == 0) atomicAdd(total, block_total);
}
