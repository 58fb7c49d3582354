// The page that explains, from plain data.
#include "report/explain_html.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "html_check.h"
#include "report/explain_view.h"

namespace labkit::report {
namespace {

const std::string kHostile =
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e\x1b[2J\xff &amp; -->";

observe::WarpAccess access(std::uint64_t begin, std::int64_t step, std::uint32_t cost,
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
grade::LaunchDetail detail() {
  grade::LaunchDetail detail;
  const auto add = [&](std::uint32_t line, const char* spelling, observe::AccessKind kind,
                       ptx::Space space, const observe::InstructionCounters& counters,
                       const observe::WarpAccess& worst) {
    detail.counters.info.push_back({.line = line,
                                    .file = "kernel.cu",
                                    .spelling = spelling,
                                    .access = kind,
                                    .bytes_per_lane = 4});
    detail.counters.instructions.push_back(counters);
    if (!detail.samples) detail.samples.emplace();
    observe::InstructionSamples samples;
    samples.instruction = static_cast<std::uint32_t>(detail.counters.info.size() - 1);
    samples.space = space;
    samples.is_store = kind == observe::AccessKind::store;
    samples.worst = worst;
    samples.shown = {worst, worst};
    samples.shown[1].warp = 1;
    samples.most_executions = 1;
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
  detail.samples->shown_block = 0;
  detail.samples->warps_a_block = 2;
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

grade::LabResult result(const std::string& hostile = "") {
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

const HtmlElement* find(const std::vector<HtmlElement>& elements, const std::string& attribute,
                        const std::string& value) {
  const auto at = std::find_if(elements.begin(), elements.end(), [&](const HtmlElement& e) {
    const auto found = e.attributes.find(attribute);
    return found != e.attributes.end() && found->second == value;
  });
  return at == elements.end() ? nullptr : &*at;
}

TEST(ExplainHtml, SaysWhichLineAndWhatItCosts) {
  const auto elements = take_apart(explain_html(result()));
  const HtmlElement* const line = find(elements, "id", "source-L3");
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->attributes.at("data-key"), "0-1");
  EXPECT_NE(line->text.find("280 sectors more than its bytes need"), std::string::npos)
      << line->text;
  EXPECT_EQ(find(elements, "id", "source-L1")->attributes.count("data-key"), 0u);
  const HtmlElement* const shared = find(elements, "id", "source-L4");
  EXPECT_NE(shared->text.find("310 wavefronts"), std::string::npos) << shared->text;
  EXPECT_EQ(shared->text.find("sectors more"), std::string::npos) << shared->text;
  const HtmlElement* const begin = find(elements, "class", "begin slow");
  ASSERT_NE(begin, nullptr);
  EXPECT_NE(begin->text.find("kernel.cu:3"), std::string::npos);
  EXPECT_NE(begin->text.find("Try."), std::string::npos);
  const HtmlElement* const chosen = find(elements, "id", "heat-sectors");
  EXPECT_TRUE(chosen->attributes.contains("checked"));
}

TEST(ExplainHtml, BeginsWithWhatTheGateBlames) {
  const auto elements = take_apart(explain_html(result()));
  EXPECT_EQ(find(elements, "class", "launch")->attributes.at("data-first"), "0-1");
  grade::LabResult other = result();
  grade::TestResult& test = other.tests[1];
  test.gates[0].culprit = {};
  // Without one, what wastes most: 310 wavefronts are more than 280 sectors.
  EXPECT_EQ(find(take_apart(explain_html(other)), "class", "launch")->attributes.at("data-first"),
            "0-2");
  launch::Finding finding;
  finding.where = {"kernel.cu", 2};
  test.findings = {finding};
  EXPECT_EQ(find(take_apart(explain_html(other)), "class", "launch")->attributes.at("data-first"),
            "0-0");
}

TEST(ExplainHtml, WhatTheScriptDrawsFrom) {
  const auto elements = take_apart(explain_html(result()));
  const HtmlElement* const store = find(elements, "data-key", "0-1");
  ASSERT_NE(store, nullptr);
  // The first with this key is the line; the data come after it.
  const auto data = std::find_if(elements.begin(), elements.end(), [](const HtmlElement& e) {
    return e.attributes.contains("data-samples") && e.attributes.at("data-key") == "0-1";
  });
  ASSERT_NE(data, elements.end());
  const std::string one = "ffffffff,4,1,32,4,1048576,8192*31";
  const std::string samples = data->attributes.at("data-samples");
  const std::string said = samples.substr(samples.rfind(one) + one.size());
  EXPECT_EQ(samples, "0,0,0," + one + said + ";0,0,0," + one + said + ";0,1,0," + one + said);
  // What is said of it is worded in explain/, as in a terminal.
  const std::string page = explain_html(result());
  for (const char* phrase :
       {"<li>32 sectors where 4 would do</li>",
        "<li>32 lanes touch 32 sectors of 32 bytes and use 4 bytes of each; 4 sectors would "
        "do.</li>",
        "<li>Neighbouring lanes are 8,192 bytes apart: {}. Each needs a sector of its own.</li>",
        "<li>out[2048*lane]</li>"})
    EXPECT_NE(page.find(phrase), std::string::npos) << phrase;
  EXPECT_EQ(std::count(said.begin(), said.end(), ','), 2) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), ' '), 2)
      << "a headline and two sentences: " << said;
  EXPECT_EQ(data->attributes.at("data-space"), "global");
  EXPECT_EQ(data->attributes.at("data-kind"), "store");
}

launch::Finding race() {
  launch::Finding race;
  race.kind = launch::FindingKind::race;
  race.space = "shared";
  race.other_access = launch::Access::write;
  race.access = launch::Access::read;
  race.hazard = "RAW";
  race.fix = {words::Id::race_fix_barrier_between,
              {{"barrier", "__syncthreads()"},
               {"above", launch::SourceLine{"kernel.cu", 2}},
               {"below", launch::SourceLine{"kernel.cu", 4}}}};
  race.other = {"kernel.cu", 2};
  race.where = {"kernel.cu", 4};
  race.other_thread = {1, 0, 0};
  race.thread = {0, 1, 0};
  race.block = race.other_block = {0, 0, 0};
  race.address = 132;
  race.access_bytes = 4;
  race.array = {"tile" + kHostile, 0, 4096};
  return race;
}

/// The first element with this id and all that is in it, as text.
std::string part_of(const std::string& page, const std::string& id) {
  const auto at = page.find("id=\"" + id + "\"");
  return at == std::string::npos ? "" : page.substr(at, page.find("</svg>", at) - at);
}

TEST(ExplainHtml, WhatWasFoundIsPicturedAndNothingSlowBesideIt) {
  grade::LabResult lab = result();
  lab.verdict.kind = lab.tests[1].verdict.kind = "race";
  lab.tests[1].verdict.gate = {};
  lab.tests[1].findings = {race()};
  const std::string page = explain_html(lab);
  const auto elements = take_apart(page);
  EXPECT_EQ(dangers(elements), std::vector<std::string>{});
  const HtmlElement* const found = find(elements, "id", "found");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->attributes.at("data-line"), "4");
  const std::string picture = part_of(page, "found");
  EXPECT_NE(picture.find("line 4: lane 0 reads"), std::string::npos) << picture;
  EXPECT_NE(picture.find("line 2: lane 1 writes"), std::string::npos) << picture;
  std::size_t at_fault = 0;
  for (const HtmlElement& e : elements)
    at_fault += e.attributes.contains("class") && e.attributes.at("class") == "lane fault";
  EXPECT_EQ(at_fault, 2u);
  EXPECT_TRUE(find(elements, "id", "heat-none")->attributes.contains("checked"));
  for (const HtmlElement& e : elements)
    if (e.attributes.contains("class")) {
      EXPECT_NE(e.attributes.at("class"), "remark slow");
      EXPECT_EQ(e.attributes.at("class").find("hit slow"), std::string::npos);
    }
  EXPECT_EQ(find(take_apart(explain_html(result())), "id", "found"), nullptr);
}

TEST(ExplainHtml, OfAWrongElementTheLineThatStoredItIsLinkedAndMarked) {
  grade::LabResult lab = result();
  lab.verdict.kind = lab.tests[1].verdict.kind = "wrong_result";
  lab.verdict.gate = lab.tests[1].verdict.gate = {};
  grade::Mismatch m;
  m.array = "out";
  m.rows = m.cols = 32;
  m.row = 1;
  m.expected = "1";
  m.got = "2";
  m.wrong = 3;
  m.total = 1024;
  m.stored = {.stores = 1, .where = {"kernel.cu", 4}, .thread = {0, 1, 0}, .block = {0, 0, 0}};
  lab.tests[1].mismatches = {m};
  const std::string page = explain_html(lab);
  const auto elements = take_apart(page);
  const HtmlElement* const found = find(elements, "id", "found");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->attributes.at("data-line"), "4");
  EXPECT_NE(page.find("stored by thread (0,1,0) of block (0,0,0) at <a href=\"#source-L4\">line 4"),
            std::string::npos);
  EXPECT_NE(page.find("out[1][0]: expected 1, got 2; stored by thread (0,1,0)"), std::string::npos);
  // of what nobody wrote no line is to blame
  lab.tests[1].mismatches[0].never_written = true;
  const auto unwritten = take_apart(explain_html(lab));
  EXPECT_EQ(find(unwritten, "id", "found")->attributes.at("data-line"), "0");
}

// A launch that was stopped has no figures: what the page shows is of the same kernel, if there is such, and says so.
TEST(ExplainHtml, FiguresOfAnotherTestAreNotTakenForThoseOfTheOneThatFailed) {
  grade::LabResult lab = result();
  grade::TestResult other = lab.tests[1];  // with figures
  other.name = "Other.Bandwidth";
  other.kernel = "other";
  lab.tests[1].kernel = "same";
  grade::TestResult stopped = lab.tests[0];
  stopped.name = "Same.AnyShape";
  stopped.kernel = "same";
  stopped.verdict.kind = "out_of_bounds";
  stopped.detail = nullptr;
  lab.tests = {other, stopped, lab.tests[1]};
  lab.verdict.kind = "out_of_bounds";
  const std::string page = explain_html(lab, {});
  EXPECT_NE(
      page.find(
          "There are no figures of Same.AnyShape, which was stopped before its end. Those below "
          "are of other tests."),
      std::string::npos);
  const auto elements = take_apart(page);
  EXPECT_TRUE(find(elements, "id", "launch-1")->attributes.contains("checked"));
  EXPECT_FALSE(find(elements, "id", "launch-0")->attributes.contains("checked"));
  lab.tests.pop_back();
  EXPECT_NE(explain_html(lab, {}).find("Those below are of Other.Bandwidth (other)."),
            std::string::npos);
  EXPECT_EQ(explain_html(result(), {}).find("There are no figures of"), std::string::npos);
}

TEST(ExplainHtml, AStatementThatDoesNothingIsMarkedAndItsFixBeginsThePage) {
  grade::LabResult lab = result();
  lab.verdict.kind = lab.tests[1].verdict.kind = "race";
  lab.tests[1].findings = {race()};
  lab.tests[1].findings[0].fix = {words::Id::undefined_fix_declared};
  lab.tests[1].idle = {{.line = 3,
                        .what = {words::Id::idle_call, {{"statement", "f"}}},
                        .fix = {words::Id::idle_fix_call, {{"function", "f"}}}}};
  const std::string page = explain_html(lab, {});
  const auto begin = page.find("Begin here"), found = page.find("id=\"found\"");
  ASSERT_LT(begin, found);
  const std::string first = page.substr(begin, page.find("<details", begin) - begin);
  EXPECT_NE(first.find("<code>f;</code> does nothing"), std::string::npos) << first;
  EXPECT_NE(first.find("Write <code>f();</code>."), std::string::npos) << first;
  EXPECT_EQ(first.find("put a barrier"), std::string::npos) << first;
  const auto elements = take_apart(page);
  const auto marked = std::count_if(elements.begin(), elements.end(), [](const HtmlElement& e) {
    return e.attributes.contains("class") && e.attributes.at("class") == "remark wrong" &&
           e.text.find("is not a call.Fix: Write `f();`.") != std::string::npos;
  });
  EXPECT_EQ(marked, 1);
}

TEST(ExplainHtml, AProfilesFirstErrorComesFirst) {
  grade::Profile profile;
  profile.file = "/x/kernel.cu";
  profile.kernel = "k";
  profile.block = {32, 32, 1};
  profile.simulated = true;
  const grade::LaunchDetail launch = detail();
  profile.outcome.completed = true;
  profile.outcome.counters = launch.counters;
  profile.outcome.samples = launch.samples;
  launch::Finding warning = race();
  warning.severity = launch::Severity::warning;
  profile.outcome.findings = {warning, race()};
  const std::string page = explain_html(profile, "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(dangers(take_apart(page)), std::vector<std::string>{});
  const auto begin = page.find("Begin here"), fix = page.find("Put __syncthreads() between"),
             lines = page.find("id=\"lines\"");
  EXPECT_LT(begin, fix);
  EXPECT_LT(fix, lines) << "the fix stands above the source";
  EXPECT_NE(page.find("id=\"found\""), std::string::npos);
  EXPECT_NE(page.find("Also found"), std::string::npos) << "the warning";
  profile.outcome.findings = {warning};
  EXPECT_EQ(explain_html(profile, "one\n").find("Begin here"), std::string::npos);
}

TEST(ExplainHtml, AccessesAreWrittenShort) {
  observe::WarpAccess one = access(100, 4, 4, 4);
  EXPECT_EQ(encoded(one), "0,0,0,ffffffff,4,1,4,4,100,4*31");
  for (std::size_t i = 16; i < 32; ++i) one.addresses[i] += 1000;
  one.block = 7;
  one.warp = 3;
  one.execution = 2;
  EXPECT_EQ(encoded(one), "7,3,2,ffffffff,4,1,4,4,100,4*15 1004 4*15");
  one.active = 0x80000001;
  EXPECT_EQ(encoded(one), "7,3,2,80000001,4,1,4,4,100,1124");
  one.active = 0x80000000;
  EXPECT_EQ(encoded(one), "7,3,2,80000000,4,1,4,4,1224,");
  one = access(1000, -8, 8, 4);
  EXPECT_EQ(encoded(one), "0,0,0,ffffffff,4,1,8,4,1000,-8*31");
}

TEST(ExplainHtml, HeatIsWhatIsWastedAndWhatSetsTheTime) {
  const LaunchHeat heat = heat_of(detail(), "kernel.cu");
  EXPECT_EQ(heat.of(Heat::sectors), (std::map<std::uint32_t, double>{{3, 280}}));
  EXPECT_EQ(heat.of(Heat::wavefronts), (std::map<std::uint32_t, double>{{4, 310}}));
  EXPECT_EQ(heat.traffic, "store packets");
  EXPECT_EQ(heat.of(Heat::traffic), (std::map<std::uint32_t, double>{{3, 1}}));
  grade::LaunchDetail other = detail();
  other.prediction->bound = "DRAM";
  const LaunchHeat sectors = heat_of(other, "kernel.cu");
  EXPECT_EQ(sectors.traffic, "global sectors");
  EXPECT_DOUBLE_EQ(sectors.of(Heat::traffic).at(2), 40.0 / 360);
  EXPECT_TRUE(heat_of(detail(), "other.cu").of(Heat::sectors).empty());
}

TEST(ExplainHtml, FiguresStandAgainstNaiveIdealAndReference) {
  ExplainOptions options;
  options.yardsticks["CornerTurning.Bandwidth/store_sectors_per_request"] = {
      .naive = 32, .ideal = 4, .reference = 4};
  const auto elements = take_apart(explain_html(result(), options));
  const HtmlElement* const key = find(elements, "class", "key");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->text, "naive 32yours 32ideal 4gate at most 4.50reference 4");
}

TEST(ExplainHtml, TheIdealFollowsFromTheCounters) {
  const auto elements = take_apart(explain_html(result()));
  EXPECT_EQ(find(elements, "class", "key")->text, "yours 32ideal 4gate at most 4.50");
  grade::LabResult lab = result();
  lab.tests[1].gates[0].figure = "excess_global_sectors";
  EXPECT_EQ(find(take_apart(explain_html(lab)), "class", "key")->text,
            "yours 32ideal 0gate at most 4.50");
  lab.tests[1].gates[0].figure = "ratio";
  EXPECT_EQ(find(take_apart(explain_html(lab)), "class", "key")->text, "yours 32gate at most 4.50");
}

TEST(ExplainHtml, TheRooflineIsOfTheSamePrediction) {
  grade::LabResult lab = result();
  const auto roof = [&] {
    return find(take_apart(explain_html(lab)), "class", "chart roofline") != nullptr;
  };
  EXPECT_FALSE(roof()) << "no GPU is known";
  lab.gpu = "h200";
  EXPECT_FALSE(roof()) << "no arithmetic";
  EXPECT_NE(explain_html(lab).find("length bandwidth"), std::string::npos);
  grade::LaunchDetail launch = detail();
  launch.counters.info.push_back(
      {.line = 2, .file = "kernel.cu", .spelling = "add.f32", .access = {}});
  launch.counters.instructions.push_back({.warp_executions = 10, .thread_executions = 320});
  lab.tests[1].detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  EXPECT_TRUE(roof());
}

TEST(ExplainHtml, CountersSayWhatTheyMean) {
  const auto elements = take_apart(explain_html(result()));
  const HtmlElement* const table = find(elements, "class", "plain counters");
  ASSERT_NE(table, nullptr);
  EXPECT_NE(table->text.find("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum320"),
            std::string::npos)
      << table->text;
  EXPECT_EQ(table->text.find("mem_local"), std::string::npos) << "what is 0 is not asked about";
}

TEST(ExplainHtml, HostileTextStaysText) {
  ExplainOptions options;
  options.command = kHostile;
  options.idea = kHostile;
  grade::LabResult lab = result(kHostile);
  launch::Finding finding;
  finding.kernel = "Bad" + kHostile;
  finding.array = {"a" + kHostile, 0, 4};
  finding.fix = {words::Id::bounds_fix_declared_size, {{"array", "fix" + kHostile}}};
  finding.where = {"kernel.cu", 2};
  lab.tests[1].findings = {finding};
  for (const bool message : {false, true}) {
    if (message) {
      lab.verdict.kind = "compile_error";
      lab.message = {{words::Id::compiler_says, {{"text", "no" + kHostile}}}};
      lab.compile_log = "kernel.cu(2): error: x" + kHostile + "\n";
    }
    const std::string page = explain_html(lab, options);
    const auto elements = take_apart(page);
    EXPECT_EQ(dangers(elements), std::vector<std::string>{});
    EXPECT_EQ(page.find("\u202e"), std::string::npos);
    EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  }
}

TEST(ExplainHtml, AHugeSourceIsCutAroundWhatCounts) {
  grade::LabResult lab = result();
  lab.source.clear();
  for (int i = 1; i <= 100'000; ++i) lab.source += "line " + std::to_string(i) + "\n";
  lab.source += std::string(5'000'000, 'x');
  grade::LaunchDetail launch = detail();
  launch.counters.info[1].line = 90'000;
  lab.tests[1].gates[0].culprit.where.line = 90'000;
  lab.tests[1].detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  const std::string page = explain_html(lab);
  EXPECT_LT(page.size(), 1'500'000u);
  const auto elements = take_apart(page);
  EXPECT_NE(find(elements, "id", "source-L90000"), nullptr);
  EXPECT_NE(find(elements, "id", "source-L89990"), nullptr);
  EXPECT_EQ(find(elements, "id", "source-L50000"), nullptr);
  EXPECT_NE(page.find("lines more"), std::string::npos);
}

TEST(ExplainHtml, ManyAccessesDoNotBloatIt) {
  grade::LabResult lab = result();
  grade::LaunchDetail launch = detail();
  observe::InstructionSamples samples = launch.samples->instructions[1];
  samples.shown.assign(128, samples.worst);
  for (std::size_t i = 0; i < samples.shown.size(); ++i)
    for (std::size_t lane = 0; lane < 32; ++lane)  // nothing regular to write short
      samples.shown[i].addresses[lane] = (i * 977 + lane * lane * 7919) * 64;
  launch.samples->instructions.assign(10'000, samples);
  lab.tests[1].detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  const std::string page = explain_html(lab);
  EXPECT_LT(page.size(), 4'000'000u);
}

TEST(ExplainHtml, AProfileHasItsPageToo) {
  grade::Profile profile;
  profile.file = "/x/kernel.cu";
  profile.kernel = "k<" + kHostile + ">";
  profile.grid = {64, 64, 1};
  profile.block = {32, 2, 1};
  profile.device.title = "simulator";
  profile.simulated = true;
  grade::LaunchDetail launch = detail();
  profile.outcome.completed = true;
  profile.outcome.counters = launch.counters;
  profile.outcome.samples = launch.samples;
  profile.outcome.prediction = launch.prediction;
  const auto elements = take_apart(explain_html(profile, "one\ntwo\nthree\nfour\n"));
  EXPECT_EQ(dangers(elements), std::vector<std::string>{});
  EXPECT_EQ(find(elements, "id", "source-L3")->attributes.at("data-key"), "0-1");
  grade::Profile refused = profile;
  refused.refusal = "compile_error";
  refused.message = {{words::Id::compiler_says, {{"text", "expected a ;" + kHostile}}}};
  refused.outcome = {};
  const std::string page = explain_html(refused, "one\n" + kHostile);
  EXPECT_EQ(dangers(take_apart(page)), std::vector<std::string>{});
  EXPECT_NE(page.find("expected a ;"), std::string::npos);
}

TEST(ExplainHtml, TestsThatDidNotRunAreNotShown) {
  const std::string page = explain_html(result());
  EXPECT_NE(page.find("CornerTurning.AnyShape"), std::string::npos);
  EXPECT_EQ(page.find("CornerTurning.NotAsked"), std::string::npos);
}

}  // namespace
}  // namespace labkit::report
