// A vector access at any element.
// grid: 1
// block: 32
// arg: f32[64]:random
// arg: f32[32]:poison
// finds: misaligned
// cause: misaligned
// fix: misaligned_fix
// says: byte 4 of in
__global__ void k(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + threadIdx.x);  // <--
  out[threadIdx.x] = v.x + v.w;
}
