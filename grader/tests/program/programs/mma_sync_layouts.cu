// One warp multiplies small matrices of integers with mma.sync, and fills the registers itself: f16, s8, tf32 and f64.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                         \
  do {                                                                      \
    cudaError_t rc = (call);                                                \
    if (rc != cudaSuccess) {                                                \
      printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(rc)); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

// Elements of A (m x k) and B (k x n), small enough for every type.
__host__ __device__ int element_a(int row, int k) { return (3 * row + 5 * k) % 11 - 5; }
__host__ __device__ int element_b(int k, int column) { return (7 * k + 2 * column) % 9 - 4; }

// The bits of a small integer as f16, and as f32 (of which tf32 is the upper part).
__device__ uint32_t half_bits(int value) {
  if (value == 0) return 0;
  int size = value < 0 ? -value : value, exponent = 31 - __clz(size);
  return (value < 0 ? 0x8000u : 0) | (exponent + 15) << 10 | ((size << (10 - exponent)) & 0x3ff);
}
__device__ uint32_t two_halves(int low, int high) { return half_bits(low) | half_bits(high) << 16; }
__device__ uint32_t four_bytes(int a, int b, int c, int d) {
  return (a & 255) | (b & 255) << 8 | (c & 255) << 16 | uint32_t(d & 255) << 24;
}

__global__ void f16_16x8x16(float* d) {
  int group = threadIdx.x / 4, at = threadIdx.x % 4 * 2;
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; ++i) {
    int row = group + i % 2 * 8, k = at + i / 2 * 8;
    a[i] = two_halves(element_a(row, k), element_a(row, k + 1));
  }
  for (int i = 0; i < 2; ++i) {
    int k = at + i * 8;
    b[i] = two_halves(element_b(k, group), element_b(k + 1, group));
  }
  float c[4] = {1, 1, 1, 1};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) d[(group + i / 2 * 8) * 8 + at + i % 2] = c[i];
}

__global__ void s8_16x8x32(int* d) {
  int group = threadIdx.x / 4, at = threadIdx.x % 4;
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; ++i) {
    int row = group + i % 2 * 8, k = at * 4 + i / 2 * 16;
    a[i] = four_bytes(element_a(row, k), element_a(row, k + 1), element_a(row, k + 2),
                      element_a(row, k + 3));
  }
  for (int i = 0; i < 2; ++i) {
    int k = at * 4 + i * 16;
    b[i] = four_bytes(element_b(k, group), element_b(k + 1, group), element_b(k + 2, group),
                      element_b(k + 3, group));
  }
  int c[4] = {1, 1, 1, 1};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) d[(group + i / 2 * 8) * 8 + at * 2 + i % 2] = c[i];
}

__global__ void tf32_16x8x8(float* d) {
  int group = threadIdx.x / 4, at = threadIdx.x % 4;
  uint32_t a[4], b[2];
  for (int i = 0; i < 4; ++i)
    a[i] = __float_as_uint(float(element_a(group + i % 2 * 8, at + i / 2 * 4)));
  for (int i = 0; i < 2; ++i)
    b[i] = __float_as_uint(float(element_b(at + i * 4, group))) |
           0x1234;  // tf32 ignores the lower 13 bits
  float c[4] = {1, 1, 1, 1};
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i) d[(group + i / 2 * 8) * 8 + at * 2 + i % 2] = c[i];
}

__global__ void f64_8x8x4(double* d) {
  int group = threadIdx.x / 4, at = threadIdx.x % 4;
  double a = element_a(group, at), b = element_b(at, group), c[2] = {1, 1};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(a), "d"(b));
  for (int i = 0; i < 2; ++i) d[group * 8 + at * 2 + i] = c[i];
}

template <typename T>
bool test(const char* name, void (*kernel)(T*), int rows, int length) {
  T *d, result[16 * 8];
  CHECK(cudaMalloc(&d, sizeof result));
  kernel<<<1, 32>>>(d);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, d, rows * 8 * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < 8; ++column) {
      int sum = 1;
      for (int k = 0; k < length; ++k) sum += element_a(row, k) * element_b(k, column);
      wrong += result[row * 8 + column] != sum;
    }
  printf("%s: %d wrong, last row", name, wrong);
  for (int column = 0; column < 8; ++column) printf(" %d", int(result[(rows - 1) * 8 + column]));
  puts("");
  return wrong == 0;
}

int main() {
  bool right = test("f16 16x8x16", f16_16x8x16, 16, 16);
  right = test("s8 16x8x32", s8_16x8x32, 16, 32) && right;
  right = test("tf32 16x8x8", tf32_16x8x8, 16, 8) && right;
  right = test("f64 8x8x4", f64_8x8x4, 8, 4) && right;
  puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}

// output:
// f16 16x8x16: 0 wrong, last row 36 12 6 9 -24 42 -72 21
// s8 16x8x32: 0 wrong, last row 56 -38 48 17 -32 54 -76 73
// tf32 16x8x8: 0 wrong, last row 4 0 5 19 -30 11 -38 21
// f64 8x8x4: 0 wrong, last row -16 5 -19 11 23 -10 11 -13
// PASS
