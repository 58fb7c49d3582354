// lab: lab0
// change: int sec = (o + t * s) / 8;
// why: change_parts_divided
enum { kLoadSectors = 5, kStoreSectors = 4 };

__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[offset + i * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < cases) {
    int o = offset[c], s = stride[c];
    int cnt = 0, last = -1;
    for (int t = 0; t < 32; t++) {
      int sec = o / 8 + t * s / 8;
      if (sec > last) cnt++;
      last = sec;
    }
    sectors[c] = cnt;
  }
}
