// printf in device code. One thread prints, so the order is certain.
#include <cstdio>
#include <cstdlib>

#define CU(call)                                                      \
  if (cudaError_t const error = call) {                               \
    fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(error)); \
    exit(1);                                                          \
  }

__device__ unsigned collatz_steps(unsigned n) {
  unsigned steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

__global__ void longest_chain(unsigned limit, unsigned long long* best) {
  unsigned const n = blockIdx.x * blockDim.x + threadIdx.x + 1;
  // More steps win; of equal ones, the smaller number.
  if (n <= limit) atomicMax(best, (unsigned long long)collatz_steps(n) << 32 | (0xffffffffu - n));
}

__global__ void report(unsigned long long const* best) {
  if (threadIdx.x != 0) return;
  printf("block of %d threads, '%c', %5.2f, %s\n", blockDim.x, 'A' + 2, 2.5, "text");
  printf("%08x %-6d| %+d %llu\n", 0xbeefu, 42, 7, 1ull << 40);
  printf("longest chain: %u\n", 0xffffffffu - unsigned(*best));
}

int main() {
  unsigned const limit = 2000;
  unsigned long long* d_best;
  CU(cudaMalloc(&d_best, sizeof *d_best));
  CU(cudaMemset(d_best, 0, sizeof *d_best));
  longest_chain<<<(limit + 63) / 64, 64>>>(limit, d_best);
  CU(cudaGetLastError());
  CU(cudaDeviceSynchronize());

  printf("before the kernel\n");
  fflush(stdout);
  report<<<1, 32>>>(d_best);
  CU(cudaGetLastError());
  CU(cudaDeviceSynchronize());  // device output appears here
  printf("after the kernel\n");

  unsigned long long best = 0;
  CU(cudaMemcpy(&best, d_best, sizeof best, cudaMemcpyDeviceToHost));
  CU(cudaFree(d_best));

  unsigned expected = 1, most = 0;
  for (unsigned n = 1; n <= limit; ++n) {
    unsigned steps = 0;
    for (unsigned m = n; m != 1; ++steps) m = m % 2 == 0 ? m / 2 : 3 * m + 1;
    if (steps > most) {
      most = steps;
      expected = n;
    }
  }
  bool const ok = 0xffffffffu - unsigned(best) == expected && best >> 32 == most;
  printf("steps: %u\n", unsigned(best >> 32));
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// before the kernel
// block of 32 threads, 'C',  2.50, text
// 0000beef 42    | +7 1099511627776
// longest chain: 1161
// after the kernel
// steps: 181
// PASS
