// Lab 8. I know the modulo version is not the best but I understand it.
constexpr int kMaxBlock = 1024;  // for the length of an array in shared memory

// Predict first: write a number in place of each 0. The report then says what was
// counted. It costs no points.
// In your kernel, with 4096 blocks of 256 threads and an element each:
enum {
  kAtomics = 4096,     // how many atomics on *total do all threads make?
  kWavefronts = 614400,  // how many wavefronts of shared memory do all blocks take?
};

template <typename T>
__global__ void sum(const T* x, T* total, int n) {
  __shared__ T sdata[kMaxBlock];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + tid;

  sdata[tid] = 0;
  while (i < n) {
    sdata[tid] += x[i];
    i += blockDim.x * gridDim.x;
  }
  __syncthreads();

  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0 && tid + s < blockDim.x) {
      sdata[tid] += sdata[tid + s];
    }
    __syncthreads();
  }

  if (tid == 0) atomicAdd(total, sdata[0]);
}
