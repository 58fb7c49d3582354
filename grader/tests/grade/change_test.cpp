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
  EXPECT_LE(all.size(), 2u);  // the second is the reason
  const words::Message message = all.empty() ? words::Message{} : all.front();
  EXPECT_EQ(words::name_of(message.id), words::name_of(row.id));
  EXPECT_EQ(row.before.empty() ? "" : text_of(message, "before"), row.before);
  EXPECT_EQ(row.after.empty() ? "" : text_of(message, "after"), row.after);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Change,
    testing::Values(
        Row{{{7, "for (int i = 0; i < m; i++)", "for (int i = 0; i < n; i++)"}},
            Id::change_other,
            "m",
            "n"},
        Row{{{3, "sum += as[k][ty] * bs[k][tx];", "sum += as[ty][k] * bs[k][tx];"}},
            Id::change_swapped_indices,
            "as[k][ty]",
            "as[ty][k]"},
        Row{{{3, "out[r * n + c] = x;", "out[c * n + r] = x;"}},
            Id::change_exchanged,
            "r * n + c",
            "c * n + r"},
        Row{{{3, "c[i] = a[i];", "if (i < n) c[i] = a[i];"}}, Id::change_guard, "", ""},
        Row{{{3, "span = 32 * s;", "span = 31 * s;"}}, Id::change_value, "32 * s", "31 * s"},
        Row{{{3, "if (u < n) {", "if (v < n) {"}}, Id::change_condition, "u < n", "v < n"},
        Row{{{3, "f = z + i;", "if (i >= n) return;\nf = z + i;"}}, Id::change_return, "", ""},
        Row{{{3, "v = in[i];", "v = i < n ? in[i] : 0;"}}, Id::change_choice, "", ""},
        Row{{{3, "int k = (o + i) * s;", "int k = o + i * s;"}},
            Id::change_value,
            "(o + i) * s",
            "o + i * s"},
        Row{{{3, "t[i][(j - i) % 32] = x;", "t[i][(j - i + 32) % 32] = x;"}},
            Id::change_index,
            "(j - i) % 32",
            "(j - i + 32) % 32"},
        Row{{{3, "y = a + b;", "y = a + b + 1;"}}, Id::change_value, "b", "b + 1"},
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
        Row{{{3, "r = min(max(r, 0), h - 1);", ""},
             {4, "t[y] = in[r * w];", "t[y] = r >= 0 && r < h ? in[r * w] : 0;"}},
            Id::change_clamped,
            "",
            ""},
        // behind a condition that goes it is no clamp
        Row{{{3, "if (r >= 0 && r < h)", ""},
             {4, "t[y] = in[r * w];", "t[y] = r >= 0 && r < h ? in[r * w] : 0;"}},
            Id::change_zero,
            "",
            ""},
        Row{{{3, "if (x < n) {", ""},
             {4, "c[x] = v;", ""},
             {5, "}", ""},
             {6, "}", "} if (x < n) { c[x] = v; }"}},
            Id::change_moved_lines,
            "",
            ""},
        Row{{{3, "if (s == 1) {", "if (s == 1 && o % 4 == 0) {"}},
            Id::change_condition,
            "(s == 1)",
            "(s == 1 && o % 4 == 0)"},
        Row{{{3, "__shared__ float t[32][33];", "__shared__ float t[4][32][33];"},
             {5, "t[l][k] = v;", "t[threadIdx.x / 32][l][k] = v;"}},
            Id::change_tile_for_each_warp,
            "",
            ""},
        Row{{{3, "float t[32][33];", "float t[4][32][33];"}}, Id::change_extent, "[32]", "[4][32]"},
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
            Id::change_other,
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
        Row{{{4, "s[4] = {W, H};", "s[4] = {H, W};"}}, Id::change_exchanged, "W, H", "H, W"},
        Row{{{6, "s = a * b;", "s = b * a;"}, {7, "i = a;", "i = c;"}}, Id::change_other, "a", "c"},
        Row{{{6, "const int i = b;", "int i = b;"}}, Id::change_type, "const int", "int"},
        Row{{{4, "if (in) t[y] = a[x];", "if (in) t[y] = a[x]; else t[y] = 0;"}},
            Id::change_else_zero,
            "",
            ""},
        Row{{}, Id::none, "", ""}));

