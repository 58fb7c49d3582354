// Cooperative launch: many steps of a simulation in one kernel, with grid.sync().
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                             \
  do {                                                                          \
    cudaError_t _e = (call);                                                    \
    if (_e != cudaSuccess) {                                                    \
      printf("CUDA error '%s' at line %d\n", cudaGetErrorString(_e), __LINE__); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

// Rule 110 on a ring of cells.
__host__ __device__ inline int rule110(int left, int self, int right) {
  return (110 >> (4 * left + 2 * self + right)) & 1;
}

__global__ void evolve(int* cells, int* next, int n, int steps, int* population) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = int(grid.thread_rank()); i < n; i += int(grid.size())) {
      next[i] = rule110(cells[(i + n - 1) % n], cells[i], cells[(i + 1) % n]);
    }
    grid.sync();
    int* swapped = cells;
    cells = next;
    next = swapped;
  }
  for (int i = int(grid.thread_rank()); i < n; i += int(grid.size())) {
    if (cells[i]) atomicAdd(population, 1);
  }
}

int main() {
  int device = 0, supported = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
  printf("cooperative launch: %s\n", supported ? "yes" : "no");

  int n = 1500, steps = 99;  // after an odd number the result is in the other buffer
  std::vector<int> cells(n, 0);
  cells[n / 2] = 1;

  int *d_cells, *d_next, *d_population;
  CHECK(cudaMalloc(&d_cells, n * sizeof(int)));
  CHECK(cudaMalloc(&d_next, n * sizeof(int)));
  CHECK(cudaMalloc(&d_population, sizeof(int)));
  CHECK(cudaMemcpy(d_cells, cells.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_population, 0, sizeof(int)));

  void* arguments[] = {&d_cells, &d_next, &n, &steps, &d_population};
  CHECK(cudaLaunchCooperativeKernel((void*)evolve, dim3(8), dim3(64), arguments, 0, nullptr));

  std::vector<int> result(n);
  int population = 0;
  CHECK(cudaMemcpy(result.data(), d_next, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&population, d_population, sizeof population, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_cells));
  CHECK(cudaFree(d_next));
  CHECK(cudaFree(d_population));

  std::vector<int> next(n);
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      next[i] = rule110(cells[(i + n - 1) % n], cells[i], cells[(i + 1) % n]);
    }
    std::swap(cells, next);
  }
  int expected = 0;
  for (int cell : cells) expected += cell;

  bool ok = supported && result == cells && population == expected;
  printf("population after %d steps: %d\n", steps, population);
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}

// output:
// cooperative launch: yes
// population after 99 steps: 51
// PASS
