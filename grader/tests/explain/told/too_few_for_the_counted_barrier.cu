// A barrier that counts 64 threads, and 96 come: the last warp waits for one that never comes.
// grid: 1
// block: 96
// arg: f32[96]:poison
// finds: barrier
// cause: barrier.arguments
// evidence: barrier_waits_for
// fix: barrier_fix_as_many
__global__ void k(float* out) {
  __shared__ float s[96];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 1, 64;" ::: "memory");  // <--
  out[threadIdx.x] = s[95 - threadIdx.x];
}
