// One block reverses tiles of 64 elements, one after another. The second barrier is missing.
__global__ void reverse(const float* in, float* out, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  for (int first = 0; first < n; first += 64) {
    tile[t] = in[first + t];
    __syncthreads();
    out[first + t] = tile[63 - t];
  }
}
