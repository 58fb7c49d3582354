// What warps issue with no thread on, and the loops around instructions.
#include "ptx/defs.h"
#include "ptx/passes.h"
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

/// The instructions issued by all, as their roots in a row.
std::string issued(const std::string& body) {
  const Module module = test::parsed(test::kernel_text(body));
  const Function& function = *module.find_function("k");
  const auto with = issued_with(function, control_flow(function));
  EXPECT_EQ(with.size(), function.body.size());
  std::string text;
  for (std::size_t i = 0; i < with.size(); ++i)
    if (with[i] != static_cast<std::int32_t>(i) &&
        (function.body[i].guard < 0 || !branches(function.body[i])))
      text += std::string(function.body[i].root()) + " ";
  return text;
}

TEST(Predication, AShortBranchIsIssuedByAll) {
  EXPECT_EQ(issued("setp.gt.u32 %p1,%r1,127; @%p1 bra $L; ld.shared.f32 %f1,[%r2]; "
                   "st.shared.f32 [%r3],%f1; $L: bar.sync 0; ret;"),
            "ld st ");
  EXPECT_EQ(issued("@%p1 bra $A; bra.uni $B; $A: ld.shared.f32 %f1,[%r2]; bra.uni $C; "
                   "$B: ld.shared.f32 %f1,[%r3]; $C: st.shared.f32 [%r3],%f1; ret;"),
            "bra ld bra ld ")
      << "both sides";
  EXPECT_EQ(issued("@%p1 st.shared.f32 [%r3],%f1; ret;"), "st ") << "a guard";
}

TEST(Predication, ALongOneStaysABranchAndSoDoesOneWithABarrier) {
  std::string many;
  for (int i = 0; i < 9; ++i) many += "add.f32 %f1,%f1,%f2; ";
  EXPECT_EQ(issued("@%p1 bra $L; " + many + "$L: ret;"), "");
  EXPECT_EQ(issued("@%p1 bra $L; bar.sync 0; $L: add.f32 %f1,%f1,%f2; ret;"), "");
  EXPECT_EQ(issued("@%p1 bra $L; rem.u32 %r1,%r1,%r2; $L: add.f32 %f1,%f1,%f2; ret;"), "");
  EXPECT_EQ(issued("@%p1 bra $L; $M: add.f32 %f1,%f1,%f2; @%p2 bra $M; $L: ret;"), "")
      << "a loop is none";
}

TEST(Predication, LoopsAreRangesOfTheText) {
  const Module module =
      test::parsed(test::kernel_text("mov.u32 %r1,0; $A: add.u32 %r1,%r1,1; $B: add.u32 %r2,%r2,1; "
                                     "@%p1 bra $B; @%p2 bra $A; ret;"));
  const Function& function = *module.find_function("k");
  const auto loops = loops_around(function, control_flow(function));
  ASSERT_EQ(loops.size(), 6u);
  EXPECT_EQ(loops[0].last, 0);
  EXPECT_EQ(loops[1].first, 1);
  EXPECT_EQ(loops[1].last, 5);
  EXPECT_EQ(loops[2].first, 2) << "the innermost";
  EXPECT_EQ(loops[2].last, 4);
  EXPECT_EQ(loops[4].first, 1);
}

}  // namespace
}  // namespace labkit::ptx