TEST(Change, OfSeveralLinesHasASentenceForEachOfTwo) {
  EXPECT_EQ(ids(describe_change({{4, "s = 32 * n;", "s = 31 * n;"}, {5, "t += 7;", "t += 8;"}})),
            (std::vector<std::string_view>{"change_value", "change_value"}));
  const auto both = describe_change({{4, "s = 32 * n;", "s = 31 * n;"}, {5, "s += 7;", "s += 8;"}});
  ASSERT_EQ(ids(both), std::vector<std::string_view>{"change_value"});
  EXPECT_EQ(text_of(both[0], "lines"), "4, 5");
  // beside the reason, what the lines show is left out
  EXPECT_EQ(ids(describe_change({{4, "const int i = b;", "int i = b;"},
                                 {5, "if (i < n) {", "for (; i < n; i += 2) {"},
                                 {6, "s += 7;", "s += 8;"}})),
            (std::vector<std::string_view>{"change_at", "change_once"}));
}

TEST(Change, OfSeveralPlacesOfALineIsOnePiece) {
  const auto parts = describe_change({{4, "from = z + i * kParts;", "from = z + i;"},
                                      {5, "to = w + i * kParts;", "to = w + i;"},
                                      {6, "to[k] = from[k] * f;", "to[k * n] = from[k * n] * f;"}});
  ASSERT_EQ(ids(parts),
            (std::vector<std::string_view>{"change_value", "change_value", "change_more"}));
  EXPECT_EQ(text_of(parts[0], "before"), "i * kParts");
  const auto divisors =
      describe_change({{4, "y = e / kEdge, x = e % kEdge;", "y = e / kRow, x = e % kRow;"}});
  EXPECT_EQ(text_of(divisors[0], "before"), "kEdge");
  EXPECT_EQ(text_of(divisors[0], "after"), "kRow");
  EXPECT_EQ(
      text_of(describe_change({{4, "s = a[i] + a[i];", "s = a[i - 1] + a[i + 1];"}})[0], "before"),
      "a[i] + a[i]");
}

TEST(Change, SaysWhereItIsWrongAsFarAsThePlaceTells) {
  const auto place = [](const char* before, const char* after) {
    const auto all = describe_change({{4, before, after}});
    return all.size() == 1 ? std::string(words::name_of(all[0].id)) + " " + text_of(all[0], "name")
                           : std::string();
  };
  EXPECT_EQ(place("out[k] = a[i] + s;", "out[k] = a[i] + s * 2;"), "change_stored out");
  EXPECT_EQ(place("out[k] = a[i] + s;", "out[k] = a[i * 2] + s;"), "change_index a");
  EXPECT_EQ(place("out[k] = s;", "out[k + 1] = s;"), "change_index out");
  EXPECT_EQ(place("t[y][x + 1] = s;", "t[y][x + 2] = s;"), "change_index t");
  EXPECT_EQ(place("const float s = v;", "const unsigned char s = v;"), "change_type s");
  EXPECT_EQ(place("bool in = r <= rows;", "bool in = r <= rows * 2;"), "change_value in");
  EXPECT_EQ(place("return a + b;", "return a - b;"), "change_returned ");
  EXPECT_EQ(place("if (f(a) > 2) g(3);", "if (f(a) > 2) g(3 + n);"), "change_argument g");
  EXPECT_EQ(place("if (f(a) > 2) g(3);", "if (f(a + b) > 2) g(3);"), "change_condition ");
  EXPECT_EQ(place("atomicAdd(out, s);", "atomicAdd(out, s + t);"), "change_argument atomicAdd");
  EXPECT_EQ(place("while (i < n) {", "while (i < n * 2) {"), "change_loop ");
  EXPECT_EQ(place("++i;", "--i;"), "change_value i");
  EXPECT_EQ(place("p++;", "p += n;"), "change_value p");
  EXPECT_EQ(place("*p = 0;", "*(p + 1) = 0;"), "change_target ");
  EXPECT_EQ(place("a + b;", "a - b;"), "change_line ");
  EXPECT_EQ(place("s = v;", "s = w;"), "change_other s");  // a word is quoted
}

