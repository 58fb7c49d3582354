// Every thread does the whole array, and adds to what nobody has set: an atomic function would add to that as well.
// grid: 2
// block: 64
// arg: f32[64]:random
// arg: f32[64]:poison
// arg: i32:64
// finds: uninitialized
// cause: uninitialized.output
// fix: undefined_fix_output
// never: atomicAdd
__global__ void k(const float* a, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] += a[i];  // <--
}
