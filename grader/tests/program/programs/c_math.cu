// The C library's mathematics by the name of its C header, on the host and in a kernel.
#include <math.h>
#include <stdio.h>

__global__ void classify(const float* x, int* kinds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) kinds[i] = isnan(x[i]) ? 2 : isinf(x[i]) ? 1 : isfinite(x[i]) ? 0 : 3;
}

static void CUDART_CB done(void* text) { printf("%s\n", (const char*)text); }

int main() {
  const int n = 4;
  float x[n] = {sqrtf(2.0f), INFINITY, -INFINITY, NAN}, *in;
  int kinds[n], *out;
  cudaMalloc(&in, sizeof x);
  cudaMalloc(&out, sizeof kinds);
  cudaMemcpy(in, x, sizeof x, cudaMemcpyHostToDevice);
  classify<<<1, 32>>>(in, out, n);
  cudaMemcpy(kinds, out, sizeof kinds, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    printf("%d %d\n", kinds[i], isnan(x[i]) ? 2 : isinf(x[i]) ? 1 : isfinite(x[i]) ? 0 : 3);
  char text[] = "all found";
  cudaLaunchHostFunc(0, done, text);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
// output:
// 0 0
// 1 1
// 1 1
// 2 2
// all found
