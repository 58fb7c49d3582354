// Two arrays are carved out of the dynamic one, the second inside the first.
// grid: 1
// block: 64
// dynamic_shared: 512
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.same_element
// evidence: race_arrays_overlap
// fix: race_fix_own_parts
// with: line {1}
// with: first 0
// with: last 255
// with: other_line {2}
// with: begin 128
__global__ void k(const float* in, float* out) {
  extern __shared__ float mem[];
  float* a = mem;
  float* b = mem + 32;
  const int t = threadIdx.x;
  a[t] = in[t];      // <--
  b[t] = 2 * in[t];  // <--
  __syncthreads();
  out[t] = a[t] + b[63 - t];
}
