// The old value of an exchange, which nobody wrote, is stored elsewhere.
// grid: 1
// block: 64
// arg: f32[64]:poison
// arg: f32[64]:zero
// finds: uninitialized
__global__ void k(float* a, float* c) {
  c[threadIdx.x] = atomicExch(a + threadIdx.x, 1.0f);  // <--
}
