// Behind the barrier each thread reads its own element and another's.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// arg: f32[128]:poison
// finds: nothing
__global__ void k(const float* in, float* between, float* out) {
  const int t = threadIdx.x, first = blockIdx.x * 64;
  between[first + t] = in[first + t];
  __syncthreads();
  out[first + t] = between[first + t] + between[first + 63 - t];
}
