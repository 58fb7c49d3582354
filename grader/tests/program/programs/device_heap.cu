// The heap of malloc() in kernels has a size: blocks are taken until there are no more, given back, and taken again in
// another launch. new and delete use it, too.
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

struct Block {
  Block* next;
  int number;
  char rest[1000];
};

struct Shape {
  __device__ virtual int corners() const = 0;
  __device__ virtual ~Shape() {}
};
struct Triangle : Shape {
  __device__ int corners() const override { return 3; }
};
struct Square : Shape {
  __device__ int corners() const override { return 4; }
};

struct Result {
  int taken, out_of_order, freed, taken_again, corners;
};

__global__ void take_all(Block** list, Result* result) {
  Block* first = nullptr;
  int taken = 0;
  while (Block* block = static_cast<Block*>(malloc(sizeof(Block)))) {
    block->next = first;
    block->number = taken++;
    block->rest[999] = 1;
    first = block;
  }
  *list = first;
  result->taken = taken;
}

__global__ void give_back(Block** list, Result* result) {
  int number = result->taken;
  for (Block* block = *list; block != nullptr;) {
    Block* next = block->next;
    result->out_of_order += block->number != --number;
    free(block);
    ++result->freed;
    block = next;
  }
  free(nullptr);
}

__global__ void take_again(Result* result) {
  void* block = malloc(100 * sizeof(Block));
  result->taken_again = block != nullptr;
  free(block);
}

// Each thread of the block has a shape of its own.
__global__ void shapes(Result* result) {
  Shape* shape = threadIdx.x % 2 == 0 ? static_cast<Shape*>(new Triangle) : new Square;
  int* count = new int[2];
  count[0] = shape->corners();
  count[1] = 0;
  atomicAdd(&result->corners, count[0] + count[1]);
  delete[] count;
  delete shape;
}

int main() {
  const size_t wanted = 4 << 20;
  size_t size = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, wanted));
  CHECK(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  Block** d_list;
  Result *d_result, result;
  CHECK(cudaMalloc(&d_list, sizeof(Block*)));
  CHECK(cudaMalloc(&d_result, sizeof(Result)));
  CHECK(cudaMemset(d_result, 0, sizeof(Result)));
  take_all<<<1, 1>>>(d_list, d_result);
  CHECK(cudaGetLastError());
  give_back<<<1, 1>>>(d_list, d_result);
  CHECK(cudaGetLastError());
  take_again<<<1, 1>>>(d_result);
  CHECK(cudaGetLastError());
  shapes<<<1, 64>>>(d_result);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_list));
  CHECK(cudaFree(d_result));

  // How many fit is the allocator's affair.
  const bool fills = result.taken > 1000 && size_t(result.taken) * sizeof(Block) <= size;
  printf("the heap is as large as wanted: %s\n", size >= wanted ? "yes" : "no");
  printf("blocks filled it: %s, out of order: %d, not freed: %d\n", fills ? "yes" : "no",
         result.out_of_order, result.taken - result.freed);
  printf("there is room again: %s\n", result.taken_again ? "yes" : "no");
  printf("corners: %d\n", result.corners);
  printf("a new size now: %s\n",
         cudaGetErrorName(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * wanted)));
  cudaGetLastError();
  return 0;
}

// output:
// the heap is as large as wanted: yes
// blocks filled it: yes, out of order: 0, not freed: 0
// there is room again: yes
// corners: 224
// a new size now: cudaErrorInvalidValue
