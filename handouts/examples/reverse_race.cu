// Each block reverses its 64 elements through shared memory. Something is missing.
__global__ void reverse(const float* in, float* out) {
  __shared__ float kept[64];
  const int first = blockIdx.x * 64;
  kept[threadIdx.x] = in[first + threadIdx.x];
  out[first + threadIdx.x] = kept[63 - threadIdx.x];
}
