// The ratio gates of the labs against what an NVIDIA H200 measured (data/h200_lab_times.csv, made
// by grader/tests/h200/measure_labs.cpp): right answers clear them by a tenth, slow ones miss them
// by a tenth.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lab/gpu_gates.h"
#include "lab/manifest.h"

namespace labkit::lab {
namespace {

constexpr double kMargin = 0.1;  // of the limit

struct Row {
  std::string lab, file, kernel, size, same_shape, best;
};

std::vector<Row> read_rows() {
  std::ifstream file(std::string(LABKIT_TEST_DATA) + "/h200_lab_times.csv");
  EXPECT_TRUE(file.good());
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#' || line.rfind("lab,", 0) == 0) continue;
    std::vector<std::string> cells(1);
    bool quoted = false;  // kernels have commas in them
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        cells.emplace_back();
      else
        cells.back() += c;
    }
    EXPECT_EQ(cells.size(), 11u) << line;
    if (cells.size() == 11)
      rows.push_back({cells[0], cells[1], cells[2], cells[4], cells[9], cells[10]});
  }
  return rows;
}

double number(const std::string& text) {
  double value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The labs that the table has rows of.
std::set<std::string> measured_labs() {
  std::set<std::string> labs;
  for (const Row& row : read_rows()) labs.insert(row.lab);
  return labs;
}

/// "2048x2048", "n4194304", "1024x128x1024": how the table writes a test's size.
std::string graded_size(const lab::Test& test) {
  const auto of = [&](const char* name) { return std::to_string(test.size.at(name)); };
  if (test.size.count("rows")) return of("rows") + "x" + of("cols");
  if (test.size.count("m")) return of("n") + "x" + of("m") + "x" + of("p");
  return "n" + of("n");
}

/// Sizes beyond the graded one at which the gates must hold too. (lab5: a longer m gives tiled and
/// naive kernels alike a higher ratio, so its limits belong to its size.)
std::string large_size(const lab::Test& test, const std::string& lab) {
  if (lab == "lab1") return test.element == launch::Element::f64 ? "n67108864" : "n134217728";
  if (lab == "lab5") return {};
  if (lab == "lab6") return "n4194304";
  return "8192x8192";
}

// Slow answers by kernel, and whether an H200's time tells (else a counter does; see the gates'
// reasons).
struct Slow {
  std::string lab, file, kernel;
  bool time_tells;
};
const std::vector<Slow>& slow_answers() {
  static const std::vector<Slow> kSlow = {
      {"lab1", "chunk_a_thread", "vecadd", true},
      {"lab1", "chunk_a_thread_restrict", "vecadd", true},
      {"lab1", "chunk_a_block_and_thread", "vecadd", true},
      {"lab2", "coalesced_read_twice", "transpose_coalesced_write", true},
      {"lab2", "coalesced_write_twice", "transpose_coalesced_read", false},
      {"lab2", "one_thread_a_row", "transpose_coalesced_write", true},
      {"lab2", "one_thread_a_row", "transpose_coalesced_read", false},
      {"lab2", "one_thread_a_block", "transpose_coalesced_write", true},
      {"lab2", "one_thread_a_block", "transpose_coalesced_read", true},
      {"lab3", "coalesced_read", "corner_turn", true},
      {"lab3", "coalesced_write", "corner_turn", false},
      {"lab3", "tile_for_nothing", "corner_turn", true},
      {"lab4", "unpadded", "transpose_static", true},
      {"lab4", "unpadded", "transpose_dynamic", true},
      {"lab4", "only_static_padded", "transpose_dynamic", true},
      {"lab4", "only_dynamic_padded", "transpose_static", true},
      {"lab4", "extra_row", "transpose_static", true},
      {"lab4", "padded_by_two", "transpose_static", false},
      {"lab4", "naive", "transpose_static", false},
      {"lab4", "naive", "transpose_dynamic", false},
      {"lab4", "rows_unpadded", "transpose_rows", true},
      {"lab4", "rows_naive", "transpose_rows", true},
      {"lab4", "rows_one_element", "transpose_rows", true},
      {"lab5", "naive", "matmul", false},
      {"lab5", "naive_restrict", "matmul", false},  // 6% below the limit: the sectors tell
      {"lab5", "naive_uncoalesced", "matmul", true},
      {"lab5", "only_a_tiled", "matmul", true},
      {"lab5", "bonus_is_tiled_again", "matmul_registers", true},
      {"lab6", "direct", "powers", true},
      {"lab6", "conflicts_on_store", "powers", true},
      {"lab6", "conflicts_on_staging", "powers", false},
      {"lab6", "altered_needlessly_staged", "powers_altered", true},
      {"lab6", "altered_one_number_a_step", "powers_altered", true},
  };
  return kSlow;
}

/// Calls f(row, its ratio, the gate) for every row that a ratio gate of its lab speaks of.
template <typename F>
void for_each_gated_row(F f) {
  const std::vector<Row> rows = read_rows();
  ASSERT_FALSE(rows.empty());
  for (const Manifest& manifest : find_labs(LABKIT_SOURCE_DIR))
    for (const lab::Test& test : manifest.tests)
      for (const Gate& gate : test.gates) {
        if (gate.figure != "ratio" && gate.figure != "best_ratio") continue;
        ASSERT_TRUE(gate.is_minimum) << gate.name;
        const std::string type = test.element == launch::Element::f64 ? "<double>" : "<float>";
        for (const std::string& size : {graded_size(test), large_size(test, manifest.id)})
          for (const Row& row : rows) {
            if (row.lab != manifest.id || row.size != size || row.file == "copy") continue;
            if (row.kernel != test.kernel && row.kernel != test.kernel + type) continue;
            f(row, number(gate.figure == "ratio" ? row.same_shape : row.best), gate);
          }
      }
}

TEST(H200Gates, RightAnswersClearThemByATenth) {
  std::map<std::string, int> seen;
  for_each_gated_row([&](const Row& row, double ratio, const Gate& gate) {
    if (row.file.rfind("correct/", 0) != 0) return;
    ++seen[row.lab + " " + gate.name];
    EXPECT_GE(ratio, (1 + kMargin) * gate.threshold)
        << row.lab << " " << row.file << " " << row.size << " " << gate.name;
  });
  const std::set<std::string> measured = measured_labs();
  for (const Manifest& manifest : find_labs(LABKIT_SOURCE_DIR))
    for (const lab::Test& test : manifest.tests)
      for (const Gate& gate : test.gates)
        if (gate.is_ratio() && measured.contains(manifest.id)) {
          EXPECT_GE(seen[manifest.id + " " + gate.name], 2)
              << manifest.id << " " << gate.name << ": hardly measured";
        }
}

/// Labs that came after the table: `labkit lab calibrate` measured their windows, and the limit for predicted ratios
/// must lie in them as well.
TEST(H200Gates, LimitsOfTheOtherLabsLieInTheMeasuredWindows) {
  const std::set<std::string> measured = measured_labs();
  std::string missing;
  for (const Manifest& manifest : find_labs(LABKIT_SOURCE_DIR)) {
    if (measured.contains(manifest.id)) continue;
    const auto gates = lab::load_gpu_gates(manifest, "NVIDIA H200");
    if (!gates) {
      missing += " " + manifest.id;
      continue;
    }
    for (const lab::Test& test : manifest.tests)
      for (const Gate& gate : test.gates) {
        if (!gate.is_ratio()) continue;
        const lab::GpuGate* found = gates->find(gate.name);
        ASSERT_TRUE(found) << manifest.id << " " << gate.name;
        EXPECT_GE(gate.threshold, found->window_low) << manifest.id << " " << gate.name;
        EXPECT_LE(gate.threshold, found->window_high) << manifest.id << " " << gate.name;
      }
  }
  if (!missing.empty())
    GTEST_SKIP() << "skipped: not measured on an H200 yet:" << missing
                 << " (labkit lab calibrate LAB --device cuda --runs 3 --write)";
}

TEST(H200Gates, SlowAnswersMissThemByATenthWhereTimeTells) {
  std::set<std::string> seen;
  for_each_gated_row([&](const Row& row, double ratio, const Gate& gate) {
    for (const Slow& slow : slow_answers()) {
      if (slow.lab != row.lab || "wrong/" + slow.file + ".cu" != row.file) continue;
      if (row.kernel.substr(0, row.kernel.find('<')) != slow.kernel) continue;
      seen.insert(slow.lab + slow.file + slow.kernel);
      if (slow.time_tells) {
        EXPECT_LE(ratio, (1 - kMargin) * gate.threshold)
            << row.lab << " " << row.file << " " << row.size << " " << gate.name;
      }
    }
  });
  EXPECT_EQ(seen.size(), slow_answers().size()) << "a slow answer of the list was not measured";
}

TEST(H200Gates, EveryLabHasAMinimumRatio) {
  for (const Manifest& manifest : find_labs(LABKIT_SOURCE_DIR)) {
    const auto has_ratio = [](const lab::Test& test) {
      return !test.bonus && std::any_of(test.gates.begin(), test.gates.end(), [](const Gate& gate) {
        return gate.figure == "ratio" || gate.figure == "best_ratio";
      });
    };
    EXPECT_TRUE(std::any_of(manifest.tests.begin(), manifest.tests.end(), has_ratio))
        << manifest.id;
  }
}

}  // namespace
}  // namespace labkit::lab
