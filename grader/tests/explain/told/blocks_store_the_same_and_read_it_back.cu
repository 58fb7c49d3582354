// Each block has stored what it reads before it reads, so that it does not matter which block stores first.
// grid: 8
// block: 64
// arg: i32[64]:random
// arg: i32[64]:poison
// arg: i32[512]:poison
// finds: race warning
// cause: race.same_element
// evidence: race_repeated_work
// fix: race_fix_block_in_index
// never: RAW
// never: WAR
__global__ void k(const int* in, int* tmp, int* out) {
  tmp[threadIdx.x] = in[threadIdx.x] + 1;  // <--
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tmp[63 - threadIdx.x];
}
