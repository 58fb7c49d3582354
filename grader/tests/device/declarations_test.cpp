// What the source says of the arrays that findings are about.
#include <gtest/gtest.h>

#include "device/source_findings.h"

namespace labkit::device {
namespace {

const char* const kDeclaringSource =
    "struct Z { double part[8]; };\n"
    "struct C { float re, im; };\n"
    "__global__ void k(const Z* z, C* c, float* plain) {\n"
    "  __shared__ float tile[16][17];\n"
    "  extern __shared__ float dynamic[];\n"
    "  tile[0][0] = 1;\n"
    "}\n";

launch::Finding about(const std::string& space, const std::string& array, std::uint64_t bytes) {
  launch::Finding finding;
  finding.space = space;
  finding.kernel = "k";
  finding.where = {"kernel.cu", 6};
  finding.array = {array, 4096, bytes};
  return finding;
}

std::string element(const launch::Finding& finding, std::uint64_t index) {
  std::vector<launch::Finding> findings = {finding};
  add_declarations(findings, kDeclaringSource);
  const launch::Declaration& declared = findings[0].declared;
  return declared.known() ? declared.element(finding.array.name, index) : "";
}

TEST(Declarations, OfArraysInSharedMemory) {
  EXPECT_EQ(element(about("shared", "tile", 1088), 16 * 17 - 1), "tile[15][16]");
  EXPECT_EQ(element(about("shared", "tile", 1088), 16 * 17), "tile[16][0]");
  EXPECT_EQ(element(about("shared", "dynamic", 400), 99), "dynamic[99]");
  EXPECT_EQ(element(about("shared", "tile", 1024), 0), "");  // of another size
  EXPECT_EQ(element(about("shared", "unknown", 1088), 0), "");
}

TEST(Declarations, OfStructuresInGlobalMemory) {
  EXPECT_EQ(element(about("global", "z", 6400), 42), "z[5].part[2]");
  EXPECT_EQ(element(about("global", "c", 800), 3), "c[1].im");
  EXPECT_EQ(element(about("global", "z", 6408), 0), "");  // no whole structures
  EXPECT_EQ(element(about("global", "plain", 400), 0), "");
}

TEST(Declarations, OfNoElementsAreNone) {
  launch::Finding finding = about("shared", "none", 1088);
  std::vector<launch::Finding> findings = {finding};
  add_declarations(findings, "__global__ void k() { __shared__ float none[4][0]; }");
  EXPECT_FALSE(findings[0].declared.known());
}

}  // namespace
}  // namespace labkit::device
