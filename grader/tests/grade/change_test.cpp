// What a change of a few lines says was wrong.
#include "grade/change.h"

#include <gtest/gtest.h>

#include "words/message.h"

namespace labkit::grade {
namespace {

using words::Id;

std::string text_of(const words::Message& message, std::string_view name) {
  const words::Value* value = message.find(name);
  const auto* text = value ? std::get_if<std::string>(value) : nullptr;
  return text ? *text : "";
}

struct Row {
  std::vector<ChangedLine> lines;
  Id id;
  std::string before, after;  ///< parameters; "": not looked at
};

std::vector<std::string_view> ids(const std::vector<words::Message>& sentences) {
  std::vector<std::string_view> all;
  for (const words::Message& one : sentences) all.push_back(words::name_of(one.id));
  return all;
}

class Change : public testing::TestWithParam<Row> {};

TEST_P(Change, IsDescribed) {
  const Row& row = GetParam();
  const std::vector<words::Message> all = describe_change(row.lines);
  EXPECT_LE(all.size(), 1u);
  const words::Message message = all.empty() ? words::Message{} : all.front();
  EXPECT_EQ(words::name_of(message.id), words::name_of(row.id));
  EXPECT_EQ(row.before.empty() ? "" : text_of(message, "before"), row.before);
  EXPECT_EQ(row.after.empty() ? "" : text_of(message, "after"), row.after);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Change,
    testing::Values(
        Row{{{7, "for (int i = 0; i <= n; i++)", "for (int i = 0; i < n; i++)"}},
            Id::change_other,
            "i <= n",
            "i < n"},
        Row{{{3, "sum += as[k][ty] * bs[k][tx];", "sum += as[ty][k] * bs[k][tx];"}},
            Id::change_swapped_indices,
            "as[k][ty]",
            "as[ty][k]"},
        Row{{{3, "out[r * n + c] = x;", "out[c * n + r] = x;"}},
            Id::change_swapped,
            "r * n + c",
            "c * n + r"},
        Row{{{3, "c[i] = a[i];", "if (i < n) c[i] = a[i];"}}, Id::change_guard, "", ""},
        Row{{{3, "f = z + i;", "if (i >= n) return;\nf = z + i;"}}, Id::change_return, "", ""},
        Row{{{3, "v = in[i];", "v = i < n ? in[i] : 0;"}}, Id::change_guard, "", ""},
        Row{{{3, "int k = (o + i) * s;", "int k = o + i * s;"}},
            Id::change_other,
            "(o + i) * s",
            "o + i * s"},
        Row{{{3, "t[i][(j - i) % 32] = x;", "t[i][(j - i + 32) % 32] = x;"}},
            Id::change_other,
            "(j - i) % 32",
            "(j - i + 32) % 32"},
        Row{{{3, "y = a + b;", "y = a + b + 1;"}}, Id::change_other, "b", "b + 1"},
        Row{{{3, "__shared__ float t[32][32];", "__shared__ float t[32][33];"}},
            Id::change_other,
            "32",
            "33"},
        Row{{{3, "if (x < n) t[x] = in[x];", "t[x] = x < n ? in[x] : 0;"}},
            Id::change_zero,
            "",
            ""},
        Row{{{3, "if (x < n)", ""}, {4, "t[x] = in[x];", "t[x] = x < n ? in[x] : 0;"}},
            Id::change_zero,
            "",
            ""},
        Row{{{3, "if (s == 1) {", "if (s == 1 && o % 4 == 0) {"}},
            Id::change_other,
            "(s == 1)",
            "(s == 1 && o % 4 == 0)"},
        Row{{{3, "__shared__ float t[32][33];", "__shared__ float t[4][32][33];"},
             {5, "t[l][k] = v;", "t[threadIdx.x / 32][l][k] = v;"}},
            Id::change_tile_for_each_warp,
            "",
            ""},
        Row{{{3, "float t[32][33];", "float t[4][32][33];"}}, Id::change_other, "[32]", "[4][32]"},
        Row{{{3, "t[x][y] = x < n ? a[x * n + y] : b[x];",
              "t[y][x] = y < n ? a[y * n + x] : b[y];"}},
            Id::change_exchanged,
            "",
            ""},
        Row{{{3, "// nothing", "x = 1;"}}, Id::change_added, "", "x = 1;"},
        Row{{{4, "}", "last = seen;\n}"}}, Id::change_added, "", "last = seen;"},
        Row{{{4, "#define N 5u", "#define N 3u"}}, Id::change_other, "5u", "3u"},
        Row{{{4, "i += 1;", ""}}, Id::change_deleted, "i += 1;", ""},
        Row{{{4, "a();", "b();"}, {5, "b();", "a();"}}, Id::change_order, "", ""},
        Row{{{4, "r = blockIdx.y;", "r = blockIdx.x;"}, {5, "c = blockIdx.x;", "c = blockIdx.y;"}},
            Id::change_swapped_lines,
            "blockIdx.y",
            "blockIdx.x"},
        Row{{{4, "p = z + i;", "p = w + i;"}, {6, "q = z + i;", "q = w + i;"}},
            Id::change_same_lines,
            "z",
            "w"},
        Row{{{4, "for (;;) {", "float s = 0;\nfor (;;) {"}, {5, "float s = 0;", ""}},
            Id::change_moved_before,
            "float s = 0;",
            ""},
        Row{{{5, "s = 0;", ""}, {9, "}", "}\n s = 0;"}}, Id::change_moved_behind, "s = 0;", ""},
        Row{{{9, "if (x >= n) return;", ""}, {10, "t[x] = a[x];", "if (x < n) t[x] = a[x];"}},
            Id::change_returns_early,
            "",
            ""},
        Row{{{4, "s[4] = {W, H};", "s[4] = {H, W};"}}, Id::change_swapped, "W, H", "H, W"},
        Row{{{6, "s = a * b;", "s = b * a;"}, {7, "i = a;", "i = c;"}}, Id::change_other, "a", "c"},
        Row{{{6, "const int i = b;", "int i = b;"}}, Id::change_other, "const int", "int"},
        Row{{}, Id::none, "", ""}));

TEST(Change, OfSeveralLinesHasASentenceForEachOfTwo) {
  EXPECT_EQ(ids(describe_change({{4, "s = 32 * n;", "s = 31 * n;"}, {5, "s += 7;", "s += 8;"}})),
            (std::vector<std::string_view>{"change_other", "change_other"}));
  EXPECT_EQ(ids(describe_change({{4, "const int i = b;", "int i = b;"},
                                 {5, "if (i < n) {", "for (; i < n; i += 2) {"},
                                 {6, "s += 7;", "s += 8;"}})),
            (std::vector<std::string_view>{"change_other", "change_other", "change_more"}));
}

}  // namespace
}  // namespace labkit::grade
