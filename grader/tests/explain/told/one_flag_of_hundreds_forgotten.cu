// The same, but one flag is not waited for.
// grid: 300
// block: 64
// arg: i32[300]:zero
// arg: f32[300]:poison
// arg: f32[1]:poison
// finds: race
// cause: race.between_blocks
// fix: race_fix_read_in_own_launch
// block: (298,0,0)
__global__ void k(int* flag, float* part, float* out) {
  const int last = gridDim.x - 1;
  if (blockIdx.x != last) {
    if (threadIdx.x != 0) return;
    part[blockIdx.x] = blockIdx.x * 0.5f;  // <--
    __threadfence();
    atomicExch(&flag[blockIdx.x], 1);
    return;
  }
  for (int i = threadIdx.x; i < last - 1; i += blockDim.x)
    while (atomicAdd(&flag[i], 0) == 0) {
    }
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < last; ++i) sum += part[i];  // <--
  *out = sum;
}
