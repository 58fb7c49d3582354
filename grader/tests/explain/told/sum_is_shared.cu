// A sum that is meant to be the thread's own stands in shared memory.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// says: Fix: give each thread a variable of its own (without __shared__)
// says: use atomicAdd in place of line {1}
__global__ void k(const float* in, float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = 0; i < 32; ++i) sum += in[i] * in[threadIdx.x];  // <--
  __syncthreads();
  out[threadIdx.x] = sum;
}
