// The offset stands on the wrong side.
// grid: 2
// block: 64
// arg: f32[107]:random
// arg: f32[100]:poison
// arg: i32:100
// arg: i32:7
// finds: out_of_bounds
// cause: out_of_bounds.other_array
// evidence: index_plus
// fix: index_fix_own_number
// with: array out
__global__ void k(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + offset] = in[i];  // <--
}
