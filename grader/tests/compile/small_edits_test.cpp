// Edits of a kernel's source: which are made, and within which bounds.
#include "compile/small_edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace labkit::compile {
namespace {

constexpr std::size_t kMost = 2000;

std::string kernel(const std::string& body) {
  return "__global__ void k(const float* in, float* out, int n, int rows, int cols) {\n" + body +
         "\n}\n";
}

/// The bodies that the edits of `body` come to.
std::vector<std::string> bodies(const std::string& body, std::size_t most = kMost) {
  const std::string source = kernel(body);
  const std::size_t begin = source.find("{\n") + 2;
  const Tokens tokens(source, Tokens::Keep::code);
  std::vector<std::string> made;
  for (const auto& [edit, why] : small_edits(tokens, "k", most)) {
    const std::string text = apply_edit(source, edit);
    made.push_back(text.substr(begin, text.size() - begin - 3));
  }
  return made;
}

struct Slip {
  std::string wrong, right;
};
void PrintTo(const Slip& slip, std::ostream* out) { *out << slip.wrong; }
class SmallEdits : public testing::TestWithParam<Slip> {};

TEST_P(SmallEdits, OneOfThemIsRight) {
  const auto made = bodies(GetParam().wrong);
  EXPECT_NE(std::find(made.begin(), made.end(), GetParam().right), made.end()) << GetParam().right;
}

INSTANTIATE_TEST_SUITE_P(
    Slips, SmallEdits,
    testing::Values(
        Slip{"if (n <= 3) out[n] = 1;", "if (n < 3) out[n] = 1;"},
        Slip{"if (n < rows & n < cols) out[n] = 1;", "if (n < rows && n < cols) out[n] = 1;"},
        Slip{"out[n] += in[n];", "out[n] = in[n];"},
        Slip{"float s = 0;\ns = in[n];", "float s = 0;\ns += in[n];"},
        Slip{"out[n] = in[n - 1];", "out[n] = in[n];"},
        Slip{"out[n] = in[rows * n + 1 + cols];", "out[n] = in[rows * (n + 1) + cols];"},
        Slip{"out[n] = in[rows + cols];", "out[n] = in[rows * cols];"},
        Slip{"out[rows * n + cols] = 1;", "out[cols * n + rows] = 1;"},
        Slip{"__shared__ float t[8][9];\nt[rows][cols] = 1;",
             "__shared__ float t[8][9];\nt[cols][rows] = 1;"},
        Slip{"int i = threadIdx.x;", "int i = blockIdx.x * blockDim.x + threadIdx.x;"},
        Slip{"int i = blockIdx.x * blockDim.x + threadIdx.x;", "int i = threadIdx.x;"},
        Slip{"int i = blockIdx.x + blockDim.x * threadIdx.x;",
             "int i = threadIdx.x + blockDim.x * blockIdx.x;"},
        Slip{"int i = threadIdx.y + blockIdx.x;", "int i = threadIdx.x + blockIdx.y;"},
        Slip{"int m = n / 32;", "int m = (n + 32 - 1) / 32;"},
        Slip{"out[n] = 1;\nn += 1;", "n += 1;\nout[n] = 1;"},
        Slip{"out[n] = 1;\nn = 0;", "out[n] = 1;\n"},
        Slip{"int i = n;\nout[i] = in[i];", "int i = n;\nif (i < rows) out[i] = in[i];"},
        Slip{"while (n < rows) { out[n] = 1;\n}",
             "while (n < rows) { out[n] = 1;\n  n += gridDim.x * blockDim.x; }"},
        Slip{"for (int i = n; i < rows; i++) out[i] = 1;",
             "for (int i = n; i < rows; i += blockDim.x) out[i] = 1;"},
        Slip{"int s = 0;\ns += in[n];", "float s = 0;\ns += in[n];"},
        Slip{"float v = in[n], p = 1;", "float v = in[n], p = v;"},
        Slip{"int k = n;\nout[k] = in[0];", "int k = n;\nout[k] = in[k];"},
        Slip{"int i = blockIdx.x * 32 + threadIdx.x;",
             "int i = blockIdx.x * blockDim.x + threadIdx.x;"},
        Slip{"out[rows] = in[cols];", "out[cols] = in[rows];"},
        Slip{"int last = 0;", "int last = -1;"},
        Slip{"n = min(4 * rows, cols);", "n = min(4, cols) * rows;"},
        Slip{"n = min(rows, 4 * cols);", "n = min(rows * 4, 4 * cols);"},
        Slip{"const int i = blockIdx.x * rows;\nif (i < n) out[i] = 1;",
             "int i = blockIdx.x * rows;\nfor (; i < n; i += gridDim.x * rows) out[i] = 1;"},
        Slip{"out[rows ^ (cols & 7)] = 1;", "out[rows ^ cols] = 1;"},
        Slip{"out[rows ^ (cols & 7)] = 1;", "out[rows ^ (cols / 2 & 7)] = 1;"},
        Slip{"out[rows ^ (cols % 8)] = in[n ^ (rows % 8)];",
             "out[rows ^ (cols % 32)] = in[n ^ (rows % 32)];"},
        Slip{"*out += in[n];", "atomicAdd(out, in[n]);"},
        Slip{"out[0] = out[0] + in[n];", "atomicAdd(&out[0], in[n]);"},
        Slip{"int lane = threadIdx.x;\nfor (int s = 0; s < 32; ++s) out[lane * 32 + s] = in[s + "
             "lane];",
             "int lane = threadIdx.x;\nfor (int s = 0; s < 32; ++s) out[s * 32 + lane] = in[s + "
             "lane];"},
        Slip{"int i = n;\nfor (int i = 0; i < n; ++i) out[i] = 1;",
             "int i = n;\nfor (; i < n; ++i) out[i] = 1;"},
        Slip{"bool seen[8];\nout[0] = seen[n];", "bool seen[8] = {};\nout[0] = seen[n];"},
        Slip{"int s = n / 8 + rows * cols / 8;", "int s = (n + rows * cols) / 8;"},
        Slip{"char* p = (char*)in + n + rows * sizeof(float);",
             "char* p = (char*)in + (n + rows) * sizeof(float);"},
        Slip{"int word = n;\nout[word >> 24] = 1;", "unsigned word = n;\nout[word >> 24] = 1;"},
        Slip{"int t = threadIdx.x;", "int t = threadIdx.y * blockDim.x + threadIdx.x;"},
        Slip{"int t = (blockIdx.x + threadIdx.x) / 32;", "int t = (blockIdx.x + threadIdx.x);"},
        Slip{"int t = n;\nint i = t / 8, k = t % 8;\nout[i] = k;",
             "int t = n;\nint i = t;\nfor (int k = 0; k < 8; ++k) out[i] = k;"},
        Slip{"int i = n * cols + rows;\nif (i >= rows * cols) return;",
             "int i = n * cols + rows;\nif (n >= rows || rows >= cols) return;"},
        Slip{"out[n * 32 + ((rows + cols) & 31)] = in[rows * 32 + ((n + cols) & 31)];",
             "out[n * 32 + ((rows + n) & 31)] = in[rows * 32 + ((n + rows) & 31)];"},
        Slip{"float v = in[n * rows];\nout[rows + cols] = v;",
             "float v = in[rows + cols];\nout[n * rows] = v;"},
        Slip{"int w = gridDim.x * 32, h = 1;\nint k = gridDim.y * 32;",
             "int w = cols, h = 1;\nint k = rows;"},
        Slip{"int part = n * rows / cols;", "int part = (long long)n * rows / cols;"},
        Slip{"__shared__ float s[32];\nint lane = threadIdx.x;\nfloat v = s[lane];",
             "__shared__ float s[32];\nint lane = threadIdx.x;\nfloat v = lane < blockDim.x / 32 ? "
             "s[lane] : 0;"},
        Slip{"if (n < rows) out[(n + cols) * 32 + rows] = 1;",
             "if (n + cols < rows) out[(n + cols) * 32 + rows] = 1;"},
        Slip{"for (int b = threadIdx.x; b < n; b += blockDim.x) out[b] = 0;",
             "for (int b = threadIdx.x % 32; b < n; b += 32) out[b] = 0;"},
        Slip{
            "for (int i = 0; i < n; ++i) rows += i;\nif (cols == 0) out[0] = rows;",
            "if (cols == 0) for (int i = 0; i < n; ++i) rows += i;\nif (cols == 0) out[0] = rows;"},
        Slip{
            "int a = blockIdx.x * 32 + threadIdx.x, z;\nint x = 32 * blockIdx.x + "
            "threadIdx.x;\nint "
            "y = 32 * blockIdx.y + threadIdx.y;\nint r = x;\nint c = y;\nout[r * n + c] = t[y][x];",
            "int a = blockIdx.x * 32 + threadIdx.x, z;\nint x = 32 * blockIdx.x + "
            "threadIdx.x;\nint "
            "y = 32 * blockIdx.y + threadIdx.y;\nint r = 32 * blockIdx.x + threadIdx.y;\nint c = "
            "32 * blockIdx.y + threadIdx.x;\nout[r * n + c] = t[x][y];"},
        Slip{"atomicAdd(out, rows);", "if (threadIdx.x == 0) atomicAdd(out, rows);"},
        Slip{"__shared__ float s[32];\nint t = threadIdx.x, left = 8;\nfloat v = s[t];",
             "__shared__ float s[32];\nint t = threadIdx.x, left = 8;\nfloat v = t < left ? s[t] : "
             "0;"},
        Slip{"out[0] = in[rows * n + min(rows, n - 1)];\nout[1] = in[min(cols, n - 1) * rows + n];",
             "out[0] = rows < n ? in[rows * n + rows] : 0;\nout[1] = cols < n ? in[cols * rows + "
             "n] : "
             "0;"},
        Slip{"int s = n / 8.0;", "int s = n / 8;"}, Slip{"float f = 1 / n;", "float f = 1.0f / n;"},
        Slip{"float s = n;\nout[0] = s;", "int s = n;\nout[0] = s;"},
        Slip{"for (int i = 0; i < sizeof(in) / sizeof(*in); ++i) out[i] = 1;",
             "for (int i = 0; i < n; ++i) out[i] = 1;"},
        Slip{"int part = n ? rows % 32 : 32;", "int part = n ? (rows - 1) % 32 + 1 : 32;"},
        Slip{"out[n] = out[n] * 2;", "out[n] = in[n] * 2;"},
        Slip{"int i = rows - 1;\nint j = rows - 1;", "int i = rows;\nint j = rows;"}));

TEST(SmallEdits, AreNoMoreThanAskedForAndEachAnother) {
  const std::string body = "int i = threadIdx.x;\nif (i < n) out[i] = in[i] + in[n - 1];";
  auto made = bodies(body);
  const std::size_t all = made.size();
  EXPECT_GT(all, 20u);
  std::sort(made.begin(), made.end());
  EXPECT_EQ(std::unique(made.begin(), made.end()), made.end());
  EXPECT_EQ(std::count(made.begin(), made.end(), body), 0);
  EXPECT_EQ(bodies(body, 5).size(), 5u);
}

TEST(SmallEdits, MakeNoFractionOfAnIndexAndNoElementOutside) {
  const auto has = [](const std::string& body, const std::string& edited) {
    const auto made = bodies(body);
    return std::find(made.begin(), made.end(), edited) != made.end();
  };
  EXPECT_FALSE(
      has("int total = rows;\nint k = n / total;", "float total = rows;\nint k = n / total;"));
  EXPECT_FALSE(
      has("if (n < rows && n < cols) out[n] = 1;", "if (n < rows || n < cols) out[n] = 1;"));
  EXPECT_TRUE(
      has("if (n < rows || n < cols) out[n] = 1;", "if (n < rows && n < cols) out[n] = 1;"));
  EXPECT_FALSE(has("if (n >= rows || n >= cols) return;", "if (n >= rows && n >= cols) return;"));
  EXPECT_TRUE(has("if (n >= rows && n >= cols) return;", "if (n >= rows || n >= cols) return;"));
}

TEST(SmallEdits, ExchangeNoOperandsOfSumsAndProducts) {
  const auto made = bodies("int i = rows * cols;\nint j = rows - cols;\nout[i] = j;");
  EXPECT_FALSE(std::ranges::any_of(
      made, [](const std::string& body) { return body.find("cols * rows") != body.npos; }));
  EXPECT_TRUE(std::ranges::any_of(
      made, [](const std::string& body) { return body.find("cols - rows") != body.npos; }));
}

TEST(SmallEdits, OfAnArrayBesideTheFunctions) {
  const std::string source =
      "#define EDGE 32\nconstexpr int kRows = 8;\nint other[2] = {1, 2};\n"
      "int shape[3] = {EDGE, kRows, 4 * f(1, 2)};";
  const Tokens tokens(source, Tokens::Keep::code);
  std::vector<std::string> made;
  for (const Edit& edit : initialiser_edits(tokens, "shape"))
    made.push_back(apply_edit(source, edit));
  for (const char* part :
       {"{kRows, EDGE, 4", "{4 * f(1, 2), kRows, EDGE}", "EDGE 64\n", "EDGE 16\n", "kRows = 4;",
        "kRows = 16;", "kRows, 8 * f", "kRows, 2 * f"})
    EXPECT_TRUE(std::ranges::any_of(made, [&](const std::string& one) {
      return one.find(part) != one.npos;
    })) << part;
  for (const std::string& one : made) EXPECT_NE(one.find("other[2] = {1, 2};"), one.npos) << one;
  EXPECT_TRUE(initialiser_edits(tokens, "nothing").empty());
}

TEST(SmallEdits, GiveNoVariableToItself) {
  for (const std::string& one : bodies("float v = *(in + n);\nfloat w = in[n];\nout[n] = v + w;"))
    EXPECT_TRUE(one.find("v = v;") == one.npos && one.find("w = w;") == one.npos) << one;
}

TEST(SmallEdits, KnowWhichLinesAreSwizzled) {
  const std::string source =
      "__device__ int at(int r, int c) {\nreturn r * 32 + (c ^ r);\n}\n"
      "__global__ void k(float* out, int n) {\n__shared__ float a[1024];\n"
      "a[at(n, 1)] = 1;\nout[n] = 2;\n}\n";
  const Tokens tokens(source, Tokens::Keep::code);
  EXPECT_TRUE(is_swizzled(tokens, "k", 6));
  EXPECT_FALSE(is_swizzled(tokens, "k", 7));
}

TEST(SmallEdits, MakeAnArrayLongerBeforeItsRowsShorter) {
  const std::string body =
      "__shared__ float all[4 * n];\nconst int pitch = n + 1;\nfloat* own = all;\n"
      "own[cols * pitch] = 1;";
  const std::string source = "__global__ void k(int n, int cols) {\n" + body + "\n}\n";
  const Tokens tokens(source, Tokens::Keep::code);
  std::size_t longer = 0, shorter = 0, k = 0;
  for (const auto& [edit, why] : small_edits(tokens, "k", kMost, {5})) {
    const std::string edited = apply_edit(source, edit);
    ++k;
    if (longer == 0 && edited.find("all[4 * (n + 1)]") != edited.npos) longer = k;
    if (shorter == 0 && edited.find("pitch = n + 0") != edited.npos) shorter = k;
  }
  ASSERT_NE(longer, 0u);
  ASSERT_NE(shorter, 0u);
  EXPECT_LT(longer, shorter);
}

TEST(SmallEdits, MoveAResetBeforeItsLoop) {
  const auto made =
      bodies("float s;\nfor (int i = 0; i < n; ++i) {\ns = 0;\ns += in[i];\n}\nout[0] = s;");
  EXPECT_TRUE(std::ranges::any_of(made, [](std::string body) {
    std::erase_if(body, [](char c) { return c == ' ' || c == '\v' || c == '\n'; });
    return body == "floats;s=0;for(inti=0;i<n;++i){s+=in[i];}out[0]=s;";
  })) << made.size();
}

// each cast looked behind itself twice once: thirty took minutes
TEST(SmallEdits, TakeNoLongerForManyCasts) {
  std::string casts;
  for (int i = 0; i < 400; ++i) casts += "(int)";
  EXPECT_FALSE(bodies("out[n / " + casts + "rows] = in[n];").empty());
  EXPECT_FALSE(bodies("out[n / " + casts + "] = in[n];").empty());
}

TEST(SmallEdits, LeaveOtherKernelsAndLongBodiesAlone) {
  const std::string source = "__global__ void other(int n) { if (n < 1) return; }\n";
  const Tokens tokens(source, Tokens::Keep::code);
  EXPECT_TRUE(small_edits(tokens, "k", kMost).empty());
  std::string body;
  for (std::size_t i = 0; i <= kMostEditedTokens; ++i) body += "n;";
  EXPECT_TRUE(bodies(body).empty());
}

}  // namespace
}  // namespace labkit::compile
