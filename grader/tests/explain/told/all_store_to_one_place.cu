// Every thread stores its value to one place.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[1]:poison
// finds: race
// says: let one of them store there
// never: atomic
__global__ void k(const float* in, float* out) {
  out[0] = in[blockIdx.x * 64 + threadIdx.x];  // <--
}
