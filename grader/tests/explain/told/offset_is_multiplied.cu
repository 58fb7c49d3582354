// The offset is added before the multiplication, and so multiplied as well.
// grid: 2
// block: 64
// arg: f32[206]:random
// arg: f32[100]:poison
// arg: i32:100
// arg: i32:7
// arg: i32:2
// finds: out_of_bounds
// cause: out_of_bounds.wrong_index
// evidence: index_sum_times
// fix: index_fix_multiply_first
// never: outside do nothing
__global__ void k(const float* in, float* out, int n, int offset, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(offset + i) * stride];  // <--
}
