// lab: lab1
// change: tid += gridDim.x * blockDim.x;
// why: change_step_of_block
template <typename T>
__global__ void vecadd(const T* a, const T* b, T* c, int n) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  while (tid < n) {
    c[tid] = a[tid] + b[tid];
    tid += blockDim.x;
  }
}
