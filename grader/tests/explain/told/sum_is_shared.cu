// A sum that is meant to be the thread's own stands in shared memory.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.lost_update
// evidence: race_update_lost
// fix: race_fix_own_variable
__global__ void k(const float* in, float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = 0; i < 32; ++i) sum += in[i] * in[threadIdx.x];  // <--
  __syncthreads();
  out[threadIdx.x] = sum;
}
