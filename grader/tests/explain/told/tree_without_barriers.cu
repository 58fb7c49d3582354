// A tree of sums without a barrier in its loop: the wait belongs where a turn ends.
// grid: 1
// block: 128
// arg: f32[128]:random
// arg: f32[1]:poison
// finds: race
// says: where a turn of the loop ends: after line {1}, before the loop comes to it again, where every thread of the block comes by
// says: reads what was there before
// never: between
// never: apart
__global__ void k(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int o = 64; o; o >>= 1) {
    if (t < o) s[t] += s[t + o];  // <--
  }
  if (t == 0) *out = s[0];
}
