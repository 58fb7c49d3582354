// One sum of all threads of a block: the threads have no element of their own in the output.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[2]:poison
// finds: race
// cause: race.lost_update
// evidence: race_update_lost
// fix: race_fix_atomic_or_own_variable
// with: function atomicAdd
// with: line {1}
__global__ void k(const float* in, float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  sum += in[blockIdx.x * 64 + threadIdx.x];  // <--
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
