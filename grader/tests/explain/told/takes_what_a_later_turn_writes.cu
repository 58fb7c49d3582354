// What is read has to be written in a later turn of the loop: no barrier in this one mends that.
// grid: 1
// block: 32
// arg: f32[32]:random
// arg: f32[1024]:poison
// finds: uninitialized
// cause: uninitialized.shared
// fix: undefined_fix_shared
__global__ void k(const float* in, float* out) {
  __shared__ float s[32][33];
  const int lane = threadIdx.x;
  const float value = in[lane];
  float power = value;
  for (int i = 0; i < 32; ++i) {
    power *= value;
    s[lane][i] = power;
    __syncwarp();
    out[i * 32 + lane] = s[i][lane];  // <--
  }
}
