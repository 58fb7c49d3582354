// What one block reads is written by another, seven blocks away: it is written, and nothing orders the two.
// grid: 1000
// block: 64
// arg: f32[64000]:poison
// arg: f32[64000]:poison
// finds: race
// cause: race.between_blocks
// fix: race_fix_read_in_own_launch
// never: was never written
__global__ void k(float* part, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[i] = 2.0f * i;  // <--
  const int other = (i + 7 * blockDim.x) % (gridDim.x * blockDim.x);
  out[i] = part[other] + 1.0f;  // <--
}
