#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grade/result.h"
#include "html_check.h"
#include "report/explain_html.h"

namespace labkit::report {

inline observe::WarpAccess access(std::uint64_t begin, std::int64_t step, std::uint32_t cost,
                                  std::uint32_t ideal) {
  observe::WarpAccess one;
  one.active = 0xffffffff;
  for (std::size_t i = 0; i < one.addresses.size(); ++i)
    one.addresses[i] = begin + static_cast<std::uint64_t>(step * static_cast<std::int64_t>(i));
  one.cost = cost;
  one.ideal = ideal;
  return one;
}

/// Line 3 stores in columns, line 2 loads rows; line 4 has bank conflicts.
inline grade::LaunchDetail detail() {
  grade::LaunchDetail detail;
  const auto add = [&](std::uint32_t line, const char* spelling, observe::AccessKind kind,
                       ptx::Space space, const observe::InstructionCounters& counters,
                       const observe::WarpAccess& worst) {
    detail.counters.info.push_back({.line = line,
                                    .file = "kernel.cu",
                                    .spelling = spelling,
                                    .access = kind,
                                    .bytes_per_lane = 4,
                                    .cost = {}});
    detail.counters.instructions.push_back(counters);
    if (!detail.samples) detail.samples.emplace();
    observe::InstructionSamples samples;
    samples.instruction = static_cast<std::uint32_t>(detail.counters.info.size() - 1);
    samples.space = space;
    samples.is_store = kind == observe::AccessKind::store;
    samples.worst = worst;
    detail.samples->instructions.push_back(samples);
  };
  add(2, "ld.global.f32", observe::AccessKind::load, ptx::Space::global,
      {.warp_executions = 10,
       .thread_executions = 320,
       .global_requests = 10,
       .global_sectors = 40,
       .global_sectors_ideal = 40},
      access(4096, 4, 4, 4));
  add(3, "st.global.f32", observe::AccessKind::store, ptx::Space::global,
      {.warp_executions = 10,
       .thread_executions = 320,
       .global_requests = 10,
       .global_sectors = 320,
       .global_sectors_ideal = 40},
      access(1 << 20, 8192, 32, 4));
  add(4, "ld.shared.f32", observe::AccessKind::load, ptx::Space::shared,
      {.warp_executions = 10,
       .thread_executions = 320,
       .shared_requests = 10,
       .shared_wavefronts = 320,
       .shared_wavefronts_ideal = 10},
      access(0, 128, 32, 1));
  detail.samples->ranges = {{.name = "out",
                             .space = ptx::Space::global,
                             .begin = 1 << 20,
                             .bytes = 1 << 20,
                             .element_bytes = 4}};
  timing::Prediction prediction;
  prediction.time_us = 12;
  prediction.bound = "stores";
  prediction.bounds = {{"stores", 10}, {"DRAM", 4}, {"launch", 2}};
  prediction.shares = {{"stores", 0.7}, {"launch", 0.2}, {"DRAM", 0.1}};
  prediction.occupancy = {.blocks_per_sm = 2, .warps_per_sm = 64, .limiter = "block size"};
  detail.prediction = prediction;
  detail.registers = {.per_thread = 32, .by = "NVRTC 13.0's ptxas for sm_90"};
  return detail;
}

inline grade::LabResult explained(const std::string& hostile = "") {
  grade::LabResult lab;
  lab.lab = "lab3";
  lab.title = "Corner turning" + hostile;
  lab.file = "/x/kernel.cu";
  lab.device = "simulator" + hostile;
  lab.compiler = "NVRTC";
  lab.source =
      "line one " + hostile + "\nx = in[i];\nout[j] = x; // " + hostile + "\ntile[k]\nend\n";
  grade::TestResult right;
  right.name = "CornerTurning.AnyShape";
  right.about = "Right." + hostile;
  right.verdict.kind = "pass";
  right.points = right.max_points = 30;
  grade::TestResult slow = right;
  slow.name = "CornerTurning.Bandwidth";
  slow.verdict = {.kind = "gate", .gate = "sectors"};
  slow.points = 0;
  slow.printed = "said" + hostile;
  slow.launch = {{.kernel = "k" + hostile, .grid = "64x64", .block = "32x2", .scalars = {}}};
  grade::GateResult gate;
  gate.name = "sectors";
  gate.figure = "store_sectors_per_request";
  gate.is_minimum = false;
  gate.threshold = 4.5;
  gate.value = 32;
  gate.reason = "Because." + hostile;
  gate.next = "Try." + hostile;
  gate.culprit = {.where = {"kernel.cu", 3}, .instruction = "st.global.f32", .value = 32};
  slow.gates = {gate};
  grade::LaunchDetail launch = detail();
  launch.samples->ranges[0].name += hostile;
  for (observe::InstructionInfo& info : launch.counters.info) info.spelling += hostile;
  slow.gates[0].culprit.instruction += hostile;
  slow.detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  grade::TestResult skipped = right;
  skipped.name = "CornerTurning.NotAsked";
  skipped.verdict.kind = "not_run";
  lab.tests = {right, slow, skipped};
  grade::sum_up(lab);
  lab.verdict = slow.verdict;
  return lab;
}

inline const HtmlElement* find(const std::vector<HtmlElement>& elements,
                               const std::string& attribute, const std::string& value) {
  const auto at = std::find_if(elements.begin(), elements.end(), [&](const HtmlElement& e) {
    const auto found = e.attributes.find(attribute);
    return found != e.attributes.end() && found->second == value;
  });
  return at == elements.end() ? nullptr : &*at;
}

}  // namespace labkit::report
