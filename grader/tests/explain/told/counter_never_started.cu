// Nobody sets the counter of the block.
// grid: 1
// block: 96
// arg: i32[1]:poison
// finds: uninitialized
// cause: uninitialized.shared
// never: atomicAdd in place
__global__ void k(int* out) {
  __shared__ int n;
  n += 1;  // <--
  __syncthreads();
  if (threadIdx.x == 0) *out = n;  // <--
}
