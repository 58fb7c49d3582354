// A row a warp, a mark a lane:
//   line 8: warp 0 writes   ████████ ████████ ████████ ████████
//   line 9: warp 1 reads    ████████ ████████ ████████ ████████
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "explain/words.h"
#include "report/performance_text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using words::Id;

constexpr std::size_t kMostWarps = 2, kLanes = 32;

struct LaneMarks {
  const char *fault, *other, *idle;
};

std::string lanes_row(const explain::WarpAtLine& warp, const LaneMarks& marks, const Style& style) {
  std::string row;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (lane % 8 == 0 && lane > 0) row += ' ';
    const bool is_at_fault = (warp.at_fault >> lane & 1) != 0;
    row += is_at_fault                      ? style.bad(marks.fault)
           : (warp.others >> lane & 1) != 0 ? style.good(marks.other)
                                            : style.dim(marks.idle);
  }
  return row;
}

}  // namespace

std::string finding_picture_text(const explain::FindingPicture& picture, const Style& style,
                                 std::string_view indent) {
  const LaneMarks marks = style.unicode ? LaneMarks{"█", "▒", "·"} : LaneMarks{"#", "+", "."};
  std::vector<std::vector<std::string>> rows;
  bool has_others = false;
  for (std::size_t i = 0; i < std::min(picture.warps.size(), kMostWarps); ++i) {
    const explain::WarpAtLine& warp = picture.warps[i];
    has_others |= warp.others != 0;
    rows.push_back({std::string(indent) +
                        words::text(Id::warp_at_line, {{"line", std::to_string(warp.where.line)},
                                                       {"warp", std::to_string(warp.warp)},
                                                       {"deed", warp.deed}}),
                    lanes_row(warp, marks, style)});
  }
  if (rows.empty()) return {};
  const std::string place = picture.place.empty() ? "" : printable(picture.place) + ": ";
  std::string legend = words::text(Id::legend_at_fault, {{"place", place}, {"mark", marks.fault}});
  if (has_others)
    legend = words::text(Id::legend_another, {{"legend", legend}, {"mark", marks.other}});
  return table(rows, {false, false}) + std::string(indent) + style.dim(legend) + "\n";
}

std::string short_picture_text(const grade::TestResult& test, const Style& style,
                               std::string_view indent) {
  if (const launch::Finding* const error = explain::first_error(test)) {
    const auto picture = explain::picture_of(*error, explain::block_size_of(test));
    return picture ? finding_picture_text(*picture, style, indent) : "";
  }
  if (test.verdict.kind != "gate") return {};
  const observe::InstructionSamples* const access = access_at_fault(test);
  if (!access) return {};
  const observe::LaunchCounters& counters = test.detail->counters;
  return short_lane_picture_text(
      explain::picture_of(*access, access->worst, test.detail->samples->ranges,
                          counters.info[access->instruction].spelling),
      style, indent);
}

}  // namespace labkit::report
