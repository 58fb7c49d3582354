// Half a warp meets, then one of them tells the other warp what all of that half did.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: nothing
__global__ void k(const float* in, float* out) {
  __shared__ float s[16];
  __shared__ int flag;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t < 16) {
    s[t] = in[blockIdx.x * 64 + t];
    __syncwarp(0xffffu);
    if (t == 0) {
      __threadfence_block();
      atomicExch(&flag, 1);
    }
  } else if (t >= 32 && t < 48) {
    while (atomicAdd(&flag, 0) == 0) {
    }
    __threadfence_block();
    out[blockIdx.x * 16 + t - 32] = s[t - 32];
  }
}
