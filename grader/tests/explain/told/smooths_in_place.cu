// Each element becomes the mean of its neighbours where they lie: no launch of its own can do the reads.
// grid: 4
// block: 64
// arg: f32[256]:random
// finds: race
// cause: race.between_blocks
// fix: race_fix_write_elsewhere
__global__ void k(float* a) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i > 0 && i < 255) a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;  // <--
}
