// nvcc only: clang knows no managed variables
// __managed__ variables: the host sets and reads them by name.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                    \
  do {                                                                 \
    cudaError_t status_ = (call);                                      \
    if (status_ != cudaSuccess) {                                      \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_)); \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

constexpr int kBuckets = 10;

__managed__ int buckets[kBuckets];
__managed__ int modulus = 1;
__device__ __managed__ unsigned long long sum_of_squares;

__global__ void sort_into_buckets(int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  atomicAdd(&buckets[i * i % modulus], 1);
  atomicAdd(&sum_of_squares, (unsigned long long)i * i);
}

int main() {
  const int count = 2500;
  modulus = kBuckets;
  sum_of_squares = 0;
  for (int& bucket : buckets) bucket = 0;

  sort_into_buckets<<<(count + 127) / 128, 128>>>(count);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  int expected[kBuckets] = {};
  unsigned long long expected_sum = 0;
  for (int i = 0; i < count; ++i) {
    ++expected[i * i % kBuckets];
    expected_sum += (unsigned long long)i * i;
  }

  bool ok = sum_of_squares == expected_sum;
  printf("last digits of squares:");
  for (int b = 0; b < kBuckets; ++b) {
    printf(" %d", buckets[b]);
    ok = ok && buckets[b] == expected[b];
  }
  printf("\nsum of squares: %llu\n", sum_of_squares);

  // The host changes the values between two launches.
  modulus = 3;
  for (int& bucket : buckets) bucket = 0;
  sort_into_buckets<<<(count + 127) / 128, 128>>>(count);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  printf("remainders by 3: %d %d %d\n", buckets[0], buckets[1], buckets[2]);
  ok = ok && buckets[0] == 834 && buckets[1] == 1666 && buckets[2] == 0;

  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// last digits of squares: 250 500 0 0 500 250 500 0 0 500
// sum of squares: 5205208750
// remainders by 3: 834 1666 0
// PASS
