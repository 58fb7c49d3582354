// Conditions that ask for something else than they seem to, read from the source.
#include <gtest/gtest.h>

#include "device/source_findings.h"
#include "words/render.h"

namespace labkit::device {
namespace {

std::vector<IdleStatement> slips(const std::string& body) {
  return idle_statements(
      "", "__global__ void k(float* out, int n, int r, int c) {\n" + body + "\n}\n", "k");
}
std::string only_slip(const std::string& body) {
  const auto all = slips(body);
  return all.size() == 1 && all[0].line == 2 ? words::render(all[0].what)
                                             : std::to_string(all.size());
}

TEST(SourceSlip, AnAssignmentInPlaceOfAComparison) {
  EXPECT_EQ(only_slip("if (r = n && c < n) out[0] = 1;"),
            "`r = n && c < n` in a condition stores `n && c < n` in `r` and compares nothing.");
  EXPECT_EQ(only_slip("if (c < n && r = n) out[0] = 1;"),
            "`r = n` in a condition stores `n` in `r` and compares nothing.");
  EXPECT_NE(only_slip("while (out[r] = 5) ++r;"), "0");
  EXPECT_NE(only_slip("for (int i = 0; i = n; ++i) out[i] = 1;"), "0");
  EXPECT_EQ(slips("if (r = 1) out[0] = 1;")[0].fix.id, words::Id::idle_fix_assignment);
}

TEST(SourceSlip, OneThatIsMeant) {
  for (const char* body :
       {"if (int i = n) out[i] = 1;", "if (const float* p = out) out[0] = *p;",
        "if ((r = n) != 0) out[0] = 1;", "while ((r = n)) out[0] = 1;", "if (r == n) out[0] = 1;",
        "if (r <= n && c >= n && r != c) out[0] = 1;", "for (int i = 0; i < n; i += 1) out[i] = i;",
        "if (out[r] == n) out[0] = 1;", "if (auto f = [=] { return n; }; f() > 2) out[0] = 1;"})
    EXPECT_TRUE(slips(body).empty()) << body;
}

TEST(SourceSlip, TwoComparisonsInARow) {
  EXPECT_EQ(slips("if (0 <= r < n && c < n) out[0] = 1;").at(0).what,
            (words::Message{words::Id::idle_chain, {{"both", "0 <= r < n"}, {"left", "0 <= r"}}}));
  EXPECT_NE(only_slip("if (c < n && (n > r > 0)) out[0] = 1;"), "0");
  for (const char* body :
       {"if (static_cast<float>(r) < out[n]) out[0] = 1;", "if (r << 2 < n) out[0] = 1;",
        "if (r < n && c < n) out[0] = 1;", "if (r < n || c > n) out[0] = 1;",
        "if (r < n and c < n) out[0] = 1;", "if (not r < n or c > n) out[0] = 1;",
        "if ((r < n) == (c < n)) out[0] = 1;", "if (r < (c < n ? c : n)) out[0] = 1;"})
    EXPECT_TRUE(slips(body).empty()) << body;
}

TEST(SourceSlip, TheSharedArrayOfALine) {
  const std::string source =
      "__global__ void k(float* p) {\n  __shared__ float a[32][32], x;\n"
      "  __shared__ float b[4];\n  a[0][1] = p[0];\n  b[0] = a[0][1];\n  p[0] = 1;\n}\n";
  EXPECT_EQ(shared_array_on(source, 4), "a");
  EXPECT_EQ(shared_array_on(source, 5), "");
  EXPECT_EQ(shared_array_on(source, 6), "");
}

TEST(SourceSlip, TheFirstFloatOfTheKernelOrItsHelpers) {
  const std::string helper = "__device__ float half(double v) { return v / 2; }\n",
                    other = "__global__ void o(float* p) { *p = 1; }\n",
                    kernel = "__global__ void k(double* p) {\n  *p = half(*p);\n}\n";
  EXPECT_EQ(float_in(other + helper + kernel, "k").value().line, 2u);
  EXPECT_FALSE(float_in(other + kernel, "k"));
}

/// Nobody's condition, and a hostile source must neither exhaust the stack nor the afternoon.
TEST(SourceSlip, WhatIsNestedWithoutEndIsNotLookedAt) {
  const std::string open(200000, '('), close(200000, ')');
  EXPECT_TRUE(slips("if (" + open + "r < n < c" + close + ") out[0] = 1;").empty());
  EXPECT_TRUE(slips("if (" + open).empty());
  const std::string some_open(100, '('), some_close(100, ')');
  EXPECT_EQ(slips("if (" + some_open + "r < n < c" + some_close + ") out[0] = 1;").size(), 1u);
}

TEST(SourceSlip, NotOfAnotherKernel) {
  EXPECT_TRUE(idle_statements("",
                              "__global__ void k() {}\n"
                              "__global__ void other(int* p, int n) {\n  if (n = 3) *p = 1;\n}\n",
                              "k")
                  .empty());
}

TEST(SourceSlip, ALoopThatEndsAtItsSemicolon) {
  const auto loop = [](const char* body) {
    const auto all = slips(body);
    return all.size() == 1 && all[0].what.id == words::Id::idle_loop &&
           all[0].fix.id == words::Id::idle_fix_loop;
  };
  EXPECT_TRUE(loop("for (int i = 0; i < n; ++i);\n{ out[r] = 1; }"));
  EXPECT_TRUE(loop("  for (c = 0; c < n; ++c);\n    out[c] = 1;"));
  EXPECT_TRUE(loop("while (c < n);\n  { out[c] = 1; ++c; }"));
  for (const char* body :
       {"for (c = 1; c < n; c *= 2);\nout[c] = 1;", "for (c = 1; c < n; c *= 2)\n  ;\nout[c] = 1;",
        "do { ++c; } while (c < n);\n  out[c] = 1;",
        "while (atomicCAS(p, 0, 1) != 0);\nout[c] = 1;", "for (int i = 0; i < n; ++i) out[i] = 1;"})
    EXPECT_TRUE(slips(body).empty()) << body;
}

TEST(SourceSlip, AVariableOfALoopThatHasEnded) {
  compile::Diagnostic error;
  error.line = 3;
  error.kind = compile::DiagnosticKind::undefined_identifier;
  error.names = {"i"};
  EXPECT_EQ(
      loop_without_body(error, "void k() {\n  for (int i = 0; i < 4; ++i);\n    x[i] = 1;\n}"), 2u);
  EXPECT_EQ(
      loop_without_body(error, "void k() {\n  for (int i = 0; i < 4; ++i)\n    y = 1; x[i] = 1;"),
      0u);
}

TEST(SourceSlip, AVariableOfALoopOfOneStatement) {
  compile::Diagnostic error;
  error.kind = compile::DiagnosticKind::undefined_identifier;
  error.names = {"k"};
  const auto loop = [&](std::uint32_t line, const char* text) {
    error.line = line;
    return loop_without_body(error, text, true);
  };
  EXPECT_EQ(loop(1, "for (int k = 0; k < 4; k++) y = 1; x[k] = 1;"), 1u);
  EXPECT_EQ(loop(3, "for (int k = 0; k < 4; k++)\n  y = 1;\n  x[k] = 1;"), 1u);
  EXPECT_EQ(loop(2, "for (int k = 0; k < 4; k++) { y = 1; }\n  x[k] = 1;"), 0u);
  EXPECT_EQ(loop(2, "for (int i = 0; i < 4; i++) y = 1;\n  x[k] = 1;"), 0u);
}

TEST(SourceSlip, WhatKeepsAStoreFromAnElement) {
  using words::Id;
  const auto why = [](const std::string& text, std::uint64_t rows, std::uint64_t total) {
    const auto line = static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
    return unreached_store(
        text,
        {.where = {"kernel.cu", line}, .rows = rows, .total = total, .scalars = {{"n", "32"}}});
  };
  EXPECT_EQ(why("if (idx < n) y[idx] = s[k];", 32, 1024).id, Id::store_condition);
  const auto end =
      why("for (int e = t; e < kPowers; e += kBlock) {\n  int num = e / kPowers;\n"
          "  if (num < n) y[num * kPowers + e % kPowers] = s[e];",
          32, 1024);
  EXPECT_EQ(end.id, Id::store_loop_ends);
  EXPECT_EQ(*end.find("end"), words::Value("e < kPowers"));
  EXPECT_EQ(*end.find("loop"), words::Value(words::SourceLine{"kernel.cu", 1}));
  EXPECT_EQ(why("if (i < 3) c[i] = a[i];", 32, 32).id, Id::store_condition);
  EXPECT_EQ(why("if (i < n) c[i] = a[i];", 32, 32).id, Id::none);
  EXPECT_EQ(why("for (int k = 0; k < 7; k++)\n  if (i < 3) c[k * n + i] = a[i];", 8, 256).id,
            Id::store_loop_ends_or_condition);
}

TEST(SourceSlip, ParametersInAnotherOrder) {
  const std::vector<std::string> given = {"in", "out", "rows", "cols"};
  const auto swapped = [&](const std::string& head) {
    return swapped_parameters("template <typename T>\n__global__ void k(" + head + ") {}\n",
                              "k<float>", given);
  };
  const auto one = swapped("const T* __restrict__ in, T* out, int cols, int rows");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->line, 2u);
  EXPECT_EQ(one->what, (words::Message{words::Id::idle_parameter_order,
                                       {{"wanted", "rows"}, {"name", "cols"}}}));
  EXPECT_FALSE(swapped("const T* in, T* out, int rows, int cols"));
  EXPECT_FALSE(swapped("const T* in, T* out, int height, int rows"));
  EXPECT_FALSE(swapped("const T* in, T* out, int"));
}

TEST(SourceSlip, AFunctionThatRoundsInAnotherWay) {
  const auto call = rounding_call(
      "__global__ void other() { pow(1, 2); }\n"
      "__global__ void k(float* y) {\n  y[0] = powf(y[1], 3);\n}\n",
      "k");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->line, 3u);
  EXPECT_EQ(call->what, (words::Message{words::Id::idle_rounding, {{"function", "powf"}}}));
  EXPECT_FALSE(rounding_call("__global__ void k(float* y) { y[0] *= y[1]; }\n", "k"));
}

}  // namespace
}  // namespace labkit::device