TEST(Change, OfSeveralLinesComesToOneSentence) {
  const auto exchanged = describe_change(
      {{4, "x = f(threadIdx.x);", "x = f(threadIdx.y);"},
       {6, "y = threadIdx.y;", "y = threadIdx.x;"},
       {9, "s[threadIdx.y][threadIdx.x] = 1;", "s[threadIdx.x][threadIdx.y] = 1;"}});
  ASSERT_EQ(ids(exchanged), (std::vector<std::string_view>{"change_exchanged_lines"}));
  EXPECT_EQ(text_of(exchanged[0], "lines"), "4, 6, 9");
  EXPECT_EQ(text_of(exchanged[0], "first"), "threadIdx.x");
  EXPECT_EQ(ids(describe_change({{4, "w[y][x] = in[i];", "w[x][y] = in[i];"},
                                 {6, "sum += v[k] * w[x][k];", "sum += v[k] * w[k][x];"}})),
            (std::vector<std::string_view>{"change_swapped_indices_lines"}));
  EXPECT_EQ(ids(describe_change({{3, "for (;;) {", "float s = 0;\n for (;;) {"},
                                 {5, "float s = 0;", ""},
                                 {7, "out[i] += s;", ""},
                                 {8, "}", "}\n out[i] = s;"}})),
            (std::vector<std::string_view>{"change_stored_once"}));
  EXPECT_EQ(
      ids(describe_change({{3, "__shared__ float w[32][33];", "__shared__ float w[4][32][33];"},
                           {5, "f(w);", "f(w[warp]);"}})),
      (std::vector<std::string_view>{"change_tile_for_each_warp"}));
}

TEST(Change, OfArraysLoopsAndConditionsIsOneCause) {
  EXPECT_EQ(ids(describe_change({{2, "__shared__ float t[8];",
                                  "__shared__ float t[8];\n  __shared__ float sums[8];"},
                                 {5, "t[y] = sum;", "sums[y] = sum;"},
                                 {7, "s += t[x];", "s += sums[x];"}})),
            (std::vector<std::string_view>{"change_own_array"}));
  const auto loops =
      describe_change({{2, "if (t < n) b[t] = 0;", "for (int k = t; k < n; k += 8) b[k] = 0;"},
                       {5, "if (t < n) f(b[t]);", "for (int k = t; k < n; k += 8) f(b[k]);"}});
  ASSERT_EQ(ids(loops), (std::vector<std::string_view>{"change_if_loops"}));
  EXPECT_EQ(text_of(loops[0], "lines"), "2, 5");
  const auto barrier =
      ids(describe_change({{3, "__syncthreads();", ""}, {4, "}", "}\n  __syncthreads();"}},
                          "for (int i = t; i < n; i += 8) {\n  f(i);\n  __syncthreads();\n}\n"));
  EXPECT_EQ(barrier.back(), "change_barrier_behind_loop");
  const auto each =
      ids(describe_change({{2, "if (mine) {", ""},
                           {3, "if (k < m) a[y] = p[k];", "if (i < n && k < m) a[y] = p[k];"},
                           {4, "if (l < m) b[y] = q[l];", "if (l < m && j < w) b[y] = q[l];"},
                           {5, "}", ""}},
                          "__shared__ float a[8], b[8];\n"));
  EXPECT_EQ(each.back(), "change_each_condition");
}

struct Reason {
  ChangedLine line;
  std::string_view reason;  ///< "": none
  std::string_view source = {};
};

