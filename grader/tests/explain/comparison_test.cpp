// A figure beside others, and the costs of lines.
#include <gtest/gtest.h>

#include "explain/line_costs.h"
#include "explain/words.h"

namespace labkit::explain {
namespace {

void add(observe::LaunchCounters& counters, std::uint32_t line, observe::AccessKind access,
         std::uint64_t sectors, std::uint64_t ideal, std::uint64_t wavefronts = 0,
         std::uint64_t wavefronts_ideal = 0) {
  observe::InstructionInfo info;
  info.file = "kernel.cu";
  info.line = line;
  info.access = access;
  info.spelling = access == observe::AccessKind::load ? "ld.global.f32" : "st.global.f32";
  counters.info.push_back(info);
  observe::InstructionCounters& c = counters.instructions.emplace_back();
  c.global_requests = sectors > 0 ? 10 : 0;
  c.global_sectors = sectors;
  c.global_sectors_ideal = ideal;
  c.shared_requests = wavefronts > 0 ? 10 : 0;
  c.shared_wavefronts = wavefronts;
  c.shared_wavefronts_ideal = wavefronts_ideal;
}

grade::TestResult strided() {
  auto detail = std::make_shared<grade::LaunchDetail>();
  add(detail->counters, 4, observe::AccessKind::load, 40, 40);
  add(detail->counters, 5, observe::AccessKind::store, 80, 40);
  grade::TestResult test;
  test.verdict = {.kind = "gate", .gate = "sectors"};
  test.figures = grade::counter_figures(detail->counters);
  test.figures["ratio"] = 0.3;
  test.detail = detail;
  grade::GateResult gate;
  gate.figure = "excess_global_sectors";
  gate.is_minimum = false;
  gate.value = 40;
  gate.culprit = grade::worst_line(gate.figure, detail->counters);
  test.gates = {gate};
  gate.figure = "ratio";
  gate.is_minimum = true;
  gate.threshold = 0.4;
  gate.culprit = {};
  test.gates.push_back(gate);
  test.known = {{.name = "naive",
                 .file = "wrong/n.cu",
                 .counted = {{"store_sectors_per_request", 32}, {"excess_global_sectors", 280}},
                 .predicted = {{"ratio", 0.28}}},
                {.name = "reference",
                 .file = "correct/r.cu",
                 .counted = {{"store_sectors_per_request", 4}, {"excess_global_sectors", 0}},
                 .predicted = {{"ratio", 0.55}}}};
  return test;
}

TEST(Comparison, EachMissedGateAndWhatARequestCosts) {
  EXPECT_EQ(tell_comparison(strided()),
            (std::vector<std::string>{
                "sectors per global store request: naive 32.0, yours 8.0, ideal 4.0, reference 4.0",
                "excess global sectors: naive 280, yours 40, ideal 0, reference 0, at most 0",
                "bandwidth, as a fraction of the copy's: naive 0.28, yours 0.30, reference 0.55, "
                "at least "
                "0.40 (predicted)"}));
}

/// Stores of 16 bytes a lane, which the compiler made of four, in a reference that stores 4 bytes a lane.
grade::TestResult merged() {
  auto detail = std::make_shared<grade::LaunchDetail>();
  add(detail->counters, 5, observe::AccessKind::store, 0, 0, 320, 40);
  detail->counters.info[0].spelling = "st.shared.f32";
  grade::TestResult test;
  test.verdict = {.kind = "gate", .gate = "conflicts"};
  test.figures = grade::counter_figures(detail->counters);
  test.detail = detail;
  grade::GateResult gate;
  gate.figure = "excess_shared_wavefronts";
  gate.is_minimum = false;
  gate.culprit = grade::worst_line(gate.figure, detail->counters);
  test.gates = {gate};
  test.known = {
      {.name = "staged",
       .file = "wrong/s.cu",
       .counted = {{"shared_store_wavefronts_per_request", 32}, {"excess_shared_wavefronts", 3000}},
       .predicted = {}},
      {.name = "reference",
       .file = "correct/r.cu",
       .counted = {{"shared_store_wavefronts_per_request", 1}, {"excess_shared_wavefronts", 0}},
       .predicted = {}}};
  return test;
}

TEST(Comparison, RequestsOfAnotherWidthStandAlone) {
  grade::TestResult test = merged();
  EXPECT_EQ(tell_comparison(test),
            (std::vector<std::string>{
                "wavefronts per shared store request: yours 32.0, ideal 4.0 (each of 512 bytes)",
                "excess shared wavefronts: staged 3,000, yours 280, ideal 0, reference 0, at most "
                "0"}));
  // the same width, and the same waste
  test.known[1].counted["shared_store_wavefronts_per_request"] = 4;
  EXPECT_EQ(tell_comparison(test).front(),
            "wavefronts per shared store request: staged 32.0, yours 32.0, ideal 4.0, reference "
            "4.0");
  // a limit that is one of requests keeps the others', and tells no ideal that it does not mean
  test = merged();
  test.gates[0].figure = "shared_store_wavefronts_per_request";
  test.gates[0].threshold = 1.5;
  EXPECT_EQ(tell_comparison(test),
            (std::vector<std::string>{"wavefronts per shared store request: staged 32.0, yours "
                                      "32.0, reference 1.0, at most 1.5"}));
}

TEST(Comparison, NothingOfWhatHoldsWasMeasuredOrIsUnknown) {
  grade::TestResult test = strided();
  test.gates[0].passed = true;
  test.gates[1].measured = true;
  EXPECT_TRUE(tell_comparison(test).empty());
  test = strided();
  test.known.clear();
  EXPECT_TRUE(tell_comparison(test).empty());
}

TEST(Comparison, IdealOfTheSameRequests) {
  const auto counters = strided().detail->counters;
  EXPECT_EQ(ideal_of("store_sectors_per_request", counters), 4);
  EXPECT_EQ(ideal_of("excess_global_sectors", counters), 0);
  EXPECT_EQ(ideal_of("shared_load_wavefronts_per_request", counters), std::nullopt);
  EXPECT_EQ(ideal_of("global_load_sectors", counters), std::nullopt);
  EXPECT_EQ(ideal_of("ratio", counters), std::nullopt);
}

TEST(LineCosts, WorstFirstAndOnlyWhereMemoryIsTouched) {
  observe::LaunchCounters counters;
  add(counters, 3, observe::AccessKind::none, 0, 0);
  add(counters, 4, observe::AccessKind::load, 40, 40);
  add(counters, 5, observe::AccessKind::store, 80, 40, 33, 1);
  add(counters, 5, observe::AccessKind::load, 10, 5);
  add(counters, 0, observe::AccessKind::load, 900, 1);
  const auto lines = line_costs(counters);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].where.line, 5u);
  EXPECT_EQ(lines[0].excess_sectors(), 45);
  EXPECT_EQ(lines[0].bank_conflicts(), 32);
  EXPECT_EQ(lines[1].where.line, 4u);
  EXPECT_EQ(lines[2].where.line, 0u);
}

