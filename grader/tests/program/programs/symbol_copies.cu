// Copies to and from device symbols, whole and with offsets, and by address.
#include <stdio.h>
#include <stdlib.h>

#define TEST(cond)                                              \
  do {                                                          \
    if (!(cond)) {                                              \
      printf("line %d: not true: %s\nFAIL\n", __LINE__, #cond); \
      exit(1);                                                  \
    }                                                           \
  } while (0)
#define RUN(call) TEST((call) == cudaSuccess)

struct Limits {
  int low;
  int high;
  double scale;
};

__constant__ struct Limits limits;
__device__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ unsigned clamped_count;

__global__ void clamp_table(void) {
  int i = threadIdx.x;
  int v = (int)(table[i] * limits.scale);
  if (v < limits.low || v > limits.high) atomicAdd(&clamped_count, 1u);
  table[i] = min(max(v, limits.low), limits.high);
}

static void print_table(const char* title, const int* t) {
  printf("%s:", title);
  for (int i = 0; i < 8; i++) printf(" %d", t[i]);
  printf("\n");
}

int main(void) {
  int host[8];
  size_t size = 0;
  void* address = NULL;

  RUN(cudaMemcpyFromSymbol(host, table, sizeof host));
  print_table("initial", host);
  for (int i = 0; i < 8; i++) TEST(host[i] == i + 1);

  struct Limits l = {4, 20, 2.5};
  unsigned zero = 0, count = 0;
  RUN(cudaMemcpyToSymbol(limits, &l, sizeof l));
  RUN(cudaMemcpyToSymbol(clamped_count, &zero, sizeof zero));

  int patch[2] = {100, -100};
  RUN(cudaMemcpyToSymbol(table, patch, sizeof patch, 3 * sizeof(int), cudaMemcpyHostToDevice));

  clamp_table<<<1, 8>>>();
  RUN(cudaGetLastError());

  RUN(cudaMemcpyFromSymbol(&count, clamped_count, sizeof count));
  RUN(cudaGetSymbolSize(&size, table));
  RUN(cudaGetSymbolAddress(&address, table));
  TEST(size == sizeof host);
  RUN(cudaMemcpy(host, address, size, cudaMemcpyDeviceToHost));
  print_table("clamped", host);
  printf("%u values were out of range\n", count);

  const int before[8] = {1, 2, 3, 100, -100, 6, 7, 8};
  unsigned expected_count = 0;
  for (int i = 0; i < 8; i++) {
    int v = (int)(before[i] * l.scale);
    int c = v < l.low ? l.low : v > l.high ? l.high : v;
    expected_count += c != v;
    TEST(host[i] == c);
  }
  TEST(count == expected_count);

  int last = 0;
  RUN(cudaMemcpyFromSymbol(&last, table, sizeof last, 7 * sizeof(int), cudaMemcpyDeviceToHost));
  TEST(last == host[7]);
  printf("PASS\n");
  return 0;
}

// output:
// initial: 1 2 3 4 5 6 7 8
// clamped: 4 5 7 20 4 15 17 20
// 3 values were out of range
// PASS
