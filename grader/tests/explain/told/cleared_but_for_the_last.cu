// What is never written goes into a condition and an atomic sum: one read, one matter.
// grid: 4
// block: 96
// arg: u8[1000]:random
// arg: i32[256]:zero
// finds: uninitialized
// cause: uninitialized.shared
// never: a line that is not known
__global__ void k(const unsigned char* in, int* out) {
  __shared__ int counts[256];
  for (int i = threadIdx.x; i < 255; i += 96) counts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 96 + threadIdx.x; i < 1000; i += 384)
    atomicAdd(&counts[in[i] % 255], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 96)
    if (counts[i] != 0) atomicAdd(&out[i], counts[i]);  // <--
}
