// Style: someone from Fortran: 1-based numbers, capitals, a DO loop and a local array of sectors.
// Right: the 1 is taken off again at each access; the local array is written before it is read.
__global__ void copy(const float* in, float* out, int n, int offset, int stride) {
  int I = (blockIdx.x) * blockDim.x + threadIdx.x + 1;  // 1 .. N
  if (I >= 1 && I <= n) {
    int K = 1 + offset + (I - 1) * stride;
    out[I - 1] = in[K - 1];
  }
}

__global__ void predict(const int* offset, const int* stride, int* sectors, int cases) {
  int I = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (I > cases) return;
  int ISECT[33];
  ISECT[0] = -1;
  for (int J = 1; J <= 32; J = J + 1) ISECT[J] = (offset[I - 1] + (J - 1) * stride[I - 1]) / 8;
  int NSECT = 0;
  for (int J = 1; J <= 32; J = J + 1)
    if (ISECT[J] != ISECT[J - 1]) NSECT = NSECT + 1;
  sectors[I - 1] = NSECT;
}
