// Adds up the 64 elements of a block: the threads whose number is even, then a multiple of 4, ...
__global__ void tree(const int* in, int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = in[64 * blockIdx.x + t];
  __syncthreads();
  for (int s = 1; s < 64; s *= 2) {
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
