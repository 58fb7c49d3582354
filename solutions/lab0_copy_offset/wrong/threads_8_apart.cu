// verdict: gate load_sectors
// defect: gate.load_sectors
// Each block takes its 256 elements, but its threads are 8 apart: the next warp needs the same sectors again.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int place = blockDim.x % 32 == 0 ? threadIdx.x * 8 % blockDim.x + threadIdx.x * 8 / blockDim.x
                                   : threadIdx.x;
  int i = blockIdx.x * blockDim.x + place;
  if (i < n) {
    out[i] = in[offset + i * stride];  // <--
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cases) return;
  int first = offset[c] / 8, last = (offset[c] + 31 * stride[c]) / 8;
  sectors[c] = stride[c] <= 8 ? last - first + 1 : 32;
}
