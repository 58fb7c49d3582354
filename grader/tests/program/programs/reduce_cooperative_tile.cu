// Dot product with cg::reduce over tiles of 32 threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(e) (void)((e) == cudaSuccess || (report(#e, __LINE__), 0))

static void report(const char* expression, int line) {
  std::fprintf(stderr, "line %d: %s\n", line, expression);
  std::exit(1);
}

__global__ void dot_product(const int* x, const int* y, int size, int* result) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);

  int partial = 0;
  const int step = gridDim.x * block.size();
  for (int i = blockIdx.x * block.size() + block.thread_rank(); i < size; i += step) {
    partial += x[i] * y[i];
  }

  const int tile_sum = cg::reduce(tile, partial, cg::plus<int>());
  if (tile.thread_rank() == 0) atomicAdd(result, tile_sum);
}

int main() {
  const int size = 30011;
  std::vector<int> x(size), y(size);
  int expected = 0;
  for (int i = 0; i < size; ++i) {
    x[i] = i % 17 - 8;
    y[i] = i % 23;
    expected += x[i] * y[i];
  }

  int *dx, *dy, *d_result, result = -1;
  CHECK(cudaMalloc(&dx, size * sizeof(int)));
  CHECK(cudaMalloc(&dy, size * sizeof(int)));
  CHECK(cudaMalloc(&d_result, sizeof(int)));
  CHECK(cudaMemcpy(dx, x.data(), size * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dy, y.data(), size * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_result, 0, sizeof(int)));

  dot_product<<<16, 192>>>(dx, dy, size, d_result);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost));

  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  CHECK(cudaFree(d_result));

  std::printf("dot product of %d elements: %d\n", size, result);
  const bool passed = result == expected;
  std::printf("%s\n", passed ? "PASS" : "FAIL");
  return passed ? 0 : 1;
}

// output:
// dot product of 30011 elements: -504
// PASS
