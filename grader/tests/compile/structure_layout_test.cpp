// Which bytes of the structures that a parameter points to belong to no member.
#include <gtest/gtest.h>

#include <string>

#include "compile/declarations.h"

namespace labkit::compile {
namespace {

/// "x" for a member's byte, "." for padding; "" where every byte is a member's or nothing is known.
std::string padding(const std::string& structures, const std::string& parameters,
                    std::size_t parameter = 0) {
  std::string shown;
  for (const bool empty : padding_of_pointed(
           structures + "__global__ void k(" + parameters + ") { k2(); }", "k", parameter))
    shown += empty ? '.' : 'x';
  return shown;
}

TEST(StructureLayout, MembersLieAtMultiplesOfTheirSize) {
  EXPECT_EQ(padding("struct P { float a; double d; };", "P* p"), "xxxx....xxxxxxxx");
  EXPECT_EQ(padding("struct P { int x; long long z; char q; };", "const P* __restrict__ p"),
            "xxxx....xxxxxxxxx.......");
  EXPECT_EQ(padding("struct P { unsigned char c; short s, t; };", "struct P* p"), "x.xxxx");
  EXPECT_EQ(padding("constexpr int kN = 3; struct P { char c[kN]; float f; };", "P* p"),
            "xxx.xxxx");
  EXPECT_EQ(padding("struct P { char c; float* p; };", "P* p"), "x.......xxxxxxxx");
  EXPECT_EQ(padding("struct P { float x; float4 v; };", "P* p"),
            "xxxx............xxxxxxxxxxxxxxxx");
}

TEST(StructureLayout, OfAlignedOnesAndThoseInOthers) {
  EXPECT_EQ(padding("struct __align__(16) V { float x, y, z; };", "V* p"), "xxxxxxxxxxxx....");
  EXPECT_EQ(padding("struct alignas(8) V { float x; };", "V* p"), "xxxx....");
  EXPECT_EQ(padding("struct P { char c; short s; }; struct Q { P p[2]; char d; };", "Q* q"),
            "x.xxx.xxx.");
}

TEST(StructureLayout, OfTheParameterAskedFor) {
  const char* const two = "struct P { char c; short s; }; ";
  EXPECT_EQ(padding(two, "const float* in, P* out, int n", 1), "x.xx");
  EXPECT_EQ(padding(two, "const float* in, P* out, int n", 0), "");
  EXPECT_EQ(padding(two, "const float* in, P* out, int n", 2), "");
  EXPECT_EQ(padding(two, "const float* in, P* out, int n", 3), "");
  EXPECT_EQ(padding(two, "P** out"), "");
  EXPECT_EQ(padding(two, "P by_value"), "");
}

TEST(StructureLayout, WhatIsNotPlainIsNotKnown) {
  EXPECT_EQ(padding("struct P { float a, b; };", "P* p"), "");  // no padding
  for (const char* odd :
       {"struct P { int a : 3; double d; };", "struct P { P(); char c; int i; };",
        "struct P : Q { char c; int i; };", "struct P { char c; unknown u; };",
        "struct P { char c[n]; int i; };", "struct P { union { int i; char c; }; double d; };",
        "struct P { char c; int i", "struct P { char c[1000000]; int i; };", "struct P;",
        "struct P { P p; char c; };", "struct __align__(3) P { char c; int i; };"})
    EXPECT_EQ(padding(odd, "P* p"), "") << odd;
}

}  // namespace
}  // namespace labkit::compile