TEST(Change, OfTheOrderOfAStoreHasAReason) {
  const std::vector<ChangedLine> early = {{4, "y[k] = p;", "p *= x;"}, {5, "p *= x;", "y[k] = p;"}},
                                 late = {{4, "p *= x;", "y[k] = p;"}, {5, "y[k] = p;", "p *= x;"}},
                                 other = {{4, "y[k] = p;", "q *= x;"}, {5, "q *= x;", "y[k] = p;"}};
  EXPECT_EQ(ids(describe_change(early)).back(), "change_stored_early");
  EXPECT_EQ(ids(describe_change(late)).back(), "change_stored_late");
  EXPECT_EQ(ids(describe_change(other)), std::vector<std::string_view>{"change_order"});
}

TEST(Change, HasAReason) {
  constexpr std::string_view kTile =
      "__shared__ float w[32][32];\nw[ty][tx] = in[i];\n__syncthreads();\nout[i] = w[ty][tx];\n";
  for (const Reason& row : {
           Reason{{3, "q = p + i * sizeof(T);", "q = p + i;"}, "change_bytes"},
           Reason{{3, "return i / kBytes;", "return i * 4 / kBytes;"}, "change_index_in_bytes"},
           Reason{{3, "int w = gridDim.x * blockDim.x;", "int w = n;"}, "change_whole_blocks"},
           Reason{{3, "T sum = first(i);", "T sum = 0;"}, ""},
           Reason{{3, "__shared__ T w[N + 1][N];", "__shared__ T w[N][N + 1];"},
                  "change_pads_rows"},
           Reason{{3, "__shared__ T w[N + 1][M];", "__shared__ T w[M][N + 1];"}, ""},
           Reason{{3, "s = b / 8;", "s = b / 32;"},
                  "change_counts_bytes",
                  "int b = i * sizeof(float);\nint s = b / 8;\n"},
           Reason{{3, "s = b / 8;", "s = b / 32;"}, "", "int b = i;\nint s = b / 8;\n"},
           Reason{{1, "#define WIDE 32 + 1", "#define WIDE (32 + 1)"}, "change_macro"},
           Reason{{1, "#define WIDE 32 + 1", "#define WIDE 32 + 2"}, ""},
           Reason{{3, "at = y << 5 + x;", "at = (y << 5) + x;"}, "change_precedence"},
           Reason{{3, "at += hop;", "at += n;"}, "change_counts_bytes", "hop = n * sizeof(T);\n"},
           Reason{{3, "y[k * all + i] = p;", "y[k * n + i] = p;"},
                  "change_whole_blocks",
                  "int all = gridDim.x * blockDim.x;\n"},
           Reason{{3, "const int pad = 64 / sizeof(T);", "const int pad = 1;"}, ""},
           Reason{{3, "if (seen <= last) a();", "if (seen < last) a();"}, "", "last = seen;\n"},
           Reason{{3, "if (x >= w && y >= h) return;", "if (x >= w || y >= h) return;"},
                  "change_outside_either"},
           Reason{{3, "if (x < w || y < h) {", "if (x < w && y < h) {"}, "change_inside_both"},
           Reason{{3, "if (r < 0 || c >= w) {", "if (r < 0 || c < 0 || c >= w) {"},
                  "change_below_zero"},
           Reason{{3, "if (c < w) {", "if (c >= 0 && c < w) {"}, "change_below_zero"},
           Reason{{3, "ok = r < h && c < w;", "ok = r < h && c >= 0 && c < w;"},
                  "change_below_zero"},
           Reason{{3, "if (t == 0) atomicAdd(sum, v);", "if (t % 32 == 0) atomicAdd(sum, v);"}, ""},
           Reason{{3, "c = x ^ y;", "c = (x + y) % n;"}, "change_power_of_two"},
           Reason{{3, "c = x & (n - 1);", "c = x % n;"}, "change_power_of_two"},
           Reason{{3, "m = n / 32;", "m = (n + 32 - 1) / 32;"}, "change_rounds_down"},
           Reason{{3, "if (at < h * w) {", "if (y < h && x < w) {"}, "change_next_row"},
           Reason{{3, "r = min(y, h);", "r = min(y, h - 1);"}, "change_last_index"},
           Reason{{3, "if (i <= n) a();", "if (i < n) a();"}, "change_past_the_end"},
           Reason{{3, "float t[32];", "__shared__ float t[32];"}, "change_private"},
           Reason{{3, "sum = a[i];", "sum += a[i];"}, "change_keeps_last"},
           Reason{{3, "if (i < n) {", "for (; i < n; i += all) {"}, ""},
           Reason{{3, "y[k * (gridDim.x * blockDim.x) + i] = p;", "y[k * n + i] = p;"}, ""},
           Reason{{3, "to += gridDim.x * blockDim.x;", "to += n;"}, "change_whole_blocks"},
           Reason{{3, "x = blockIdx.x * kEdge;", "x = blockIdx.x * blockDim.x;"},
                  "change_block_size"},
           Reason{{3, "return x * h + y;", "return y * h + x;"}, ""},
           Reason{{3, "return r + c * w;", "return r * w + c;"}, "change_row_major"},
           Reason{{3, "int sum = 0;", "float sum = 0;"}, "change_whole_numbers"},
           Reason{{3, "for (int j = 0; j < 32; ++j)",
                   "for (int j = threadIdx.x / 32; j < 128; j += 128 / 32)"},
                  "change_each_warp"},
           Reason{{1, "if (i >= n) return;", ""},
                  "change_leaves",
                  "if (i >= n) return;\n__syncthreads();\n"},
           Reason{{1, "if (i >= n) return;", ""}, ""},
           Reason{{1, "if (i >= n) return;", ""},
                  "change_leaves_shuffle",
                  "if (i >= n) return;\nv += __shfl_down_sync(~0u, v, 1);\n"},
           Reason{{1, "for (int d = -kR; d < kR; ++d)", "for (int d = -kR; d <= kR; ++d)"},
                  "change_both_ends"},
           Reason{{1, "for (int d = 0; d < kR; ++d)", "for (int d = 0; d <= kR; ++d)"}, ""},
           Reason{{2, "o = y * w + x;", "o = y * (w + 1) + x;"},
                  "change_same_pitch",
                  "i = x * (w + 1) + y;\no = y * w + x;\n"},
           Reason{{2, "o = y * w + x;", "o = y * (w + 1) + x;"}, "", "i = x * w + y;\n\n"},
           Reason{{1, "__shared__ float s[kA * kB];", "__shared__ float s[kA];"}, ""},
           Reason{{3, "e += all;", "e += all * kHigh;"},
                  "change_block_threads",
                  "int all = blockDim.x;\n\n"},
           Reason{{3, "e += all;", "e += all * kHigh;"}, "", "int all = n;\n\n"},
           Reason{{3, "e += blockDim.x;", "e += blockDim.x * blockDim.y;"}, "change_block_threads"},
           Reason{{4, "out[i] = w[ty][tx];", "out[i] = w[tx][ty];"}, "change_own_element", kTile},
           Reason{{4, "out[i] = w[k][tx];", "out[i] = w[tx][k];"}, "", kTile},
           Reason{{2, "if (y < r) t[y] = in[y];", "if (top + y < r) t[y] = in[y];"},
                  "change_moved_pointer",
                  "in += top * c;\nif (y < r) t[y] = in[y];\n"},
           Reason{{2, "o = s[r][f(k, t)];", "o = s[r][f(k, r)];"},
                  "change_as_stored",
                  "s[t][f(k, t)] = p;\no = s[r][f(k, t)];\n"},
           Reason{{2, "if (lane == 31) s[w] = v;", "if (lane == 0) s[w] = v;"},
                  "change_first_lane",
                  "v += __shfl_down_sync(m, v, d);\n"},
           Reason{{2, "if (lane == 31) s[w] = v;", "if (lane == 0) s[w] = v;"}, ""},
           Reason{{2, "for (int k = 0; k < 8; ++k)", "for (int k = 0; k * all < n; ++k)"},
                  "change_fixed_count",
                  "void f(int n)\n"},
           Reason{{2, "if (x < kEdge && y < kEdge) a();", "if (c < w && r < h) a();"},
                  "change_matrix_size",
                  "constexpr int kEdge = 32; void f(int h, int w)\n"},
           Reason{{2, "for (; y < kHigh + kHalo; ++y)", "for (; y < kHigh + 2 * kHalo; ++y)"},
                  "change_both_sides",
                  "__shared__ float t[kHigh + 2 * kHalo];\n"},
           Reason{{1, "for (int d = 32; d > 1; d /= 2)", "for (int d = 16; d > 0; d /= 2)"}, ""},
           Reason{{2, "__pipeline_memcpy_async(b[t], p, 4);",
                   "__pipeline_memcpy_async(b[1 - t], p, 4);"},
                  "change_other_buffer"},
           Reason{{2, "if (in) a();", "if (y < w && x < h) a();"},
                  "change_other_limits",
                  "const bool in = y < h && x < w;\n"},
           Reason{{2, "if (in) a();", "if (y < w && x < h) a();"}, "", "const bool in = y < h;\n"},
           Reason{{2, "o = s[r][f(t, t)];", "o = s[r][f(t, r)];"},  // and not f(r, t)
                  "change_as_stored",
                  "s[t][f(r, t)] = p;\no = s[r][f(t, t)];\n"},
           Reason{{2, "o = s[r][f(t, t)];", "o = s[r][f(r, t)];"},
                  "",
                  "s[t][f(r, t)] = p;\no = s[r][f(t, t)];\n"},
           Reason{{1, "__syncwarp();", "__syncthreads();"}, "change_one_warp"},
           Reason{{4, "v = row[t];", "__syncthreads();\nv = row[t];"},
                  "change_own_copies",
                  "__pipeline_wait_prior(1);\n\n// all of it is there\nv = row[t];\n"},
           Reason{{2, "v = row[t];", "__syncthreads();\nv = row[t];"}, "change_waits", "a();\n"},
           Reason{{2, "}", "__syncthreads();\n}"}, "change_still_read", "a();\n"},
           Reason{{2, "s = all;", "s = min(all, 32);"}, ""},
           Reason{{2, "int ka = t * kT + x;", "int ka = t + x;"},
                  "",
                  "for (int t = 0; t < m; ++t) {\nint ka = t * kT + x;\n}\n"},
           Reason{{2, "s[y][x] = in[r * m + x];", "s[y][x] = in[r * m + (t * kT + x)];"},
                  "",  // another line of the loop looks at t
                  "for (int t = 0; t < tiles; ++t) {\ns[y][x] = in[r * m + x];\nu = t;\n}\n"},
           Reason{{2, "for (int i = from + t; i < n; i += all)",
                   "for (int i = from + t; i < n && i < all; i += all)"},
                  ""},
       }) {
    const auto all = ids(describe_change({row.line}, row.source));
    EXPECT_EQ(all.size() > 1 ? all.back() : "", row.reason) << row.line.before;
  }
}

TEST(Change, OfSeveralLinesSaysWhatIsWrongWithAllOfThem) {
  const std::vector<ChangedLine> moved = {{1, "float p = 0;", ""},
                                          {2, "for (;;) {", "float p = 0;\nfor (;;) {"},
                                          {3, "if (in) c[r * w + x] += p;", ""},
                                          {4, "}", "}\nif (in) c[r * w + x] = p;"}};
  EXPECT_EQ(ids(describe_change(moved)), std::vector<std::string_view>{"change_stored_once"});
  const std::vector<words::Message> once =
      describe_change({{3, "c[(r + 1) * w] += p;", ""}, {4, "}", "}\nc[(r + 1) * w] = p;"}});
  ASSERT_EQ(ids(once), std::vector<std::string_view>{"change_stored_once"});
  EXPECT_EQ(text_of(once[0], "array"), "c");
  const std::vector<ChangedLine> inside = {
      {1, "const int r = near(top + y, h);", "const int r = top + y;"},
      {2, "t[y] = in[r];", "t[y] = r >= 0 && r < h ? in[r] : 0;"}};
  EXPECT_EQ(ids(describe_change(inside)).back(), "change_brought_back");
}

}  // namespace
}  // namespace labkit::grade
