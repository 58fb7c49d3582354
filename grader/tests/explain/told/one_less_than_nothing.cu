// n is 0, and unsigned: n - 1 is the largest number that there is.
// grid: 1
// block: 64
// arg: f32[0]:random
// arg: f32[0]:poison
// arg: u32:0
// finds: out_of_bounds
// cause: out_of_bounds.tail
// evidence: index_no_elements
// fix: index_fix_no_elements
__global__ void k(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n - 1) out[i] = in[i];  // <--
}
