// Style: Duff's device over the elements of a thread.
// Right: `count` is the number of this thread's elements; the step is the grid, coalesced at each case.
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  const int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int count = (n - i + step - 1) / step;
  int rounds = (count + 3) / 4;
  switch (count % 4) {
    case 0:
      do {
        c[i] = a[i] + b[i];
        i += step;
        case 3:
          c[i] = a[i] + b[i];
          i += step;
        case 2:
          c[i] = a[i] + b[i];
          i += step;
        case 1:
          c[i] = a[i] + b[i];
          i += step;
      } while (--rounds > 0);
  }
}
