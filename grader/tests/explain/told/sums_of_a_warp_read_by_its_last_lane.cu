// Atomic operations of 32 lanes, and the lane that reads the sum had the last of them: the others may come later all the
// same.
// grid: 4
// block: 64
// arg: f32[256]:random
// arg: f32[8]:poison
// finds: race
// cause: race.plain_beside_atomic
// fix: race_fix_barrier_between
// with: barrier __syncwarp()
__global__ void k(const float* in, float* out) {
  __shared__ float sum[2];
  const int t = threadIdx.x, w = t / 32;
  if (t < 2) sum[t] = 0;
  __syncthreads();
  atomicAdd(&sum[w], in[blockIdx.x * 64 + t]);         // <--
  if (t % 32 == 31) out[blockIdx.x * 2 + w] = sum[w];  // <--
}
