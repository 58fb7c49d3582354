// The second array begins as many bytes after the first as that one has elements.
// grid: 1
// block: 64
// dynamic_shared: 768
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// cause: race.same_element
// evidence: race_arrays_overlap
// fix: race_fix_own_parts
__global__ void k(const float* in, float* out) {
  extern __shared__ char mem[];
  float* a = reinterpret_cast<float*>(mem);
  double* b = reinterpret_cast<double*>(mem + 64);
  const int t = threadIdx.x;
  a[t] = in[t];      // <--
  b[t] = 2 * in[t];  // <--
  __syncthreads();
  out[t] = a[t] + static_cast<float>(b[63 - t]);
}
