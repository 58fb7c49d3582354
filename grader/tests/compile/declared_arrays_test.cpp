// Shared arrays as a source declares them.
#include <gtest/gtest.h>

#include "compile/declarations.h"

namespace labkit::compile {
namespace {

std::optional<DeclaredArray> declared_array(std::string_view source, std::string_view name,
                                            std::uint64_t bytes, std::uint32_t line) {
  return compile::declared_array(shared_arrays_of(source), name, bytes, line);
}

using Extents = std::vector<std::uint64_t>;

const DeclaredArray* find(const std::vector<DeclaredArray>& arrays, const std::string& name) {
  for (const DeclaredArray& array : arrays)
    if (array.name == name) return &array;
  return nullptr;
}

TEST(DeclaredArrays, ExtentsThatAreNumbersOrStandForSome) {
  const auto arrays = shared_arrays_of(
      "#define EDGE 16\n"
      "#define PAD(x) 4\n"
      "constexpr int kTile = 32, kPitch = kTile + 1;\n"
      "enum { kRows = EDGE * 2 };\n"
      "__global__ void k(const float* in) {\n"
      "  const int here = threadIdx.x;\n"
      "  __shared__ float tile[kTile][kPitch], row[EDGE];\n"
      "  __shared__ T typed[(kRows - 2) / 3 % 4u][0x0 + 8];\n"
      "  __shared__ unsigned char bytes[7];\n"
      "  __shared__ float last;\n"
      "  // __shared__ float gone[3];\n"
      "  extern __shared__ double dynamic[];\n"
      "}\n");
  ASSERT_NE(find(arrays, "tile"), nullptr);
  EXPECT_EQ(find(arrays, "tile")->extents, (Extents{32, 33}));
  EXPECT_EQ(find(arrays, "tile")->line, 7u);
  EXPECT_EQ(find(arrays, "tile")->element_bytes, 4u);
  ASSERT_NE(find(arrays, "row"), nullptr);
  EXPECT_EQ(find(arrays, "row")->extents, Extents{16});
  EXPECT_EQ(find(arrays, "typed"), nullptr);  // 0x0 is not read
  ASSERT_NE(find(arrays, "bytes"), nullptr);
  EXPECT_EQ(find(arrays, "bytes")->element_bytes, 1u);
  ASSERT_NE(find(arrays, "dynamic"), nullptr);
  EXPECT_EQ(find(arrays, "dynamic")->extents, Extents{0});
  EXPECT_EQ(find(arrays, "dynamic")->element_bytes, 8u);
  EXPECT_EQ(arrays.size(), 4u);
}

TEST(DeclaredArrays, WhatIsNotKnownIsLeftOut) {
  EXPECT_TRUE(shared_arrays_of("__shared__ float a[kNobody];").empty());
  EXPECT_TRUE(shared_arrays_of("__shared__ float a[sizeof(int)];").empty());
  EXPECT_TRUE(shared_arrays_of("__shared__ float a[4][];").empty());
  EXPECT_TRUE(shared_arrays_of("__shared__ float a[0];").empty());
  EXPECT_TRUE(shared_arrays_of("__shared__ float a[1 / 0];").empty());
  EXPECT_TRUE(shared_arrays_of("int n = 4; __shared__ float a[n];").empty());
  EXPECT_TRUE(shared_arrays_of("__shared__ float a[4").empty());
}

// Sources are students': nothing in them may take long, nest deeply or overflow.
TEST(DeclaredArrays, HostileSources) {
  EXPECT_TRUE(shared_arrays_of("constexpr int kA = kB; constexpr int kB = kA;"
                               "__shared__ float a[kA];")
                  .empty());
  std::string doubled = "constexpr int k0 = 1;";
  for (int i = 1; i < 60; ++i)
    doubled += "constexpr int k" + std::to_string(i) + " = k" + std::to_string(i - 1) + " + k" +
               std::to_string(i - 1) + ";";
  EXPECT_TRUE(shared_arrays_of(doubled + "__shared__ float a[k59];").empty());
  EXPECT_TRUE(shared_arrays_of("__shared__ float a[" + std::string(100'000, '(') + "1];").empty());
  std::string many = "__shared__ float a[1]";
  for (int i = 0; i < 1000; ++i) many += ", a" + std::to_string(i) + "[2]";
  EXPECT_LE(shared_arrays_of(many + ";").size(), 64u);
  const std::string huge =
      "__shared__ char a[1000000000][1000000000][1000000000][1000000000][1000000000][1000000000]"
      "[1000000000][1000000000];";
  EXPECT_FALSE(declared_array(huge, "a", 4096, 9));
}

TEST(DeclaredArrays, OfTheSizeThatTheLaunchHasAndTheKernelOfTheLine) {
  const std::string source =
      "__global__ void one() {\n"
      "  __shared__ float tile[16][16];\n"
      "}\n"
      "__global__ void two() {\n"
      "  __shared__ float tile[8][32];\n"
      "  __shared__ Pair pairs[4][2];\n"
      "}\n";
  const auto extents = [&](const char* name, std::uint64_t bytes, std::uint32_t line) {
    const auto array = declared_array(source, name, bytes, line);
    return array ? array->extents : Extents{};
  };
  EXPECT_EQ(extents("tile", 1024, 3), (Extents{16, 16}));
  EXPECT_EQ(extents("tile", 1024, 7), (Extents{8, 32}));
  EXPECT_EQ(extents("tile", 1024, 1), (Extents{16, 16}));  // handed to a function further up
  EXPECT_EQ(extents("tile", 1000, 7), Extents{});
  EXPECT_EQ(extents("tile", 2048, 7), Extents{});  // 8 bytes an element are no float's
  EXPECT_EQ(extents("other", 1024, 7), Extents{});
  EXPECT_EQ(declared_array(source, "pairs", 96, 7)->element_bytes, 12u);
}

}  // namespace
}  // namespace labkit::compile
