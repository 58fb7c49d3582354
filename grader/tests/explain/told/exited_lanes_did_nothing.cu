// Half of a warp leaves at once; the rest meets among itself, also twice over one element that several of it have read.
// grid: 2
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: nothing
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int lane = threadIdx.x % 32, i = threadIdx.x / 32 * 32 + lane;
  if (lane >= 16) return;
  s[i] = in[i];
  __syncwarp(0xffff);
  float sum = s[i ^ 1];
  if (lane < 4) sum += s[i + 4];
  __syncwarp(0xffff);
  s[i] = sum;
  __syncwarp(0xffff);
  out[blockIdx.x * 32 + threadIdx.x / 32 * 16 + lane] = s[i ^ 8];
}
