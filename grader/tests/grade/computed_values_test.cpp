// What kernels compute (ptx/values.h), of source that a device compiler has compiled as it stands.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compile/compile.h"
#include "ptx/values.h"

namespace labkit::grade {
namespace {

constexpr const char* kHelpers = R"(
__device__ int index_of(int row, int col, int width) { return row * width + col; }
__device__ int place(int w, int c, int r) { return c + w * r; }
__device__ bool inside(int i, int n) { return i < n; }
)";

/// Of each body, as that of a kernel with these parameters.
std::vector<std::set<std::uint64_t>> values_of(const std::vector<std::string>& bodies) {
  compile::Request request;
  request.source = kHelpers;
  request.name = "kernel.cu";
  request.device_debug = true;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    request.source += fmt::format(
        "__global__ void k{}(float* p, const float* q, float f, int n, int m) {{\n"
        "int x = threadIdx.x, y = threadIdx.y; {} }}\n",
        i, bodies[i]);
    request.kernels.push_back(fmt::format("k{}", i));
  }
  const compile::Result result = compile::compile(request);
  EXPECT_EQ(result.status, compile::Status::ok) << result.log;
  const ptx::ParseResult parsed = ptx::parse(result.ptx);
  std::vector<std::set<std::uint64_t>> all;
  for (const std::string& kernel : request.kernels) {
    std::set<std::uint64_t>& values = all.emplace_back();
    const auto entry = result.entries.find(kernel);
    if (!parsed.module || entry == result.entries.end()) continue;
    for (const ptx::ComputedValue& value :
         ptx::values_of(*parsed.module, *parsed.module->find_function(entry->second)))
      values.insert(value.hash);
    EXPECT_FALSE(values.empty()) << kernel;
  }
  return all;
}

using Bodies = std::vector<std::pair<std::string, std::string>>;
/// Calls see(first's values, second's, which) for each.
template <typename See>
void each(const Bodies& pairs, const See& see) {
  std::vector<std::string> bodies;
  for (const auto& [a, b] : pairs) {
    bodies.push_back(a);
    bodies.push_back(b);
  }
  const auto values = values_of(bodies);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    see(values[2 * i], values[2 * i + 1], pairs[i].first + "  " + pairs[i].second);
}

TEST(ComputedValues, WhatCanBeWrittenInSeveralWaysIsOne) {
  each({{"p[x] = q[y];", "float value = q[y]; p[x] = value;"},
        {"p[x] = q[x] + q[y];", "p[x] = q[y] + q[x];"},
        {"if (x < n) p[x] = 1;", "if (x >= n) return; p[x] = 1;"},
        {"if (x < n) p[x] = 1;", "if (!(n <= x)) { p[x] = 1; }"},
        {"if (x <= n - 1) p[x] = 1;", "if (x + 1 <= n) p[x] = 1;"},
        {"if (x < n && y < m) p[x] = 1;", "if (y < m) if (x < n) p[x] = 1;"},
        {"for (int i = x; i < n; i += m) p[i] = f;",
         "int i = x; while (n > i) { p[i] = f; i += m; }"},
        {"p[x] = q[n];", "*(p + x) = *(n + q);"},
        {"p[x / 4] = q[x % 4];", "int a = x % 4, b = x / 4; p[b] = q[a];"},
        {"p[x] = 1; p[y] = 2;", "p[y] = 2; p[x] = 1;"},
        {"p[x] = x < n ? q[x] : 0;", "float a; if (x < n) a = q[x]; else a = 0; p[x] = a;"},
        {"p[index_of(y, x, n)] = 1;", "p[place(n, x, y)] = 1;"},
        {"float s = 0; for (int k = 0; k < 8; ++k) s += q[k * n]; p[x] = s;",
         "float t = 0; for (int i = 0; i <= 7; i++) t = q[n * i] + t; p[x] = t;"},
        {"__shared__ float t[32][33]; t[y][x] = f; __syncthreads(); p[x] = t[x][y];",
         "const int a = x; __shared__ float s[32][32 + 1]; s[y][a] = f; __syncthreads(); p[a] = "
         "s[a][y];"}},
       [](const auto& a, const auto& b, const std::string& which) { EXPECT_EQ(a, b) << which; });
}

TEST(ComputedValues, OtherAlgebraChangesTheStepsBetweenAlone) {
  each({{"p[x * 2 + x] = 1;", "p[3 * x] = 1;"},
        {"p[(x + y) * n + m] = f;", "p[m + n * x + y * n] = f;"}},
       [](const auto& a, const auto& b, const std::string& which) {
         std::vector<std::uint64_t> common;
         std::ranges::set_intersection(a, b, std::back_inserter(common));
         EXPECT_GE(common.size() + 3, std::max(a.size(), b.size())) << which;
         EXPECT_GE(common.size(), 5u) << which;
       });
}

TEST(ComputedValues, WhatIsNotTheSameDiffers) {
  each({{"p[x] = q[y];", "p[y] = q[x];"},
        {"p[x] = q[x + 1];", "p[x] = q[x + 2];"},
        {"p[x] = q[x] * f;", "p[x] = q[x] + f;"},
        {"if (x < n) p[x] = 1;", "if (x < m) p[x] = 1;"},
        {"p[x / 3] = 1;", "p[x / 5] = 1;"},
        {"for (int i = x; i < n; i += 32) p[i] = f;", "for (int i = x; i < n; i += 64) p[i] = f;"},
        {"p[index_of(y, x, n)] = 1;", "p[index_of(x, y, n)] = 1;"},
        {"__shared__ float t[32][32]; t[y][x] = f; __syncthreads(); p[x] = t[x][y];",
         "__shared__ float t[32][33]; t[y][x] = f; __syncthreads(); p[x] = t[x][y];"}},
       [](const auto& a, const auto& b, const std::string& which) { EXPECT_NE(a, b) << which; });
}

TEST(ComputedValues, ACallCountsAsItsBody) {
  each({{"if (inside(x, n)) p[x] = 1;", "if (x < n) p[x] = 1;"}},
       [](const auto& a, const auto& b, const std::string& which) {
         EXPECT_TRUE(std::ranges::includes(a, b)) << which;
         EXPECT_LE(a.size(), b.size() + 4) << "and that there is one";
       });
}

}  // namespace
}  // namespace labkit::grade
