// Who stored to a place of global memory: nobody, one, several; as plain, vector and atomic stores.
#include "observe/store_watcher.h"

#include <gtest/gtest.h>

#include <span>

#include "simt/machine.h"
#include "words/render.h"

namespace labkit::observe::test {
namespace {

/// One buffer of 4096 floats: %d0. %r0 tid.x, %r1 ctaid.x, %d1 the address of the thread's own float of the grid.
std::vector<StoredBy> watch(const std::string& body, const std::vector<WatchedPlace>& in_floats,
                            launch::Dim3 grid = {2}, launch::Dim3 block = {64}) {
  auto parsed = ptx::parse(R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .b32 %r<40>; .reg .b64 %d<20>; .reg .f32 %f<20>; .reg .pred %p<20>;
.loc 1 3 0
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mov.u32 %r2, %ntid.x;
mad.lo.u32 %r3, %r1, %r2, %r0;
mul.wide.u32 %d2, %r3, 4;
add.u64 %d1, %d0, %d2;
mov.f32 %f0, 0f00000000;
)" + body + "\nret;\n}\n.file 1 \"kernel.cu\"\n");
  EXPECT_TRUE(parsed.module) << parsed.error.message << " at " << parsed.error.ptx_line;
  const auto decoded = simt::decode(*parsed.module, "k");
  EXPECT_TRUE(decoded.program) << (decoded.refused.empty()
                                       ? std::string()
                                       : words::render(decoded.refused[0].evidence));
  simt::Memory memory;
  const auto address = memory.allocate("p", std::vector<std::byte>(4096 * 4, std::byte{0}));
  launch::Launch launch;
  launch.kernel = launch.entry = "k";
  launch.grid = grid;
  launch.block = block;
  std::vector<WatchedPlace> places;
  for (const WatchedPlace& place : in_floats)
    places.push_back({address + 4 * place.begin, 4 * place.bytes});
  StoreWatch watching(places);
  simt::RunOptions options;
  options.threads = 1;
  const auto result = simt::run(*decoded.program, launch, std::as_bytes(std::span(&address, 1)),
                                memory, &watching, options);
  EXPECT_TRUE(result.completed);
  return watching.take(Places(*decoded.program, launch, memory));
}

TEST(StoreWatch, NamesTheThreadTheBlockAndTheLine) {
  const auto stored = watch(".loc 1 21 0\nst.global.f32 [%d1], %f0;", {{100, 1}, {0, 1}, {128, 1}});
  ASSERT_EQ(stored.size(), 3u);
  EXPECT_EQ(stored[0].stores, 1u);
  EXPECT_FALSE(stored[0].several_threads);
  EXPECT_EQ(stored[0].thread, (launch::Dim3{36, 0, 0}));
  EXPECT_EQ(stored[0].block, (launch::Dim3{1, 0, 0}));
  EXPECT_EQ(stored[0].where.line, 21u);
  EXPECT_EQ(stored[0].where.file, "kernel.cu");
  EXPECT_EQ(stored[1].thread, (launch::Dim3{0, 0, 0}));
  EXPECT_EQ(stored[2].stores, 0u) << "nobody stores behind the last";
}

TEST(StoreWatch, AThreadOfATwoDimensionalBlockHasItsOwnNumbers) {
  const auto stored = watch(
      "mov.u32 %r4, %tid.y;\nmad.lo.u32 %r5, %r4, %r2, %r0;\nmul.wide.u32 %d3, %r5, 4;\n"
      "add.u64 %d4, %d0, %d3;\nst.global.f32 [%d4], %f0;",
      {{19, 1}}, {1}, {8, 4});
  EXPECT_EQ(stored[0].thread, (launch::Dim3{3, 2, 0}));
}

TEST(StoreWatch, CountsWhoStoresAgainAndTellsTheLast) {
  const auto again = watch(
      ".loc 1 5 0\nst.global.f32 [%d1], %f0;\n.loc 1 6 0\nst.global.f32 [%d1], %f0;", {{9, 1}});
  EXPECT_EQ(again[0].stores, 2u);
  EXPECT_FALSE(again[0].several_threads);
  EXPECT_EQ(again[0].where.line, 6u);
  const auto all = watch("st.global.f32 [%d0], %f0;", {{0, 1}});
  EXPECT_EQ(all[0].stores, 128u);
  EXPECT_TRUE(all[0].several_threads);
  EXPECT_EQ(all[0].thread, (launch::Dim3{63, 0, 0}));
  EXPECT_EQ(all[0].block, (launch::Dim3{1, 0, 0}));
}

TEST(StoreWatch, SeesPartsOfVectorsAndAtomicsAndNoLoads) {
  const std::string vector =
      "mul.wide.u32 %d5, %r3, 16;\nadd.u64 %d6, %d0, %d5;\n"
      "st.global.v4.f32 [%d6], {%f0, %f0, %f0, %f0};";
  EXPECT_EQ(watch(vector, {{11, 1}})[0].thread, (launch::Dim3{2, 0, 0}));
  const auto atomic = watch("atom.global.add.f32 %f1, [%d0+8], %f0;", {{2, 1}, {3, 1}});
  EXPECT_EQ(atomic[0].stores, 128u);
  EXPECT_EQ(atomic[1].stores, 0u);
  EXPECT_EQ(watch("ld.global.f32 %f1, [%d1];", {{2, 1}})[0].stores, 0u);
}

TEST(StoreWatch, LanesThatAreOffStoreNothing) {
  const auto stored =
      watch("setp.lt.u32 %p0, %r0, 8;\n@%p0 st.global.f32 [%d1], %f0;", {{7, 1}, {8, 1}});
  EXPECT_EQ(stored[0].stores, 1u);
  EXPECT_EQ(stored[1].stores, 0u);
}

}  // namespace
}  // namespace labkit::observe::test
