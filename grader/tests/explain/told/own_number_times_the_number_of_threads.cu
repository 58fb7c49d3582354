// z has 8 parts of n elements: k * n + i is meant.
// grid: 2
// block: 64
// arg: f64[800]:random
// arg: f64[800]:poison
// arg: i32:100
// finds: out_of_bounds
// cause: out_of_bounds.wrong_index
// evidence: index_own_times
// fix: index_fix_other_factor
// never: outside do nothing
__global__ void k(const double* z, double* w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int part = 0; part < 8; ++part) w[part * n + i] = z[i * n + part];  // <--
}
