// A part of x for each block, which its threads walk through side by side.
template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  long long per_block = ((long long)n + gridDim.x - 1) / gridDim.x;
  long long begin = per_block * blockIdx.x;
  long long end = begin + per_block < n ? begin + per_block : n;
  T acc{};
  for (long long at = begin + threadIdx.x; at < end; at += blockDim.x) acc += x[at];

  for (unsigned offset = warpSize / 2; offset != 0; offset >>= 1)
    acc += __shfl_down_sync(~0u, acc, offset);

  __shared__ T partial[1024 / 32];
  const unsigned lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0) partial[warp] = acc;
  __syncthreads();
  if (warp != 0) return;
  acc = (lane < blockDim.x / warpSize) ? partial[lane] : T{};
  for (unsigned offset = warpSize / 2; offset != 0; offset >>= 1)
    acc += __shfl_down_sync(~0u, acc, offset);
  if (lane == 0 && acc != T{}) atomicAdd(total, acc);
}
