// malloc() and free() in kernels, on a heap that the launch's memory has.
#include <set>

#include "kernel.h"

namespace labkit::simt::test {
namespace {

const std::string kDeclared =
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n";
std::string allocate(const std::string& bytes, const std::string& to) {
  return "{ .param .b64 n; st.param.b64 [n], " + bytes +
         "; .param .b64 r; call.uni (r), malloc, (n); ld.param.b64 " + to + ", [r]; }\n";
}
std::string release(const std::string& pointer) {
  return "{ .param .b64 p; st.param.b64 [p], " + pointer + "; call.uni free, (p); }\n";
}

/// A kernel with one buffer, in memory with a heap.
class HeapKernel : public Kernel {
 public:
  explicit HeapKernel(const std::string& body, std::uint64_t heap_bytes = 1 << 16)
      : Kernel(kernel_text(1, body, kDeclared), {.has_heap = true}),
        heap_(Memory::heap_bytes(heap_bytes)) {
    out = buffer(std::vector<std::uint64_t>(32));
    memory.place({.name = "heap", .place = 1, .bytes = heap_, .is_heap = true});
    launch.block = {1, 1, 1};
  }
  std::uint64_t out;

 private:
  std::vector<std::byte> heap_;
};

TEST(Heap, IsRefusedWhereThereIsNone) {
  const auto decoded = Kernel(kernel_text(1, allocate("8", "%d1"), kDeclared)).decoded;
  EXPECT_FALSE(decoded.refused.empty());
}

TEST(Heap, BlocksAreApartAndKeepWhatIsWritten) {
  HeapKernel kernel(
      allocate("12", "%d1") + "cvt.u64.u32 %d2, %r0; st.u32 [%d1+8], %r0;\n" +
      "ld.u32 %r1, [%d1+8]; sub.u32 %r1, %r1, %r0; cvt.u64.u32 %d2, %r1;\n" +
      "add.u64 %d1, %d1, %d2; mad.wide.u32 %d3, %r0, 8, %d0; st.global.u64 [%d3], %d1;");
  kernel.launch.block = {32, 1, 1};
  kernel.complete();
  const auto pointers = kernel.values<std::uint64_t>(kernel.out);
  EXPECT_EQ(std::set(pointers.begin(), pointers.end()).size(), 32u);
  EXPECT_FALSE(std::set(pointers.begin(), pointers.end()).contains(0));
}

TEST(Heap, ReturnsNullWhenItIsFullAndGivesFreedBlocksAgain) {
  HeapKernel kernel(allocate("800", "%d1") + allocate("800", "%d2") + release("%d1") +
                        allocate("500", "%d3") + allocate("500", "%d4") +
                        "st.global.u64 [%d0], %d1; st.global.u64 [%d0+8], %d2;\n"
                        "st.global.u64 [%d0+16], %d3; st.global.u64 [%d0+24], %d4;",
                    1024);
  kernel.complete();
  const auto pointers = kernel.values<std::uint64_t>(kernel.out);
  EXPECT_NE(pointers[0], 0u);
  EXPECT_EQ(pointers[1], 0u);
  EXPECT_EQ(pointers[2], pointers[0]);
  EXPECT_EQ(pointers[3], 0u);
}

TEST(Heap, LivesFromLaunchToLaunch) {
  HeapKernel kernel(allocate("100", "%d1") + "st.global.u64 [%d0], %d1;");
  kernel.complete();
  const auto first = kernel.values<std::uint64_t>(kernel.out)[0];
  kernel.complete();
  EXPECT_NE(kernel.values<std::uint64_t>(kernel.out)[0], first);
}

TEST(Heap, WrongUsesAreFound) {
  const auto finding = [](const std::string& body) { return HeapKernel(body).finding(); };
  const std::string one = allocate("10", "%d1");
  const auto twice = finding(one + release("%d1") + release("%d1"));
  EXPECT_EQ(twice.kind, launch::FindingKind::trap);
  EXPECT_TRUE(launch::has_evidence(twice, words::Id::heap_freed_twice));
  EXPECT_EQ(finding(one + release("%d1") + "ld.u8 %r1, [%d1];").cause, Cause::out_of_bounds_freed);
  EXPECT_NE(all_words(finding(one + "st.u8 [%d1+10], %r0;")).find("a block of 10 bytes"),
            std::string::npos);
  EXPECT_NE(all_words(finding(one + "ld.global.u32 %r1, [%d1+4096];")).find("malloc()"),
            std::string::npos);
  EXPECT_EQ(finding(one + "add.u64 %d1, %d1, 16;" + release("%d1")).kind,
            launch::FindingKind::trap);
  EXPECT_EQ(finding(release("%d0")).kind, launch::FindingKind::trap);
  HeapKernel(release("0") + allocate("0", "%d1")).complete();
}

TEST(Heap, WhatMallocReturnsWasNotWritten) {
  HeapKernel kernel(allocate("8", "%d1") + "ld.u64 %d2, [%d1]; st.global.u64 [%d0], %d2;");
  RunOptions options;
  options.follow_undefined = true;
  const auto uses = kernel.complete(options).undefined_uses;
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].kind, UndefinedUse::Kind::output);
}

}  // namespace
}  // namespace labkit::simt::test
