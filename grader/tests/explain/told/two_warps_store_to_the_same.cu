// Two warps of a block store to one row of a shared array.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.same_element
// evidence: race_same_index
// fix: race_fix_own_index
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  s[threadIdx.x % 32] = in[threadIdx.x];  // <--
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 32];
}
