// A comparison that lets one too many through.
// grid: 1
// block: 64
// arg: f32[50]:random
// arg: f32[50]:poison
// arg: i32:50
// finds: out_of_bounds
// cause: out_of_bounds.one_past
// fix: index_fix_one_sooner
// with: last 49
__global__ void k(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (i <= n) out[i] = in[i];  // <--
}
