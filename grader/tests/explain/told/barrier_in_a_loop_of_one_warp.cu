// Only the first warp comes to the barrier in the loop; the others wait at the next one meanwhile, and all are a barrier apart
// from then on.
// grid: 1
// block: 64
// arg: i32[32]:random
// arg: i32[64]:poison
// arg: i32:32
// finds: barrier
// cause: barrier.not_on_every_path
// fix: barrier_fix_one
__global__ void k(const int* in, int* out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&s[in[i] & 63], 1);
    __syncthreads();  // <--
  }
  __syncthreads();  // <--
  out[threadIdx.x] = s[threadIdx.x];
}
