// The same where the warp meets first, and where who reads has counted the others: it was the last.
// grid: 4
// block: 64
// arg: f32[256]:random
// arg: f32[8]:poison
// arg: f32[4]:poison
// finds: nothing
__global__ void k(const float* in, float* out, float* all) {
  __shared__ float sum[2], total;
  __shared__ int come;
  const int t = threadIdx.x, w = t / 32;
  if (t < 2) sum[t] = 0;
  if (t == 0) total = come = 0;
  __syncthreads();
  atomicAdd(&sum[w], in[blockIdx.x * 64 + t]);
  __syncwarp();
  if (t % 32 == 31) out[blockIdx.x * 2 + w] = sum[w];
  atomicAdd(&total, in[blockIdx.x * 64 + t]);
  __threadfence_block();
  if (atomicAdd(&come, 1) == 63) {
    __threadfence_block();
    all[blockIdx.x] = total;
    come = 0;
  }
}
