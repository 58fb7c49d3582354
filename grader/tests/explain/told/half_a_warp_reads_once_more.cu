// All lanes read, half of them meet, read again and meet again; the other half may still be at its first read.
// grid: 2
// block: 32
// arg: f32[2]:random
// arg: f32[64]:poison
// finds: race
// cause: race.missing_syncwarp
// fix: race_fix_one_syncwarp
// thread: (16,0,0)
__global__ void k(const float* in, float* out) {
  __shared__ float s;
  const int t = threadIdx.x;
  if (t == 0) s = in[blockIdx.x];
  __syncwarp();
  float x = s;  // <--
  if (t < 16) {
    __syncwarp(0xffffu);
    x += s * 2;
    __syncwarp(0xffffu);
    if (t == 0) s = 3;  // <--
  }
  __syncwarp();
  out[blockIdx.x * 32 + t] = x + s;
}
