// An index of -1 into an array of the thread's own.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:-1
// finds: out_of_bounds
// cause: out_of_bounds.negative_index
// evidence: bounds_before_memory
// fix: bounds_fix_negative
// never: __shared__
__global__ void k(const float* in, float* out, int which) {
  float own[16];
  const int t = threadIdx.x;
  for (int i = 0; i < 16; ++i) own[i] = in[(t + i) % 64];
  out[t] = own[t == 40 ? which : t % 16];  // <--
}
