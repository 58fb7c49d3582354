// lab: lab0
// change: long long byte = 4LL * (offset[c] + lane * stride[c]);
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  // #pragma omp for schedule(static)
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  int num_threads = gridDim.x * blockDim.x;
  int share = (n + num_threads - 1) / num_threads;
  int lo = me * share;
  int hi = min(lo + share, n);
  for (int i = lo; i < hi; ++i) {
    out[i] = in[offset + i * stride];
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    long long previous = -1;
    int found = 0;
    for (int lane = 0; lane < 32; ++lane) {
      long long byte = 4LL * offset[c] + lane * stride[c];
      long long sector = byte / 32;
      if (sector > previous) {
        ++found;
        previous = sector;
      }
    }
    sectors[c] = found;
  }
}
