// The kernel only calls a function: the line in it is told, too.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[60]:poison
// finds: out_of_bounds
// inside: 12
__device__ void body(const float* in, float* out) {
  const int t = threadIdx.x;
  const float v = in[t];
  // one element for each thread
  out[t] = v;
}
__global__ void k(const float* in, float* out) {
  body(in, out);  // <--
}
