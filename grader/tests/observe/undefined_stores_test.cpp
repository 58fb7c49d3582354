// Undefined elements that stay in global memory: each its own, and from where its own lane had it.
#include <gtest/gtest.h>

#include "checked.h"

namespace labkit::observe::test {
namespace {

TEST(UndefinedStores, TwoElementsOfOneWordAreTold) {
  const std::string text = R"(
    mul.wide.u32 %d3, %r0, 4;
    add.s64 %d4, %d0, %d3;
    .loc 1 10 1
    ld.shared.u16 %h1, [%r2];
    .loc 1 11 1
    st.global.u16 [%d4], %h1;
    .loc 1 20 1
    ld.shared.u16 %h2, [%r2+2];
    .loc 1 21 1
    st.global.u16 [%d4+2], %h2;)";
  Checked checked;
  EXPECT_EQ(checked.run(text).findings.size(), 2u);
  // the second of each word is mended: the first stays
  const auto found = checked.one(
      text + "\n.loc 1 30 1\nmov.u16 %h3, 1;\nst.global.u16 [%d4+2], %h3;", uninitialized);
  EXPECT_EQ(found.where.line, 10u) << dump(found);
}

TEST(UndefinedStores, TheOriginIsThatOfTheLane) {
  Checked checked;
  checked.written = false;
  checked.block = {32, 1, 1};
  // all lanes read what nobody has written; lane 5 alone stores it
  const auto found = checked.one(R"(
    .loc 1 10 1
    ld.global.u32 %r7, [%d1];
    setp.eq.u32 %p1, %r0, 5;
    .loc 1 11 1
    @%p1 st.global.u32 [%d1+1024], %r7;)",
                                 uninitialized);
  EXPECT_EQ(found.thread.x, 5u) << dump(found);
  EXPECT_EQ(found.address, found.array.begin + 20) << dump(found);
}

TEST(UndefinedStores, OfSeveralBlocksAreToldAlikeForAnyNumberOfHostThreads) {
  Checked checked;
  checked.grid = {40, 1, 1};
  const std::string text = R"(
    .loc 1 10 1
    ld.shared.u32 %r7, [%r2];
    .loc 1 11 1
    st.global.u32 [%d1], %r7;)";
  std::vector<std::string> texts;
  for (const unsigned threads : {1u, 2u, 3u}) {
    checked.threads = threads;
    std::string all;
    for (const auto& finding : checked.run(text).findings) all += dump(finding) + "\n";
    texts.push_back(all);
  }
  EXPECT_FALSE(texts[0].empty());
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
}

}  // namespace
}  // namespace labkit::observe::test
