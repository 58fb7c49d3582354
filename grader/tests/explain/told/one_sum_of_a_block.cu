// One sum of all threads of a block: the threads have no element of their own in the output.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[2]:poison
// finds: race
// says: Fix: use atomicAdd in place of line {1}
// never: belongs to the element that the thread stores
__global__ void k(const float* in, float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  sum += in[blockIdx.x * 64 + threadIdx.x];  // <--
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
