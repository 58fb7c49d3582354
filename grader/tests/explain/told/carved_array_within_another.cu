// Of two arrays carved out of one the second begins, and ends, within the first.
// grid: 2
// block: 64
// dynamic_shared: 896
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: race
// cause: race.same_element
// evidence: race_arrays_overlap
// fix: race_fix_own_parts
extern __shared__ __align__(16) unsigned char raw[];
__global__ void k(const float* in, float* out) {
  double* d = (double*)raw;
  float* f = (float*)(raw + 64 * 4);
  const int t = threadIdx.x;
  d[t] = in[blockIdx.x * 64 + t];       // <--
  f[t] = in[blockIdx.x * 64 + 63 - t];  // <--
  __syncthreads();
  out[blockIdx.x * 64 + t] = d[63 - t] + f[63 - t];
}
