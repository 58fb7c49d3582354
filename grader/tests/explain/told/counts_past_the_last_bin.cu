// The index is data: neither the arrays have changed places, nor is a thread without an element there.
// grid: 1
// block: 32
// arg: u8[256]:random
// arg: i32[16]:zero
// finds: out_of_bounds
// says: computed from what the kernel has read
// never: changed places
__global__ void k(unsigned char* in, int* h) {
  atomicAdd(&h[in[threadIdx.x] >> 3], 1);  // <--
}
