// Each thread fills an array of its own, with a step that leaves out every second element.
// grid: 1
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:2
// finds: uninitialized
// cause: uninitialized.variable
// evidence: undefined_own_array
// fix: undefined_fix_own_array_in_part
__global__ void k(const float* in, float* out, int m) {
  float l[16];
  const int t = threadIdx.x;
  for (int i = 0; i < 16; i++) l[(i * m) & 15] = in[(t + i) & 63];
  float a = 0;
  for (int i = 0; i < 16; i++) a += l[(i + t) & 15];  // <--
  out[t] = a;                                         // <--
}
