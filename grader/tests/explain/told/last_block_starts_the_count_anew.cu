// Who has counted all others needs no atomic store to set the count back: none of them comes again.
// grid: 20
// block: 64
// arg: f32[1280]:random
// arg: f32[4]:zero
// arg: i32[1]:zero
// arg: f32[1]:poison
// finds: nothing
__global__ void k(const float* in, float* sum, int* count, float* out) {
  __shared__ bool last;
  const int t = threadIdx.x;
  atomicAdd(&sum[blockIdx.x % 4], in[blockIdx.x * 64 + t]);
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || t != 0) return;
  __threadfence();
  out[0] = sum[0] + sum[1] + sum[2] + sum[3];
  for (int i = 0; i < 4; ++i) sum[i] = 0;
  *count = 0;
}
