// Sums of neighbours between two buffers in global memory, a barrier a turn.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: nothing
__global__ void k(float* a, float* b) {
  const int t = threadIdx.x;
  for (int step = 1; step < 64; step *= 2) {
    b[t] = t >= step ? a[t] + a[t - step] : a[t];
    __syncthreads();
    float* const last = a;
    a = b;
    b = last;
  }
}
