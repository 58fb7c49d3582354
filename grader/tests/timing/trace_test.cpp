// Traces: what is recorded of a block, what is merged, what is left out.
#include "timing/trace.h"

#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>

#include "base/files.h"

namespace labkit::timing {
namespace {

struct Request {
  std::array<std::uint64_t, 32> addresses{};
  simt::Access access;
  /// Lanes `stride` bytes apart from `base`.
  Request(std::uint32_t instruction, std::uint64_t base, std::uint64_t stride, bool store = false) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = base + lane * stride;
    access.instruction = instruction;
    access.is_store = store;
    access.active = ~0u;
    access.block = 7;
  }
  const simt::Access& at() {
    access.addresses = addresses.data();
    return access;
  }
};

BlockTrace recorded(std::vector<Request> requests) {
  TraceRecorder recorder;
  recorder.begin(7, 64);
  RequestLines lines;
  for (Request& each : requests) recorder.on_access(each.at(), lines.of(each.at()));
  return recorder.take();
}

TEST(Trace, SectorsAndWhatTheBlockLoadsFirst) {
  const BlockTrace trace = recorded({{1, 4096, 4}, {2, 4096 + 64, 4}});
  EXPECT_EQ(trace.warps, 2u);
  ASSERT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.events[0].lines, 1);
  EXPECT_EQ(trace.touches[0], 4096ull | 0x30 | 0xf);
  EXPECT_EQ(trace.events[1].lines, 2);
  EXPECT_EQ(trace.touches[1], 4096ull | 0xc);                 // both sectors known
  EXPECT_EQ(trace.touches[2], (4096ull + 128) | 0x10 | 0x3);  // the next line's first atom is new
}

TEST(Trace, StoresThatFollowOneAnotherToTheSameLinesLeaveAsOne) {
  // As a structure of two floats is stored, however much lies between.
  EXPECT_EQ(recorded({{1, 0, 8, true}, {20, 4, 8, true}}).events.size(), 1u);
  // A load between, unless of the same structure; other lines, many lines: each for itself.
  EXPECT_EQ(recorded({{1, 0, 8, true}, {2, 4096, 8}, {3, 4, 8, true}}).events.size(), 3u);
  EXPECT_EQ(recorded({{1, 0, 8, true}, {30, 4, 8}, {31, 4, 8, true}}).events.size(), 2u);
  EXPECT_EQ(recorded({{1, 0, 8, true}, {2, 512, 8, true}}).events.size(), 2u);
  EXPECT_EQ(recorded({{1, 0, 128, true}, {2, 4, 128, true}}).events.size(), 2u);
}

/// A row of store_merge.csv: its first five columns, warps an SM, sectors in L1 and in L2.
using MergeRow = std::array<std::uint64_t, 8>;

std::vector<MergeRow> merge_rows() {
  std::vector<MergeRow> rows;
  std::istringstream lines(
      read_file(std::string(LABKIT_SOURCE_DIR) + "/grader/tests/h200/store_merge.csv"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] < '0' || line[0] > '9') continue;
    std::istringstream cells(line);
    std::string cell;
    MergeRow& row = rows.emplace_back();
    for (std::uint64_t& value : row)
      if (std::getline(cells, cell, ',')) value = std::stoull(cell);
  }
  return rows;
}

/// The part of the stores of 64 warps that leave: each lane stores `row`'s words, side by side.
double part_that_leaves(const MergeRow& row, bool loads_first) {
  const auto [stride, stores, width, gap, between, warps, l1, l2] = row;
  TraceRecorder recorder;
  RequestLines lines;
  recorder.begin(7, 64 * 32);
  std::size_t loads = 0;
  for (std::uint32_t warp = 0; warp < 64; ++warp) {
    std::vector<Request> all;
    if (loads_first) all.emplace_back(0, std::uint64_t{1} << 30, 4);
    for (std::uint32_t k = 0; k < stores; ++k)
      all.emplace_back(static_cast<std::uint32_t>(1 + k * (gap + 1)), 4 * (warp * 32 * stride + k),
                       4 * stride, true);
    for (Request& each : all) {
      each.access.warp = static_cast<std::uint16_t>(warp);
      recorder.on_access(each.at(), lines.of(each.at()));
    }
    loads += loads_first ? 1 : 0;
  }
  return static_cast<double>(recorder.take().events.size() - loads) /
         (64.0 * static_cast<double>(stores));
}

// What was measured is what the recorder makes of the same stores.
TEST(Trace, AsManyStoresLeaveAsOneAsWereMeasured) {
  constexpr std::uint64_t kNothing = 0, kFirst = 3;
  std::size_t rows = 0;
  for (const MergeRow& row : merge_rows()) {
    const auto [stride, stores, width, gap, between, warps, l1, l2] = row;
    if (warps != 64 || width != 1 || stride != stores || gap != 0) continue;
    if (between != kNothing && between != kFirst) continue;
    const double measured = static_cast<double>(l2) / static_cast<double>(l1);
    EXPECT_NEAR(part_that_leaves(row, between == kFirst), measured, 0.04)
        << "stride " << stride << ", between " << between;
    ++rows;
  }
  EXPECT_GE(rows, 15u);
}

TEST(Trace, OfVeryLongBlocksTheBeginningOfEachWarpIsKept) {
  TraceRecorder recorder;
  RequestLines lines;
  recorder.begin(7, 64);
  for (std::uint32_t i = 0; i < 2 * TraceRecorder::kEvents; ++i) {
    Request request(i, i * 128ull, 4);
    recorder.on_access(request.at(), lines.of(request.at()));
  }
  Request other(1, 0, 4);
  other.access.warp = 1;
  recorder.on_access(other.at(), lines.of(other.at()));
  const BlockTrace trace = recorder.take();
  EXPECT_EQ(trace.events_seen, 2 * TraceRecorder::kEvents + 1);
  EXPECT_EQ(trace.events_kept, TraceRecorder::kEvents / 2 + 1);
  EXPECT_EQ(trace.events.size(), trace.events_kept);
  EXPECT_EQ(trace.events.back().warp, 1);
}

TEST(Trace, OtherBlocksAreNotMixedIn) {
  Request stranger(1, 0, 4);
  stranger.access.block = 8;
  EXPECT_TRUE(recorded({stranger}).events.empty());
}

}  // namespace
}  // namespace labkit::timing
