// One barrier a turn: who is ahead reads, in the next turn, before the other has stored in this one.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:3
// finds: race
// says: the next turn of the loop
// says: reads what was there before
// says: put __syncthreads() after line {2}, before the loop comes to line {1} again
// never: condition
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    const float v = s[63 - t];  // <--
    __syncthreads();
    s[t] = v + 1;  // <--
  }
  out[t] = s[t];
}
