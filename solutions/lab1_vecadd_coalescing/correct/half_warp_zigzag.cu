// Style: odd rounds go through the grid's elements in reversed order (a snake), for no reason.
// Right: in each round every element of the round has one thread, and lanes are neighbours.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round * threads < n; ++round) {
    const int i = round * threads + (round % 2 ? threads - 1 - me : me);
    if (i < n) c[i] = a[i] + b[i];
  }
}
