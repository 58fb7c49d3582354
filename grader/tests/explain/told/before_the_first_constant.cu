// An index of constant memory that begins below 0.
// grid: 1
// block: 32
// arg: f32[64]:random
// arg: f32[64]:poison
// finds: out_of_bounds
// cause: out_of_bounds.negative_index
// fix: bounds_fix_negative
// place: weights[-2]
__constant__ float weights[5] = {1, 2, 3, 2, 1};
__global__ void k(const float* in, float* out) {
  const int t = threadIdx.x;
  float a = 0;
  for (int j = -2; j <= 2; j++) a += weights[j] * in[t + j + 2];  // <--
  out[t] = a;
}
