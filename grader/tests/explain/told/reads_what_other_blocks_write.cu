// Blocks read what others write, and a count that is beside the point is no hand-over.
// grid: 4
// block: 64
// arg: f32[4]:random
// arg: f32[4]:poison
// arg: i32[1]:zero
// finds: race
// cause: race.between_blocks
// fix: race_fix_read_in_own_launch
__global__ void k(const float* in, float* out, int* count) {
  if (threadIdx.x != 0) return;
  out[blockIdx.x] = in[blockIdx.x];  // <--
  atomicAdd(count, 1);
  out[blockIdx.x] += out[(blockIdx.x + 1) % gridDim.x];  // <--
}
