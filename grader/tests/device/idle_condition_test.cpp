// Conditions that ask for something else than they seem to, read from the source.
#include <gtest/gtest.h>

#include "device/source_findings.h"
#include "words/render.h"

namespace labkit::device {
namespace {

std::vector<IdleStatement> found(const std::string& body) {
  return idle_statements(
      "", "__global__ void k(float* out, int n, int r, int c) {\n" + body + "\n}\n", "k");
}
std::string only(const std::string& body) {
  const auto all = found(body);
  return all.size() == 1 && all[0].line == 2 ? words::render(all[0].what)
                                             : std::to_string(all.size());
}

TEST(IdleCondition, AnAssignmentInPlaceOfAComparison) {
  EXPECT_EQ(only("if (r = n && c < n) out[0] = 1;"),
            "`r = n && c < n` in a condition stores `n && c < n` in `r` and compares nothing.");
  EXPECT_EQ(only("if (c < n && r = n) out[0] = 1;"),
            "`r = n` in a condition stores `n` in `r` and compares nothing.");
  EXPECT_NE(only("while (out[r] = 5) ++r;"), "0");
  EXPECT_NE(only("for (int i = 0; i = n; ++i) out[i] = 1;"), "0");
  EXPECT_EQ(found("if (r = 1) out[0] = 1;")[0].fix.id, words::Id::idle_fix_assignment);
}

TEST(IdleCondition, OneThatIsMeant) {
  for (const char* body :
       {"if (int i = n) out[i] = 1;", "if (const float* p = out) out[0] = *p;",
        "if ((r = n) != 0) out[0] = 1;", "while ((r = n)) out[0] = 1;", "if (r == n) out[0] = 1;",
        "if (r <= n && c >= n && r != c) out[0] = 1;", "for (int i = 0; i < n; i += 1) out[i] = i;",
        "if (out[r] == n) out[0] = 1;", "if (auto f = [=] { return n; }; f() > 2) out[0] = 1;"})
    EXPECT_TRUE(found(body).empty()) << body;
}

TEST(IdleCondition, TwoComparisonsInARow) {
  EXPECT_EQ(found("if (0 <= r < n && c < n) out[0] = 1;").at(0).what,
            (words::Message{words::Id::idle_chain, {{"both", "0 <= r < n"}, {"left", "0 <= r"}}}));
  EXPECT_NE(only("if (c < n && (n > r > 0)) out[0] = 1;"), "0");
  for (const char* body :
       {"if (static_cast<float>(r) < out[n]) out[0] = 1;", "if (r << 2 < n) out[0] = 1;",
        "if (r < n && c < n) out[0] = 1;", "if (r < n || c > n) out[0] = 1;",
        "if ((r < n) == (c < n)) out[0] = 1;", "if (r < (c < n ? c : n)) out[0] = 1;"})
    EXPECT_TRUE(found(body).empty()) << body;
}

/// Nobody's condition, and a hostile source must neither exhaust the stack nor the afternoon.
TEST(IdleCondition, WhatIsNestedWithoutEndIsNotLookedAt) {
  const std::string open(200000, '('), close(200000, ')');
  EXPECT_TRUE(found("if (" + open + "r < n < c" + close + ") out[0] = 1;").empty());
  EXPECT_TRUE(found("if (" + open).empty());
  const std::string some_open(100, '('), some_close(100, ')');
  EXPECT_EQ(found("if (" + some_open + "r < n < c" + some_close + ") out[0] = 1;").size(), 1u);
}

TEST(IdleCondition, NotOfAnotherKernel) {
  EXPECT_TRUE(idle_statements("",
                              "__global__ void k() {}\n"
                              "__global__ void other(int* p, int n) {\n  if (n = 3) *p = 1;\n}\n",
                              "k")
                  .empty());
}

}  // namespace
}  // namespace labkit::device
