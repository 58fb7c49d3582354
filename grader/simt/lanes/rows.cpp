// One chapter of the instruction table for one SIMD target: room.cmake compiles this once for each of both. LABKIT_CHAPTER
// names the chapter, LABKIT_ROWS the file of its rows.
#include "simt/lanes/compare.h"
#include "simt/lanes/convert.h"

namespace labkit::simt::LABKIT_SIMD {

#define ROW(id, spelling, operands, ...) \
  static_assert(__VA_ARGS__::fits(operands), "operand column and meaning of " #id " disagree");
#include LABKIT_ROWS
#undef ROW

#define LABKIT_TABLE_(chapter) chapter##_rows
#define LABKIT_TABLE(chapter) LABKIT_TABLE_(chapter)
#define ROW(id, spelling, operands, ...) __VA_ARGS__::semantics(),
const Semantics LABKIT_TABLE(LABKIT_CHAPTER)[] = {
#include LABKIT_ROWS
};
#undef ROW

}  // namespace labkit::simt::LABKIT_SIMD
