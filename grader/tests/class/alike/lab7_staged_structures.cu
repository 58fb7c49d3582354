// Of solutions/lab7_multiple_doubles/correct/staged_structures.cu
#include <cooperative_groups.h>
using namespace cooperative_groups;
struct ComplexQuadDouble {
  double part[8];
};

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int me = this_grid().thread_rank();
  if (n <= me) return;
  int q = 0;
  while (8 > q) {
    w[me + n * q] = factor * z[me + n * q];
    q++;
  }
}

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  __shared__ double stage[2048];
  auto team = this_thread_block();
  const long long start = (long long)team.group_index().x * 2048;
  const long long rest = 8 * (long long)n - start;
  double* destination = (double*)w;
  const double* origin = (const double*)z;
  int u = team.thread_rank();
  while (rest > u && 2048 > u) {
    stage[u] = origin[u + start];
    u = u + team.size();
  }
  team.sync();
  u = team.thread_rank();
  while (rest > u && 2048 > u) {
    destination[u + start] = factor * stage[u];
    u = u + team.size();
  }
}

__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {}
