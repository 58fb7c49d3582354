// The worker's own PTX, on the simulator.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/files.h"
#include "base/random.h"
#include "device/device.h"

namespace labkit::device {
namespace {

constexpr std::uint64_t kWords = 1001;  // more than threads, and no multiple of them

launch::Buffer buffer(launch::Element element, std::uint64_t count, launch::Fill fill) {
  launch::Buffer made;
  made.name = "buffer";
  made.element = element;
  made.count = count;
  made.fill = fill;
  made.is_output = true;
  return made;
}

Outcome run_helper(const std::string& entry, launch::Buffer data, std::uint64_t items) {
  Plan plan;
  plan.modules = {{.name = "helpers.ptx",
                   .ptx = read_file(LABKIT_SOURCE_DIR "/grader/device/worker/helpers.ptx")}};
  plan.buffers = {std::move(data), buffer(launch::Element::i64, 1, launch::Fill::zero)};
  PlannedLaunch planned;
  planned.launch = {
      .kernel = entry,
      .entry = entry,
      .grid = {3},
      .block = {256},
      .arguments = {launch::BufferRef{0}, launch::scalar(items), launch::BufferRef{1}}};
  planned.want_counters = true;
  plan.launches = {planned};
  Outcome outcome = make_devices("sim").simulator->run(plan).at(0);
  EXPECT_TRUE(outcome.completed);
  EXPECT_TRUE(outcome.findings.empty());
  return outcome;
}

std::uint64_t result_of(const Outcome& outcome) {
  std::uint64_t value = 0;
  std::memcpy(&value, outcome.outputs.at(1).bytes.data(), sizeof value);
  return value;
}

TEST(Helpers, HashesEveryWordWithItsIndex) {
  const launch::Buffer data = buffer(launch::Element::i32, kWords, launch::Fill::random);
  const std::vector<std::byte> bytes = launch::initial_contents(data);
  std::uint64_t wanted = 0;
  for (std::uint64_t i = 0; i < kWords; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i * sizeof word, sizeof word);
    wanted += mix64(word + (i + 1) * 0x9e3779b97f4a7c15ull);
  }
  EXPECT_EQ(result_of(run_helper("labkit_hash", data, kWords)), wanted);
}

TEST(Helpers, TheHashTellsWhereAWordIs) {
  launch::Buffer data = buffer(launch::Element::i32, kWords, launch::Fill::random);
  data.data = launch::initial_contents(data);
  data.fill = launch::Fill::given;
  const std::uint64_t before = result_of(run_helper("labkit_hash", data, kWords));
  EXPECT_EQ(result_of(run_helper("labkit_hash", data, kWords)), before);
  std::swap_ranges(data.data.begin(), data.data.begin() + 4, data.data.begin() + 400);
  EXPECT_NE(result_of(run_helper("labkit_hash", data, kWords)), before);
}

TEST(Helpers, TheSweepReadsEverySectorOnceAndWritesNothing) {
  const Outcome outcome = run_helper(
      "labkit_flush", buffer(launch::Element::f32, 4 * kWords, launch::Fill::zero), kWords);
  const auto metrics = observe::metrics(*outcome.counters);
  EXPECT_EQ(metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), (16 * kWords + 31) / 32);
  EXPECT_EQ(metrics.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 0);
}

}  // namespace
}  // namespace labkit::device
