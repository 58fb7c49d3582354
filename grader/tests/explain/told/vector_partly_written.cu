// Three of the four numbers of each vector are set.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[256]:poison
// finds: uninitialized
// cause: uninitialized.shared
// place: s[63]
// unwritten_from: 12
// never: 1035
__global__ void k(const float* in, float4* out) {
  __shared__ float4 s[64];
  const int t = threadIdx.x;
  s[t].x = in[t];
  s[t].y = 1;
  s[t].z = 2;
  __syncthreads();
  out[t] = s[63 - t];  // <--
}
