// Style: cooperative groups; the structures are also staged through shared memory, so that both of their sides are coalesced.
// Right: a block's structures are one row of doubles; the arrays are scaled directly.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct ComplexQuadDouble {
  double part[8];  // four of the real number, four of the imaginary one
};

constexpr int kParts = 8;
constexpr int kBlock = 256;

__global__ void scale_structures(const ComplexQuadDouble* z, ComplexQuadDouble* w, double factor,
                                 int n) {
  auto block = cg::this_thread_block();
  __shared__ double row[kBlock * kParts];
  const double* from = (const double*)z;
  double* to = (double*)w;
  const long long first = (long long)block.group_index().x * kBlock * kParts;
  const long long left = (long long)n * kParts - first;
  for (int e = block.thread_rank(); e < kBlock * kParts && e < left; e += block.size())
    row[e] = from[first + e];
  block.sync();
  for (int e = block.thread_rank(); e < kBlock * kParts && e < left; e += block.size())
    to[first + e] = row[e] * factor;
}

__global__ void scale_arrays(const double* z, double* w, double factor, int n) {
  const int i = cg::this_grid().thread_rank();
  if (i >= n) return;
  for (int k = 0; k < kParts; ++k) w[k * n + i] = z[k * n + i] * factor;
}

// For bonus points: from one layout to the other, w[i].part[k] = z[k * n + i].
__global__ void to_structures(const double* z, ComplexQuadDouble* w, int n) {
  // TODO: read the arrays as scale_arrays does; stage the parts in shared memory; write the
  // structures as the doubles they are, in the order in which they lie. Mind the banks: a double takes
  // two.
}
