// The reader's warp comes first when it is simulated; what the program wants is the write first, and the barrier after it.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: race
// says: thread (0,0,0) comes to line {2} before thread (32,0,0) has done line {1}, and reads what was there before
// says: put __syncthreads() between line {1} and line {2}
// never: meant for later
// never: WAR
__global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];                    // <--
  if (t < 32) out[t] = s[t + 32];  // <--
}
