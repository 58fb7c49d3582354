// The block that comes last adds up what all have written, and none of them has fenced that off before it counted.
// grid: 4
// block: 64
// arg: f32[4]:random
// arg: f32[1]:poison
// arg: f32[4]:poison
// arg: i32[1]:zero
// finds: race
// cause: race.missing_fence
// evidence: race_count_without_fence
// fix: race_fix_fence_before_count
__global__ void k(const float* in, float* out, float* part, int* count) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];  // <--
    is_last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += part[i];  // <--
    out[0] = sum;
  }
}
