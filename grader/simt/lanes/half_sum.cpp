#include "simt/half_sum.h"

#include "simt/lanes/half.h"

namespace labkit::simt {

std::uint16_t add_halves(std::uint16_t a, std::uint16_t b, bool brain) {
  using namespace LABKIT_SIMD;
  return brain ? HalfAdd<bf16>::apply({a}, {b}).bits : HalfAdd<f16>::apply({a}, {b}).bits;
}

}  // namespace labkit::simt
