// The left neighbour of the first element of an array in shared memory, which begins where shared memory does.
// grid: 1
// block: 32
// arg: f32[32]:random
// arg: f32[32]:poison
// finds: out_of_bounds
// cause: out_of_bounds.negative_index
// evidence: bounds_before
// fix: bounds_fix_negative
// place: s[-1]
// never: __global__
__global__ void k(const float* in, float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t - 1];  // <--
}
