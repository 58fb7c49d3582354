// Who has no element leaves, and has filled nothing that the others read.
// grid: 2
// block: 64
// arg: f32[100]:random
// arg: f32[100]:poison
// arg: i32:100
// finds: uninitialized
// cause: uninitialized.shared
// fix: undefined_fix_early_exit
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i >= n) return;
  s[t] = in[i];
  __syncthreads();
  out[i] = s[63 - t];  // <--
}
