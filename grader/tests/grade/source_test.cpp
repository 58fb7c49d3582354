#include "grade/source.h"

#include <gtest/gtest.h>

namespace labkit::lab {
namespace {

bool untouched(const std::string& source) {
  const KernelSource kernel = inspect_kernel(source, "k");
  EXPECT_TRUE(kernel.found) << source;
  return kernel.untouched;
}

TEST(Source, AnEmptyBodyIsUntouched) {
  EXPECT_TRUE(untouched("__global__ void k(int n) {}"));
  EXPECT_TRUE(untouched("__global__ void k(int n) {\n // TODO: } \n /* } */ \n}"));
  EXPECT_TRUE(
      untouched("template <typename T>\n__global__ void __launch_bounds__(256) k(const T* a) "
                "{\n}\nvoid f() { g(); }"));
  EXPECT_TRUE(
      untouched("__global__ void k(float* out) { extern __shared__ float tile[]; /* TODO */ }"));
  EXPECT_TRUE(untouched("__global__ void k(int n) {\n#pragma unroll\n}"));
}

TEST(Source, AnyCodeIsTouched) {
  EXPECT_FALSE(untouched("__global__ void k(int n) { int i = threadIdx.x; }"));
  EXPECT_FALSE(untouched("__global__ void k(int n) { ; }"));
  EXPECT_FALSE(untouched("__global__ void k(int n) { {} }"));
  EXPECT_FALSE(
      untouched("__global__ void k(float* o) { extern __shared__ float t[]; o[0] = t[0]; }"));
  EXPECT_FALSE(untouched("__global__ void k(int n) { __shared__ float tile[32]; }"));
}

TEST(Source, AnUnclosedBodyIsNotUntouched) {
  EXPECT_FALSE(untouched("__global__ void k(int n) {"));
}

TEST(Source, DeclarationsCallsAndNamesInTextAreNoDefinition) {
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

TEST(Source, BracesInLiteralsDoNotCount) {
  EXPECT_FALSE(untouched("__global__ void k(int n) { char c = '}'; }"));
  const KernelSource kernel = inspect_kernel(
      "__global__ void f() { char c = '{'; int x = 1'000; }\n__global__ void k() {\n}", "k");
  EXPECT_TRUE(kernel.found);
  EXPECT_TRUE(kernel.untouched);
}

TEST(Source, LinesPointToTheBodyAndTheTodo) {
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

TEST(Source, HostileTextEndsSomewhere) {
  for (const char* text : {"", "\"", "'", "/*", "R\"(", "R\"", "#", "#\\", "//\\",
                           "__global__ void k(", "__global__ k", "k(", "__global__ void k() {\"",
                           "\\", "'\\", "R\"aaaaaaaaaaaaaaaaaaaaaaaaaaaa(x)"})
    inspect_kernel(text, "k");
  inspect_kernel(std::string("__global__ void k() {\0}", 23), "k");
}

TEST(Source, TheFirstCommentDeclaresTheVerdict) {
  EXPECT_EQ(declared_verdict("// verdict: wrong_result\n// more\nint x;"), "wrong_result");
  EXPECT_EQ(declared_verdict("\n\n// A title.\n// verdict: gate read_sectors  \n"),
            "gate read_sectors");
  EXPECT_EQ(declared_verdict("/* verdict: out_of_bounds */\n"), "out_of_bounds");
  EXPECT_EQ(declared_verdict("int x; // verdict: pass\n"), std::nullopt);
  EXPECT_EQ(declared_verdict("// nothing here\n\n// verdict: pass\n"), std::nullopt);
  EXPECT_EQ(declared_verdict(""), std::nullopt);
  EXPECT_EQ(declared_verdict("/*"), std::nullopt);
}

TEST(Source, AWrongSolutionDeclaresAndMarks) {
  const char* source =
      "// verdict: race\n// class: missing first barrier\n// defect: race.missing_barrier\n\n"
      "// class: of another comment\nint a;  // <--\nint b;\nint c;  // <--  \nint d;  // <-- e\n";
  EXPECT_EQ(declared(source, "class"), "missing first barrier");
  EXPECT_EQ(declared(source, "defect"), "race.missing_barrier");
  EXPECT_EQ(declared(source, "lines"), std::nullopt);
  EXPECT_EQ(marked_lines(source), (std::vector<std::uint32_t>{6, 8}));
}

}  // namespace
}  // namespace labkit::lab
