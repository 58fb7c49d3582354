// Of solutions/lab1_vecadd_coalescing/correct/warp_chunk.cu
template <class Number>
__global__ void vecadd(const Number* a, const Number* b, Number* c, int n) {
  const int tid = threadIdx.x;
  const int group = tid / 32;
  const int position = tid % 32;
  const int groups = (31 + blockDim.x) / 32;
  const int total = groups * gridDim.x;
  const int active = min((int)blockDim.x - group * 32, 32);
  const int SIZE = 256;
  int part = group + groups * blockIdx.x;
  while (n > (long long)SIZE * part) {
    const int from = SIZE * part;
    const int to = n > from + SIZE ? from + SIZE : n;
    int j = position + from;
    while (to > j) {
      c[j] = b[j] + a[j];
      j = j + active;
    }
    part = part + total;
  }
}
