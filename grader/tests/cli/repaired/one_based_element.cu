// lab: lab0
// change: out[ielem - 1] = in[offset + (ielem - 1) * stride];
// element numbers run from 1 to n here
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  const int ielem = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (ielem > n) return;
  out[ielem - 1] = in[offset + ielem * stride];
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  const int icase = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (icase > cases) return;
  const int ioff = offset[icase - 1];
  const int istr = stride[icase - 1];
  int icount = 0;
  int ilast = -1;
  for (int j = 1; j <= 32; j++) {
    const int isec = (ioff + (j - 1) * istr) / 8;
    if (isec != ilast) icount++;
    ilast = isec;
  }
  sectors[icase - 1] = icount;
}
