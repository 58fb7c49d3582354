// The offset stands on the wrong side.
// grid: 2
// block: 64
// arg: f32[107]:random
// arg: f32[100]:poison
// arg: i32:100
// arg: i32:7
// finds: out_of_bounds
// says: let the index of argument 2 be the thread's own number alone
// says: at this line it is 7 more, which is for argument 1
// never: changed places
// never: `<=`
__global__ void k(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + offset] = in[i];  // <--
}
