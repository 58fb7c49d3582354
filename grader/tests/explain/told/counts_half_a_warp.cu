// Threads come to a counted barrier by whole warps.
// grid: 1
// block: 64
// arg: f32[64]:poison
// finds: barrier
// cause: barrier.arguments
// evidence: barrier_no_whole_warps
// fix: barrier_fix_multiple
__global__ void k(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 1, 48;" ::: "memory");  // <--
  out[threadIdx.x] = s[63 - threadIdx.x];
}
