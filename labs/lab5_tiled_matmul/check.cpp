// How lab 5 is checked: C = A B for any shapes, through 32 x 32 tiles; and a bonus kernel that
// chooses its own launch shape.
#include <cmath>

#include "grade/lab_test.h"

using namespace labkit::grade;

namespace {

constexpr const char* kTiled = "matmul";
constexpr const char* kRegisters = "matmul_registers";

struct Sizes {
  int n, m, p;
};
struct Launch {
  Dim3 block;
  int tile_cols, tile_rows;
};
constexpr Launch kTiles{.block = {32, 32}, .tile_cols = 32, .tile_rows = 32};

Case product(const char* kernel, Sizes sizes, const Launch& launch) {
  const auto [n, m, p] = sizes;
  const auto a = input<float>("a", Shape{n, m});
  const auto b = input<float>("b", Shape{m, p});
  auto c = output<float>("c", Shape{n, p});
  // In whatever order the m products of an element are added, each is rounded once itself and
  // passes at most m - 1 additions.
  const double relative = rounding_bound<float>(m);
  c.within_bounds();
  in_rows(n, std::int64_t{m} * p, [&, m = m, p = p](int i) {
    std::vector<double> sum(p), magnitude(p);
    for (int k = 0; k < m; ++k) {
      const double left = a(i, k);
      for (int j = 0; j < p; ++j) {
        const double term = left * b(k, j);
        sum[j] += term;
        magnitude[j] += std::abs(term);
      }
    }
    for (int j = 0; j < p; ++j)
      c.expect(static_cast<std::int64_t>(i) * p + j, sum[j], relative * magnitude[j]);
  });
  return Case{.kernel = kernel,
              .grid = {blocks_for(p, launch.tile_cols), blocks_for(n, launch.tile_rows)},
              .block = launch.block,
              .arguments = {a, b, c, n, m, p},
              // what the product would fetch if nothing were fetched once for several threads
              .useful_bytes = std::uint64_t{2} * n * m * p * sizeof(float)};
}

void check_shapes(const char* kernel, const Launch& launch) {
  std::vector<Case> cases;
  for (const Sizes sizes :
       {Sizes{1, 1, 1}, Sizes{31, 32, 33}, Sizes{33, 31, 32}, Sizes{32, 33, 31}, Sizes{97, 61, 101},
        Sizes{1, 300, 1}, Sizes{300, 1, 5}, Sizes{5, 7, 211}, Sizes{3, 64, 129}, Sizes{129, 3, 64},
        Sizes{64, 0, 33}, Sizes{0, 5, 5}, Sizes{5, 5, 0}})
    cases.push_back(product(kernel, sizes, launch));
  check(cases);
}

Case graded(const char* kernel, const Launch& launch) {
  return product(kernel, {graded_size("n"), graded_size("m"), graded_size("p")}, launch);
}

/// The shape that kernel.cu chose for the bonus kernel; nothing if the test is over already.
std::optional<Launch> chosen() {
  const auto shape = shape_from_kernel(
      kRegisters, "matmul_registers_shape",
      {{"block_x", 1, 1024}, {"block_y", 1, 1024}, {"tile_cols", 1, 256}, {"tile_rows", 1, 256}});
  if (!shape) return std::nullopt;
  const auto x = static_cast<std::uint32_t>((*shape)[0]);
  const auto y = static_cast<std::uint32_t>((*shape)[1]);
  return Launch{.block = {x, y}, .tile_cols = (*shape)[2], .tile_rows = (*shape)[3]};
}

}  // namespace

TEST(TiledMatmul, WholeTiles) {
  check({product(kTiled, {32, 32, 32}, kTiles), product(kTiled, {64, 64, 64}, kTiles),
         product(kTiled, {32, 96, 64}, kTiles)});
}
TEST(TiledMatmul, AnyShape) { check_shapes(kTiled, kTiles); }
TEST(TiledMatmul, Bandwidth) {
  grade([] { return graded(kTiled, kTiles); });
}

TEST(TiledMatmul, RegistersAnyShape) {
  if (const auto launch = chosen()) check_shapes(kRegisters, *launch);
}
TEST(TiledMatmul, RegistersBandwidth) {
  if (const auto launch = chosen()) grade([&] { return graded(kRegisters, *launch); });
}
