// Cache hints compute nothing, and their operands must be what the modifiers say.
#include "kernel.h"

namespace labkit::simt::test {
namespace {

bool is_taken(const std::string& body) {
  return Kernel(kernel_text(1, body)).decoded.refused.empty();
}

TEST(CacheHint, APolicyIsAnOperandMore) {
  const std::string policy = "createpolicy.fractional.L2::evict_last.b64 %d3, 1.0;";
  EXPECT_TRUE(is_taken(policy + "ld.global.nc.L2::cache_hint.b32 %r1, [%d0], %d3;"));
  EXPECT_TRUE(is_taken(policy + "st.global.L2::cache_hint.b32 [%d0], %r0, %d3;"));
  EXPECT_FALSE(is_taken(policy + "ld.global.L2::cache_hint.b32 %r1, [%d0];"));
  EXPECT_FALSE(is_taken(policy + "ld.global.b32 %r1, [%d0], %d3;"));
  EXPECT_FALSE(is_taken(policy + "st.global.b32 [%d0], %r0, %d3;"));
}

TEST(CacheHint, APolicyHas64BitsAndIsForGlobalMemory) {
  EXPECT_FALSE(is_taken("ld.global.L2::cache_hint.b32 %r1, [%d0], %r0;"));
  EXPECT_FALSE(is_taken("createpolicy.fractional.L2::evict_last.b64 %r3, 1.0;"));
  EXPECT_FALSE(is_taken("createpolicy.fractional.L2::evict_always.b64 %d3, 1.0;"));
  EXPECT_FALSE(is_taken("mov.u64 %d3, 0; ld.shared.L2::cache_hint.b32 %r1, [%d0], %d3;"));
}

}  // namespace
}  // namespace labkit::simt::test
