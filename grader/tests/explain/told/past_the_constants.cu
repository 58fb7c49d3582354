// Constant memory has an end, too, in both builds the same.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[128]:poison
// finds: out_of_bounds
// evidence: bounds_after
// place: weights[3]
// never: __global__
__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};
__global__ void k(const float* in, float* out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  float sum = 0;
  for (int j = 1; j <= 3; ++j) sum += weights[j] * in[(i + j) % 128];  // <--
  out[i] = sum;
}
