// The kernels of a source, without compiling it.
#include "compile/outline.h"

#include <gtest/gtest.h>

namespace labkit::compile {
namespace {

KernelSource inspect_kernel(std::string_view source, std::string_view name) {
  return SourceOutline(source).kernel(name);
}

bool untouched(const std::string& source) {
  const KernelSource kernel = inspect_kernel(source, "k");
  EXPECT_TRUE(kernel.found) << source;
  return kernel.untouched;
}

TEST(Outline, AnEmptyBodyIsUntouched) {
  EXPECT_TRUE(untouched("__global__ void k(int n) {}"));
  EXPECT_TRUE(untouched("__global__ void k(int n) {\n // TODO: } \n /* } */ \n}"));
  EXPECT_TRUE(
      untouched("template <typename T>\n__global__ void __launch_bounds__(256) k(const T* a) "
                "{\n}\nvoid f() { g(); }"));
  EXPECT_TRUE(
      untouched("__global__ void k(float* out) { extern __shared__ float tile[]; /* TODO */ }"));
  EXPECT_TRUE(untouched("__global__ void k(int n) {\n#pragma unroll\n}"));
  EXPECT_TRUE(untouched("__global__ void k(int* out) {\n int i = ____; // TODO\n out[i] = i;\n}"));
  EXPECT_FALSE(
      untouched("__global__ void k(int* out) {\n int i = 0; // not ____\n out[i] = i;\n}"));
}

TEST(Outline, AttributesAndMacrosAroundTheNameAreNone) {
  EXPECT_TRUE(untouched("__global__ LAUNCH(256) void k(int n) {}"));
  EXPECT_TRUE(untouched("__global__ void __cluster_dims__(2, 1, 1) k(int n) noexcept {}"));
  EXPECT_TRUE(untouched("__global__ void k(int (*f)(int))\n#pragma once\n{}"));
}

TEST(Outline, LinesOfAnotherKernel) {
  const Tokens tokens(
      "__device__ int helper(int n) {\n  return n;\n}\n__global__ void other(int n) {\n\n}\n"
      "template <typename T>\n__global__ void k(T* p) {\n\n}\n__device__ int last();\n");
  const OtherKernels others(tokens, "k<float>");
  for (std::uint32_t line = 1; line <= 11; ++line)
    EXPECT_EQ(others.have(line), line >= 4 && line <= 7) << line;
  EXPECT_TRUE(OtherKernels(tokens, "other").have(9));
  EXPECT_FALSE(OtherKernels(tokens, "space::other").have(5));
}

TEST(Outline, AnyCodeIsTouched) {
  EXPECT_FALSE(untouched("__global__ void k(int n) { int i = threadIdx.x; }"));
  EXPECT_FALSE(untouched("__global__ void k(int n) { ; }"));
  EXPECT_FALSE(untouched("__global__ void k(int n) { {} }"));
  EXPECT_FALSE(
      untouched("__global__ void k(float* o) { extern __shared__ float t[]; o[0] = t[0]; }"));
  EXPECT_FALSE(untouched("__global__ void k(int n) { __shared__ float tile[32]; }"));
}

TEST(Outline, AnUnclosedBodyIsNotUntouched) {
  EXPECT_FALSE(untouched("__global__ void k(int n) {"));
}

TEST(Outline, DeclarationsCallsAndNamesInTextAreNoDefinition) {
  EXPECT_FALSE(inspect_kernel("__global__ void k(int n);", "k").found);
  EXPECT_FALSE(inspect_kernel("void k(int n) {}", "k").found);
  EXPECT_FALSE(inspect_kernel("// __global__ void k(int n) {}", "k").found);
  EXPECT_FALSE(inspect_kernel("const char* s = \"__global__ void k(int n) {}\";", "k").found);
  EXPECT_FALSE(
      inspect_kernel("const char* s = R\"x(__global__ void k(int n) {} )\" )x\";", "k").found);
  EXPECT_FALSE(inspect_kernel("#define K __global__ void k(int n) \\\n {}\n", "k").found);
  EXPECT_FALSE(inspect_kernel("__global__ void kk(int n) {}", "k").found);
  EXPECT_FALSE(inspect_kernel("__global__ void f() { k(1); }", "k").found);
  EXPECT_TRUE(inspect_kernel("__global__ void k(int n);\n__global__ void k(int n) {}", "k").found);
}

TEST(Outline, BracesInLiteralsDoNotCount) {
  EXPECT_FALSE(untouched("__global__ void k(int n) { char c = '}'; }"));
  const KernelSource kernel = inspect_kernel(
      "__global__ void f() { char c = '{'; int x = 1'000; }\n__global__ void k() {\n}", "k");
  EXPECT_TRUE(kernel.found);
  EXPECT_TRUE(kernel.untouched);
}

TEST(Outline, LinesPointToTheBodyAndTheTodo) {
  const KernelSource kernel = inspect_kernel(
      "// TODO above\n\n__global__ void k(int n)\n{\n  // first\n  // TODO: here\n}\n", "k");
  EXPECT_EQ(kernel.line, 4u);
  EXPECT_EQ(kernel.todo_line, 6u);
  EXPECT_TRUE(kernel.body_has_todo);
  const KernelSource without =
      inspect_kernel("__global__ void k(int n) {\n}\n// TODO: elsewhere\n", "k");
  EXPECT_FALSE(without.body_has_todo);
  EXPECT_EQ(without.todo_line, 3u);
}

TEST(Outline, HostileTextEndsSomewhere) {
  for (const char* text : {"", "\"", "'", "/*", "R\"(", "R\"", "#", "#\\", "//\\",
                           "__global__ void k(", "__global__ k", "k(", "__global__ void k() {\"",
                           "\\", "'\\", "R\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa(x)"})
    inspect_kernel(text, "k");
  inspect_kernel(std::string("__global__ void k() {\0}", 23), "k");
}

}  // namespace
}  // namespace labkit::compile
