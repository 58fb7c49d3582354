// An exercise: the host's side of a CUDA program. The kernel is right; write what calls it.
// Run it with: ./kit run --check handouts/examples/host_side.cu
#include <cstdio>
#include <vector>

__global__ void square(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 1000;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i);

  // TODO: allocate an input and an output array on the device. Check what cudaMalloc() returns.
  // TODO: copy `in` to the device.
  // TODO: launch `square` with blocks of 128 threads, enough of them for n = 1000.
  // TODO: check that the launch was accepted.
  // TODO: copy the result to `out`, and free the arrays.

  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += out[i] != in[i] * in[i];
  std::printf(wrong == 0 ? "All 1000 squares are right.\n" : "%d squares are wrong.\n", wrong);
  return wrong != 0;
}
