// Style: a hash-set mind: each case marks its sectors in a shared bitmap with atomicOr; warpSize by name.
// Right: a thread has its own words, written before and read after; atomics are needless, not wrong.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const uint3 t = threadIdx;
  const dim3 size = blockDim;
  const int warp = t.x / warpSize, lane = t.x % warpSize;
  const int i = blockIdx.x * size.x + warp * warpSize + lane;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  __shared__ unsigned bits[1024];
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  bits[threadIdx.x] = 0;
  __syncthreads();
  if (c < cases && stride[c] < 8)
    for (int lane = 0; lane < warpSize; ++lane)
      atomicOr(&bits[threadIdx.x], 1u << (offset[c] % 8 + lane * stride[c]) / 8);
  __syncthreads();
  if (c < cases) sectors[c] = stride[c] < 8 ? __popc(bits[threadIdx.x]) : warpSize;
}
