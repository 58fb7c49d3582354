#include "simt/lanes/float.h"

#include "simt/lanes/tables.h"

namespace labkit::simt::LABKIT_SIMD {

#define ROW(id, spelling, operands, ...) \
  static_assert(__VA_ARGS__::fits(operands), "operand column and meaning of " #id " disagree");
#include "simt/instructions_float.def"
#undef ROW

#define ROW(id, spelling, operands, ...) __VA_ARGS__::semantics(),
const Semantics float_rows[] = {
#include "simt/instructions_float.def"
};
#undef ROW

}  // namespace labkit::simt::LABKIT_SIMD
