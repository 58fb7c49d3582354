// Tables that others published beside what the model predicts for the GPU they name, or for all where they name none.
// Printed as data/published.txt, which says what misses and why.
//   timing_published
#include <cstdio>
#include <string>
#include <vector>

#include "measured_kernels.h"

using namespace labkit::timing;

namespace {

struct Row {
  const char *what, *family, *kernel;
  double published = 0;
  double useful_bytes = 0;  ///< where GB/s were published
};
struct Table {
  const char *title, *unit;
  std::vector<std::string> gpus;
  std::vector<Row> rows;  ///< ratios are held against the first
};

const std::vector<std::string> kAll = {"t4", "rtx3080", "rtx3090", "l4", "rtx4090", "a100", "h200"};

const std::vector<Table> kTables = {
    {"RTX 3080, transposes; unit and size not stated (2048 x 2048 and 32 x 32 threads assumed)",
     "time, unknown",
     {"rtx3080"},
     {{"coalesced on read", "transpose_2048x2048", "naive_read_32x32", 0.0476},
      {"coalesced on write", "transpose_2048x2048", "naive_write_32x32", 0.0474},
      {"tiled", "transpose_2048x2048", "tile32_pad", 0.0478}}},
    {"RTX 3090, vecadd in double, 8 elements a thread; unit and size not stated (2^21 elements "
     "assumed)",
     "time, unknown",
     {"rtx3090"},
     {{"coalesced, one a thread", "vecadd_double_n2097152", "coalesced0", 0.04},
      {"coalesced, by the grid's width", "vecadd_double_n2097152", "coalesced1_per8", 0.04},
      {"uncoalesced", "vecadd_double_n2097152", "uncoalesced_per8", 0.14}}},
    {"An unnamed GPU, 16 x 16 threads, 1024 x 1024",
     "us",
     kAll,
     {{"naive", "transpose_1024x1024", "naive_read_16x16", 199.5},
      {"tile", "transpose_1024x1024", "tile16_nopad", 166.6}}},
    {"An unnamed GPU, 16 x 16 threads, 8192 x 8192",
     "us",
     kAll,
     {{"naive", "transpose_8192x8192", "naive_read_16x16", 1835.9},
      {"tile", "transpose_8192x8192", "tile16_nopad", 1387.3}}},
    {"Tesla S2050 (2010, compute capability 2.0), 2048 x 2048",
     "GB/s",
     {"t4", "h200"},
     {{"copy", "transpose_2048x2048", "copy_tile_32x8", 60.9, 2.0 * 4 * 2048 * 2048},
      {"naive", "transpose_2048x2048", "naive_read_32x8", 22.4, 2.0 * 4 * 2048 * 2048},
      {"tile", "transpose_2048x2048", "rows32x8_nopad", 24.1, 2.0 * 4 * 2048 * 2048},
      {"padded", "transpose_2048x2048", "rows32x8_pad", 46.6, 2.0 * 4 * 2048 * 2048}}},
};

}  // namespace

int main() {
  for (const Table& table : kTables) {
    std::vector<MeasuredKernel> kernels;
    for (const Row& row : table.rows) kernels.push_back(unmeasured_kernel(row.family, row.kernel));
    const std::vector<Simulated> seen = simulate_all(kernels);
    std::printf("%s\n  %-32s %14s %6s", table.title, "", table.unit, "ratio");
    for (const std::string& gpu : table.gpus) std::printf("  %11s %6s", gpu.c_str(), "ratio");
    std::printf("\n");
    std::vector<double> first(table.gpus.size());
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const Row& row = table.rows[r];
      std::printf("  %-32s %14g %6.2f", row.what, row.published,
                  row.published / table.rows[0].published);
      for (std::size_t g = 0; g < table.gpus.size(); ++g) {
        const double us = predict(seen[r].activity(), find_profile(table.gpus[g])).time_us;
        const double value = row.useful_bytes > 0 ? row.useful_bytes / us / 1e3 : us;
        if (r == 0) first[g] = value;
        std::printf("  %11.1f %6.2f", value, value / first[g]);
      }
      std::printf("\n");
    }
    std::printf("\n");
  }
}
