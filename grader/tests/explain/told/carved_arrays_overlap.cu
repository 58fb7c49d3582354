// Two arrays are carved out of the dynamic one, the second inside the first.
// grid: 1
// block: 64
// dynamic_shared: 512
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// says: begin behind the end of the first
// says: bytes 0 to 255
// says: begins at byte 128
// never: put __syncthreads()
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