TEST(LineCosts, TheAccessToLookAt) {
  observe::LaunchCounters counters;
  add(counters, 5, observe::AccessKind::load, 40, 40);
  add(counters, 5, observe::AccessKind::store, 80, 40);
  add(counters, 5, observe::AccessKind::load, 0, 0, 500, 10);
  add(counters, 6, observe::AccessKind::load, 900, 100);
  observe::AccessSamples samples;
  for (std::uint32_t i = 0; i < 4; ++i) {
    observe::InstructionSamples& one = samples.instructions.emplace_back();
    one.instruction = i;
    one.is_store = i == 1;
    one.space = i == 2 ? ptx::Space::shared : ptx::Space::global;
  }
  const launch::SourceLine line{"kernel.cu", 5};
  EXPECT_EQ(worst_of_line(counters, samples, line)->instruction, 2u);
  EXPECT_EQ(worst_of_line(counters, samples, line, Memory::global)->instruction, 1u);
  EXPECT_EQ(worst_of_line(counters, samples, line, Memory::global, Accesses::loads)->instruction,
            0u);
  EXPECT_EQ(worst_of_line(counters, samples, {"kernel.cu", 7}), nullptr);
  EXPECT_EQ(worst_of_launch(counters, samples)->instruction, 3u);
}

}  // namespace
}  // namespace labkit::explain
