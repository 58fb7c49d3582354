// lab: lab1
// change: int step = gridDim.x * blockDim.x;
// why: change_step_of_grid
// Lab 1: vecadd, pointers that walk
enum {
  kFloatSectors = 4,   // if T is float
  kDoubleSectors = 8,  // if T is double
};

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int step = gridDim.x;
  const T* end = a + n;
  a += tid;
  b += tid;
  c += tid;
  while (a < end) {
    *c = *a + *b;
    a += step;
    b += step;
    c += step;
  }
}
