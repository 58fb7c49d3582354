// The mask names those that have left, who count as arrived.
// grid: 1
// block: 32
// arg: f32[32]:poison
// finds: nothing
__global__ void k(float* out) {
  __shared__ float s[32];
  const int lane = threadIdx.x;
  if (lane >= 16) {
    s[lane] = lane;
    return;
  }
  __syncwarp();
  out[lane] = s[lane + 16];
}
