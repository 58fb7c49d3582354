// Every thread stores its value to one place.
// grid: 2
// block: 64
// arg: f32[128]:random
// arg: f32[1]:poison
// finds: race
// cause: race.same_element
// evidence: race_same_place_for_all
// fix: race_fix_one_thread_or_own_element
__global__ void k(const float* in, float* out) {
  out[0] = in[blockIdx.x * 64 + threadIdx.x];  // <--
}
