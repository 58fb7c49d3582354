// lab: lab1
// change: return gridDim.x * blockDim.x;
// why: change_step_of_block
// Lab 1, vecadd
enum {
  kFloatSectors = 4,
  kDoubleSectors = 8,
};

// how far one thread jumps
__device__ int jump() {
  return blockDim.x;
}

template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int pos = blockIdx.x * blockDim.x + threadIdx.x;
  while (pos < n) {
    c[pos] = a[pos] + b[pos];
    pos += jump();
  }
}
