// Style: a __device__ helper for the index, lambdas for the address and the sector.
// Right: helper and lambdas are inlined and give the plain index; every access is behind the bound.
__device__ __forceinline__ int global_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int i = global_thread();
  auto element = [=](int k) { return offset + k * stride; };
  if (i < n) out[i] = in[element(i)];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int c = global_thread();
  if (!(c < cases)) return;
  const int o = offset[c];
  const int s = stride[c];
  auto sector = [o, s](int lane) { return (o + lane * s) / 8; };
  int n = 0;
  for (int lane = 0; lane < 32; ++lane) n += (lane == 0) || sector(lane) != sector(lane - 1);
  sectors[c] = n;
}
