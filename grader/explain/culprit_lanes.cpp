#include "explain/culprit_lanes.h"

#include "explain/lane_picture.h"
#include "explain/line_costs.h"

namespace labkit::explain {
namespace {

std::int64_t stride_at(const lab::LaunchDetail& detail, const launch::SourceLine& where) {
  const observe::InstructionSamples* worst = worst_of_line(detail.counters, *detail.samples, where);
  if (!worst) return 0;
  const LanePicture picture = picture_of(*worst, worst->worst, detail.samples->ranges,
                                         detail.counters.info.at(worst->instruction).spelling);
  return picture.has_stride ? picture.stride_bytes : 0;
}

}  // namespace

void add_lane_strides(lab::LabResult& result) {
  for (lab::TestResult& test : result.tests) {
    if (!test.detail || !test.detail->samples) continue;
    for (lab::GateResult& gate : test.gates)
      if (!gate.passed && gate.culprit.where.line != 0)
        gate.culprit.lane_stride_bytes = stride_at(*test.detail, gate.culprit.where);
  }
}

}  // namespace labkit::explain
