// The index is data: neither the arrays have changed places, nor is a thread without an element there.
// grid: 1
// block: 32
// arg: u8[256]:random
// arg: i32[16]:zero
// finds: out_of_bounds
// evidence: index_from_memory
// fix: index_fix_values_read
__global__ void k(unsigned char* in, int* h) {
  atomicAdd(&h[in[threadIdx.x] >> 3], 1);  // <--
}
