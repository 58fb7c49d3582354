// Linked lists built by device threads with malloc, counted and freed later.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                \
  do {                                                             \
    cudaError_t err = (call);                                      \
    if (err != cudaSuccess) {                                      \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(err)); \
      exit(1);                                                     \
    }                                                              \
  } while (0)

#define LISTS 96

struct node {
  int value;
  struct node* next;
};

// List i holds the divisors of i + 1, largest first.
__global__ void build(struct node** heads, int* failures) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  struct node* head = NULL;
  for (int d = 1; d <= i + 1; d++) {
    if ((i + 1) % d != 0) continue;
    struct node* n = (struct node*)malloc(sizeof(struct node));
    if (n == NULL) {
      atomicAdd(failures, 1);
      break;
    }
    n->value = d;
    n->next = head;
    head = n;
  }
  heads[i] = head;
}

__global__ void sum_and_free(struct node** heads, int* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  struct node* n = heads[i];
  while (n != NULL) {
    struct node* next = n->next;
    sum += n->value;
    free(n);
    n = next;
  }
  heads[i] = NULL;
  sums[i] = sum;
}

int main(void) {
  struct node** d_heads;
  int *d_sums, *d_failures, sums[LISTS], failures = -1;

  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));
  CHECK(cudaMalloc((void**)&d_heads, LISTS * sizeof(*d_heads)));
  CHECK(cudaMalloc((void**)&d_sums, sizeof(sums)));
  CHECK(cudaMalloc((void**)&d_failures, sizeof(int)));
  CHECK(cudaMemset(d_failures, 0, sizeof(int)));

  build<<<LISTS / 32, 32>>>(d_heads, d_failures);
  CHECK(cudaGetLastError());
  sum_and_free<<<LISTS / 32, 32>>>(d_heads, d_sums);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(&failures, d_failures, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_heads));
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_failures));

  int wrong = 0;
  printf("perfect numbers:");
  for (int i = 0; i < LISTS; i++) {
    int sum = 0;
    for (int d = 1; d <= i + 1; d++)
      if ((i + 1) % d == 0) sum += d;
    wrong += sum != sums[i];
    if (sums[i] == 2 * (i + 1)) printf(" %d", i + 1);
  }
  printf("\nfailed allocations: %d\nwrong lists: %d\n", failures, wrong);
  puts(wrong == 0 && failures == 0 ? "PASS" : "FAIL");
  return wrong != 0 || failures != 0;
}

// output:
// perfect numbers: 6 28
// failed allocations: 0
// wrong lists: 0
// PASS
