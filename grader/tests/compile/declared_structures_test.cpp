// What kernels' parameters point to, where that is a structure of numbers.
#include <gtest/gtest.h>

#include "compile/declarations.h"

namespace labkit::compile {
namespace {

using Names = std::vector<std::string>;

std::optional<PointedStructure> of(const std::string& before, const std::string& parameters,
                                   const std::string& name = "z") {
  return pointed_structure(before + "__global__ void other(const float* z) {}\n" +
                               "__global__ void k(" + parameters + ") { z[0] = 1; }\n",
                           "k", name);
}

TEST(DeclaredStructures, OneArrayOrSeveralNumbers) {
  const auto parts = of("constexpr int kParts = 8; struct Z { double part[kParts]; };",
                        "const Z* __restrict__ z, Z* w, int n");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->members, Names{"part"});
  EXPECT_EQ(parts->extent, 8u);
  EXPECT_EQ(parts->number_bytes, 8u);
  const auto several = of("struct C { float re, im; float norm; };", "int n, C* const z");
  ASSERT_TRUE(several);
  EXPECT_EQ(several->members, (Names{"re", "im", "norm"}));
  EXPECT_EQ(several->extent, 0u);
  EXPECT_EQ(several->number_bytes, 4u);
}

TEST(DeclaredStructures, OthersAreNotGuessed) {
  const std::string plain = "struct C { float re, im; };";
  EXPECT_TRUE(of(plain, "C* z"));
  EXPECT_FALSE(of(plain, "C* z", "w"));
  EXPECT_FALSE(of(plain, "C z"));
  EXPECT_FALSE(of(plain, "const float* z"));
  EXPECT_FALSE(of(plain, "z"));
  EXPECT_FALSE(of("struct D { float re, im; };", "C* z"));
  EXPECT_FALSE(of("struct C { float re; double im; };", "C* z"));  // of two kinds
  EXPECT_FALSE(of("struct C { float re; C* next; };", "C* z"));
  EXPECT_FALSE(of("struct C { float re[2], im; };", "C* z"));
  EXPECT_FALSE(of("struct C { float re[2][2]; };", "C* z"));
  EXPECT_FALSE(of("struct C { float re[kNobody]; };", "C* z"));
  EXPECT_FALSE(of("struct C { float get() { return 1; } };", "C* z"));
  EXPECT_FALSE(of("struct C { };", "C* z"));
  EXPECT_FALSE(of("struct C { float", "C* z"));
}

}  // namespace
}  // namespace labkit::compile
