// The session with a device that does what the test says; the compiler is the real one.
#include "lab/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.h"

namespace labkit::lab {
namespace {

constexpr const char* kToml = R"(
title = "Doubling"
idea = "Twice."
reference = "correct/a.cu"
[[kernel]]
expressions = ["twice<float>"]
parameters = ["const T* in", "T* out", "int n"]
[[kernel]]
expressions = ["extra"]
parameters = ["const float* in", "float* out", "int n"]
optional = true
[[test]]
name = "Twice.Right"
kernel = "twice"
points = 40
about = "Right."
[[test]]
name = "Twice.Fast"
kernel = "twice"
points = 60
about = "Fast."
block = "256"
size = { n = 4096 }
  [[test.gate]]
  name = "sectors"
  figure = "load_sectors_per_request"
  max = 5
  reason = "Because."
  next = "Try."
  [[test.gate]]
  name = "ratio"
  figure = "ratio"
  min = 0.5
  reason = "Because."
  next = "Try."
[[test]]
name = "Twice.Extra"
kernel = "extra"
points = 7
bonus = true
about = "More."
)";

constexpr const char* kKernel = R"(
template <typename T>
__global__ void twice(const T* in, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
)";

using Behave = std::function<device::Outcome(const device::Plan&, const device::PlannedLaunch&)>;

const launch::Buffer& buffer(const device::Plan& plan, const device::PlannedLaunch& planned,
                             int argument) {
  return plan.buffers.at(
      std::get<launch::BufferRef>(planned.launch.arguments.at(static_cast<std::size_t>(argument)))
          .index);
}

/// Outputs of a kernel that writes factor * in.
device::Outcome times(const device::Plan& plan, const device::PlannedLaunch& planned,
                      float factor) {
  device::Outcome outcome;
  outcome.completed = true;
  const launch::Buffer& in = buffer(plan, planned, 0);
  std::vector<std::byte> bytes = launch::initial_contents(in), out(bytes.size());
  for (std::size_t i = 0; i < in.count; ++i) {
    float value;
    std::memcpy(&value, bytes.data() + 4 * i, 4);
    value *= factor;
    std::memcpy(out.data() + 4 * i, &value, 4);
  }
  if (in.is_output) outcome.outputs.push_back({0, std::move(bytes)});
  outcome.outputs.push_back({1, std::move(out)});
  if (planned.want_time) outcome.times_us = {10};
  outcome.time_is_predicted = true;
  if (planned.want_counters) {
    observe::LaunchCounters counters;
    observe::InstructionInfo info;
    info.line = 5;
    info.file = "kernel.cu";
    info.spelling = "ld.global.f32";
    info.access = observe::AccessKind::load;
    counters.info = {info};
    observe::InstructionCounters c;
    c.global_requests = 10;
    c.global_sectors = 40;
    c.global_sectors_ideal = 40;
    counters.instructions = {c};
    outcome.counters = counters;
  }
  return outcome;
}

class FakeDevice : public device::Device {
 public:
  explicit FakeDevice(Behave behave) : behave_(std::move(behave)) {}
  device::Description describe() const override {
    return {.name = "fake", .gpu = "none", .title = "a fake", .deterministic = true};
  }
  std::vector<device::Outcome> run(const device::Plan& plan) override {
    std::vector<device::Outcome> outcomes;
    for (const device::PlannedLaunch& planned : plan.launches)
      outcomes.push_back(plan.modules.at(0).name == "copies.cu" ? times(plan, planned, 1)
                                                                : behave_(plan, planned));
    return outcomes;
  }
  std::vector<launch::Finding> refusals(const device::Module&, const std::string&) override {
    return refused;
  }
  std::vector<launch::Finding> refused;

 private:
  Behave behave_;
};

class SessionTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("labkit_session_test_" + std::to_string(getpid())) / "lab9_twice";
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override {
    set_session(nullptr);
    std::filesystem::remove_all(directory_.parent_path());
  }

  Session& start(
      const std::string& source, Behave behave = [](const auto& plan, const auto& planned) {
        return times(plan, planned, 2);
      }) {
    std::ofstream(directory_ / "kernel.cu") << source;
    SessionOptions options;
    options.cache_directory = directory_.parent_path() / "cache";
    options.seed = 5;
    auto device = std::make_unique<FakeDevice>(std::move(behave));
    device_ = device.get();
    device::Devices devices;
    devices.simulator = std::move(device);
    session_ = std::make_unique<Session>(parse_manifest(kToml, directory_, "lab.toml"), options,
                                         std::move(devices));
    set_session(session_.get());
    return *session_;
  }

  static Case twice(int n) {
    const auto in = input<float>("in", n);
    auto out = output<float>("out", n);
    for (int i = 0; i < n; ++i) out[i] = 2 * in[i];
    return Case{.kernel = "twice<float>",
                .grid = {blocks_for(n, 256)},
                .block = {256},
                .arguments = {in, out, n}};
  }
  static Case extra(int n) {
    Case one = twice(n);
    one.kernel = "extra";
    return one;
  }
  /// Runs Twice.Right on one case.
  const TestResult& right(Session& session, int n = 100) {
    session.begin_test("Twice.Right");
    session.check({twice(n)});
    return session.end_test();
  }
  const TestResult& fast(Session& session) {
    session.begin_test("Twice.Fast");
    session.grade([&] { return twice(session.graded_size("n")); });
    return session.end_test();
  }

  std::filesystem::path directory_;
  FakeDevice* device_ = nullptr;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionTest, ARightKernelGetsItsPoints) {
  Session& session = start(kKernel);
  const TestResult& result = right(session);
  EXPECT_EQ(result.verdict.text(), "pass");
  EXPECT_EQ(result.points, 40);
  EXPECT_EQ(result.launches, 1u);
  EXPECT_EQ(session.result().verdict.text(), "pass");
  EXPECT_EQ(session.result().seed, 5u);
}

TEST_F(SessionTest, OutputsArePoisonedAndInputsAsked) {
  Session& session =
      start(kKernel, [](const device::Plan& plan, const device::PlannedLaunch& planned) {
        EXPECT_EQ(buffer(plan, planned, 1).fill, launch::Fill::poison);
        EXPECT_TRUE(buffer(plan, planned, 0).is_output);
        EXPECT_GT(planned.thread_instruction_budget, 0u);
        return times(plan, planned, 2);
      });
  EXPECT_TRUE(right(session).verdict.passed());
}

TEST_F(SessionTest, AWrongElementIsTold) {
  Session& session = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    std::memset(outcome.outputs[1].bytes.data() + 4 * 33, 0, 4);
    return outcome;
  });
  const TestResult& result = right(session);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_EQ(result.points, 0);
  ASSERT_EQ(result.mismatches.size(), 1u);
  EXPECT_EQ(result.mismatches[0].col, 33u);
  EXPECT_EQ(result.mismatches[0].wrong, 1u);
  ASSERT_EQ(result.launch.size(), 1u);
  EXPECT_EQ(result.launch[0].scalars[0], (std::pair<std::string, std::string>{"n", "100"}));
}

TEST_F(SessionTest, TheFirstFailingCaseEndsTheTest) {
  int launches = 0;
  Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
    return times(plan, planned, ++launches == 2 ? 3 : 2);
  });
  session.begin_test("Twice.Right");
  EXPECT_FALSE(session.check({twice(10), twice(20), twice(30)}));
  EXPECT_FALSE(session.check({twice(10)}));  // a second check cannot make it right again
  const TestResult& result = session.end_test();
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_EQ(result.launch[0].scalars[0].second, "20");
}

launch::Finding found(launch::FindingKind kind, launch::Severity severity) {
  launch::Finding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.text = severity == launch::Severity::error ? "a fault" : "no fault today";
  return finding;
}
/// What NVRTC makes with -G says so in its PTX: ".target sm_90, debug".
bool is_unoptimised(const device::Plan& plan) {
  return plan.modules.at(0).ptx.find(", debug") != std::string::npos;
}

TEST_F(SessionTest, ARaceIsTheVerdictAlsoWhereTheResultIsRight) {
  for (const bool right_result : {true, false}) {
    Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
      EXPECT_TRUE(planned.check);
      device::Outcome outcome = times(plan, planned, right_result ? 2 : 3);
      outcome.findings = {found(launch::FindingKind::race, launch::Severity::warning),
                          found(launch::FindingKind::race, launch::Severity::error)};
      return outcome;
    });
    const TestResult& result = right(session);
    EXPECT_EQ(result.verdict.text(), "race");
    EXPECT_EQ(result.points, 0);
    EXPECT_EQ(result.findings.size(), 2u);
    EXPECT_EQ(result.message.find("came out right") != std::string::npos, right_result);
    EXPECT_EQ(result.mismatches.empty(), right_result);
  }
}

TEST_F(SessionTest, OneCaseAKernelIsCheckedUnoptimisedToo) {
  std::vector<std::uint64_t> optimised, unoptimised;
  Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
    EXPECT_TRUE(planned.check);
    (is_unoptimised(plan) ? unoptimised : optimised).push_back(buffer(plan, planned, 0).count);
    return times(plan, planned, is_unoptimised(plan) ? 3 : 2);  // whose result says nothing
  });
  session.begin_test("Twice.Right");
  EXPECT_TRUE(session.check({twice(10), twice(1000), twice(30), twice(100000)}));
  EXPECT_TRUE(session.end_test().verdict.passed());
  EXPECT_EQ(optimised, (std::vector<std::uint64_t>{10, 1000, 30, 100000}));
  EXPECT_EQ(unoptimised, (std::vector<std::uint64_t>{1000}));
}

TEST_F(SessionTest, WhatTheUnoptimisedBuildFindsCounts) {
  for (const bool right_result : {true, false}) {
    Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
      device::Outcome outcome = times(plan, planned, right_result ? 2 : 3);
      if (is_unoptimised(plan))
        outcome.findings = {found(launch::FindingKind::uninitialized, launch::Severity::error)};
      return outcome;
    });
    const TestResult& result = right(session);
    EXPECT_EQ(result.verdict.text(), "uninitialized");
    EXPECT_EQ(result.points, 0);
    EXPECT_EQ(result.mismatches.empty(), right_result);
  }
}

TEST_F(SessionTest, WhatOnlyTheUnoptimisedBuildCannotDoIsNoVerdict) {
  Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
    if (!is_unoptimised(plan)) return times(plan, planned, 2);
    device::Outcome outcome;
    outcome.findings = {found(launch::FindingKind::budget, launch::Severity::error)};
    outcome.findings[0].text = "It did not end.";
    return outcome;
  });
  EXPECT_TRUE(right(session).verdict.passed());
  const auto notes = session.result().notes;  // and is told
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
    return note.find("It did not end.") != std::string::npos;
  }));
}

TEST_F(SessionTest, NothingIsLaunchedAfterTheFirstFailingCase) {
  int launches = 0;
  Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
    if (is_unoptimised(plan)) return times(plan, planned, 3);  // looking for the cause
    return times(plan, planned, ++launches == 2 ? 3 : 2);
  });
  session.begin_test("Twice.Right");
  EXPECT_FALSE(session.check({twice(10), twice(20), twice(30), twice(40)}));
  session.end_test();
  EXPECT_EQ(launches, 2);
}

TEST_F(SessionTest, AKernelThatDidNotEndGetsHalfOfTheBudgetAfterwards) {
  std::vector<std::uint64_t> budgets;
  Session& session = start(kKernel, [&](const auto&, const auto& planned) {
    budgets.push_back(planned.thread_instruction_budget);
    launch::Finding finding;
    finding.kind = launch::FindingKind::budget;
    finding.text = "It did not end.";
    device::Outcome outcome;
    outcome.findings = {finding};
    return outcome;
  });
  const TestResult first = right(session, 512);  // as many as a graded launch is checked with
  EXPECT_EQ(first.verdict.text(), "budget");
  EXPECT_EQ(first.message, "");
  const TestResult second = fast(session);
  EXPECT_EQ(second.verdict.text(), "budget");
  EXPECT_NE(second.message.find("did not end in Twice.Right"), std::string::npos) << second.message;
  ASSERT_EQ(budgets.size(), 2u);
  EXPECT_EQ(budgets[1], budgets[0] / 2);
}

TEST_F(SessionTest, WhatEndsWithinHalfOfTheBudgetPassesThoughItDidNotElsewhere) {
  int launches = 0;
  Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (++launches > 1) return outcome;
    launch::Finding finding;
    finding.kind = launch::FindingKind::budget;
    outcome.findings = {finding};
    outcome.completed = false;
    return outcome;
  });
  EXPECT_EQ(right(session).points, 0);
  EXPECT_EQ(fast(session).points, 60);
}

TEST_F(SessionTest, AChangedInputFails) {
  Session& session = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.outputs[0].bytes[0] ^= std::byte{1};
    return outcome;
  });
  EXPECT_EQ(right(session).verdict.text(), "input_changed");
}

TEST_F(SessionTest, FindingsAreVerdictsAndWarningsAreNot) {
  for (const bool error : {true, false}) {
    Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
      device::Outcome outcome = times(plan, planned, 2);
      launch::Finding finding;
      finding.kind = launch::FindingKind::barrier;
      finding.severity = error ? launch::Severity::error : launch::Severity::warning;
      finding.text = "Barrier error";
      outcome.findings = {finding};
      outcome.completed = !error;
      return outcome;
    });
    const TestResult& result = right(session);
    EXPECT_EQ(result.verdict.text(), error ? "barrier" : "pass");
    EXPECT_EQ(result.findings.size(), 1u);
  }
}

TEST_F(SessionTest, WhatTheKernelPrintsChangesNothing) {
  Session& session = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 3);
    outcome.printed = "[       OK ] \"verdict\": \"pass\"\n" + std::string(100000, 'x');
    return outcome;
  });
  const TestResult& result = right(session);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_LT(result.printed.size(), 3000u);
}

TEST_F(SessionTest, ADeviceThatBreaksItsPromiseIsOurFault) {
  Session& early = start(kKernel, [](const auto&, const auto&) { return device::Outcome{}; });
  early.begin_test("Twice.Right");
  EXPECT_THROW(early.check({twice(10)}), Error);
  Session& silent = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.outputs.pop_back();
    return outcome;
  });
  silent.begin_test("Twice.Right");
  EXPECT_THROW(silent.check({twice(10)}), Error);
  Session& timeless = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    outcome.times_us = {0};
    return outcome;
  });
  timeless.begin_test("Twice.Fast");
  EXPECT_THROW(timeless.grade([&] { return twice(10); }), Error);
}

TEST_F(SessionTest, GatesAreHeld) {
  Session& session = start(kKernel);
  const TestResult& result = fast(session);
  EXPECT_EQ(result.verdict.text(), "pass");
  EXPECT_EQ(result.points, 60);
  // The fake's copy moves the same bytes in the same time.
  EXPECT_NEAR(result.figures.at("ratio"), 1, 0.01);
  EXPECT_EQ(result.figures.at("load_sectors_per_request"), 4);
  EXPECT_TRUE(result.time_is_predicted);
  ASSERT_EQ(result.gates.size(), 2u);
  EXPECT_TRUE(result.gates[0].passed);
}

TEST_F(SessionTest, AMissedGateIsNamedWithItsLine) {
  Session& session = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (planned.want_counters) {
      outcome.counters->instructions[0].global_sectors = 320;
      outcome.times_us = {100};
    }
    return outcome;
  });
  const TestResult& result = fast(session);
  EXPECT_EQ(result.verdict.text(), "gate sectors");  // the first in lab.toml's order
  EXPECT_EQ(result.points, 0);
  EXPECT_EQ(result.gates[0].culprit.where.line, 5u);
  EXPECT_FALSE(result.gates[1].passed);
  EXPECT_NEAR(result.gates[1].margin(), -0.8, 0.01);
}

TEST_F(SessionTest, AGradedKernelIsCheckedOnASmallLaunchOfItsKindFirst) {
  std::vector<std::uint64_t> checked, graded;
  Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    (planned.check ? checked : graded).push_back(buffer(plan, planned, 0).count);
    return outcome;
  });
  EXPECT_TRUE(fast(session).verdict.passed());
  // two blocks of 256; optimised, then unoptimised
  EXPECT_EQ(checked, (std::vector<std::uint64_t>{512, 512}));
  EXPECT_EQ(graded, (std::vector<std::uint64_t>{4096}));
}

TEST_F(SessionTest, WhatIsRightByLuckGetsNoPointsForItsSpeed) {
  int graded = 0;
  Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (planned.check)
      outcome.findings = {found(launch::FindingKind::race, launch::Severity::error)};
    graded += planned.want_time;
    return outcome;
  });
  const TestResult& result = fast(session);
  EXPECT_EQ(result.verdict.text(), "race");
  EXPECT_EQ(result.points, 0);
  EXPECT_EQ(graded, 0);
  EXPECT_NE(result.message.find("small launch of the graded kind"), std::string::npos);
  EXPECT_EQ(result.launch.at(0).scalars.at(0).second, "512");
}

TEST_F(SessionTest, TheBudgetOfAGradedTestIsItsGradedLaunchs) {
  std::uint64_t checked = 0, graded = 0;
  start(kKernel);
  std::string toml = kToml;
  const std::string size = "size = { n = 4096 }";
  toml.replace(toml.find(size), size.size(), size + "\nbudget = 987654321");
  device::Devices devices;
  devices.simulator = std::make_unique<FakeDevice>([&](const auto& plan, const auto& planned) {
    (planned.check ? checked : graded) = planned.thread_instruction_budget;
    return times(plan, planned, 2);
  });
  Session session(parse_manifest(toml, directory_, "lab.toml"), {}, std::move(devices));
  fast(session);
  EXPECT_EQ(graded, 987654321u);
  EXPECT_GT(checked, 0u);
  EXPECT_LT(checked, graded);
}

TEST_F(SessionTest, WhatSizesCameOutRightBeforeIsTold) {
  const auto wrong_from = [&](std::vector<int> sizes,
                              const std::function<bool(std::uint64_t)>& right) {
    Session& session = start(kKernel, [&](const auto& plan, const auto& planned) {
      return times(plan, planned, right(buffer(plan, planned, 0).count) ? 2 : 3);
    });
    session.begin_test("Twice.Right");
    std::vector<Case> cases;
    for (const int n : sizes) cases.push_back(twice(n));
    session.check(cases);
    return session.end_test().right_where;
  };
  const auto by_32 = [](std::uint64_t n) { return n % 32 == 0; };
  EXPECT_EQ(wrong_from({0, 32, 64, 33}, by_32), "multiples of 32");
  EXPECT_EQ(wrong_from({4, 8, 33}, [](std::uint64_t n) { return n % 4 == 0; }), "multiples of 4");
  EXPECT_EQ(wrong_from({0, 33}, by_32), "");  // nothing but the empty launch was right
  EXPECT_EQ(wrong_from({31, 32, 33}, [](std::uint64_t n) { return n < 33; }), "");
}

TEST_F(SessionTest, AWrongGradedLaunchIsNeverTimed) {
  Session& session =
      start(kKernel, [](const auto& plan, const auto& planned) { return times(plan, planned, 3); });
  const TestResult& result = fast(session);
  EXPECT_EQ(result.verdict.text(), "wrong_result");
  EXPECT_TRUE(result.gates.empty());
  EXPECT_TRUE(result.figures.empty());
}

TEST_F(SessionTest, AnUntouchedStubIsToldBeforeAnythingIsCompiled) {
  Session& session = start(
      "template <typename T>\n__global__ void twice(const T* in, T* out, int n) {\n  // TODO: "
      "double\n}\n");
  EXPECT_EQ(session.submission().verdict.text(), "untouched");
  EXPECT_EQ(session.submission().where.line, 3u);
  EXPECT_TRUE(session.submission().compiler.empty());
  EXPECT_EQ(right(session).verdict.text(), "untouched");
  EXPECT_EQ(session.result().verdict.text(), "untouched");
}

TEST_F(SessionTest, AnOptionalKernelMayBeEmptyOrMissing) {
  for (const char* more :
       {"", "__global__ void extra(const float* in, float* out, int n) { /* TODO */ }"}) {
    Session& session = start(std::string(kKernel) + more);
    session.begin_test("Twice.Extra");
    EXPECT_FALSE(session.check({extra(10)}));
    const TestResult& result = session.end_test();
    EXPECT_EQ(result.verdict.text(), "not_attempted");
    EXPECT_EQ(result.points, 0);
    EXPECT_TRUE(right(session).verdict.passed());
    EXPECT_TRUE(session.result().verdict.passed());
  }
}

TEST_F(SessionTest, AnOptionalKernelEarnsItsBonus) {
  Session& session =
      start(std::string(kKernel) +
            "__global__ void extra(const float* in, float* out, int n) { out[0] = 1; }");
  session.begin_test("Twice.Extra");
  session.check({extra(10)});
  EXPECT_EQ(session.end_test().points, 7);
  EXPECT_EQ(session.result().bonus, 7);
  EXPECT_EQ(session.result().points, 0);
}

TEST_F(SessionTest, SourcesThatNeverBecomeTheKernel) {
  const auto verdict = [&](const std::string& source) {
    return start(source).submission().verdict.text();
  };
  EXPECT_EQ(
      verdict(
          "template <typename T> __global__ void twice(const T* in, T* out, int n) { out[0] = }"),
      "compile_error");
  EXPECT_EQ(session_->submission().where.line, 1u);
  EXPECT_FALSE(session_->submission().message.empty());
  EXPECT_EQ(verdict("template <typename T> __global__ void doubled(const T* in, T* out, int n) { "
                    "out[0] = 1; }"),
            "missing_kernel");
  EXPECT_EQ(
      verdict("template <typename T> __global__ void twice(const T* in, T* out) { out[0] = 1; }"),
      "signature");
  EXPECT_EQ(verdict("template <typename T> __global__ void twice(const T* in, T* out, long long n) "
                    "{ out[0] = n; }"),
            "signature");
  EXPECT_NE(session_->submission().message.find("parameter 3 has 8 bytes"), std::string::npos)
      << session_->submission().message;
}

TEST_F(SessionTest, WhatTheDeviceRefusesIsAVerdictBeforeAnyTest) {
  Session& session = start(kKernel);
  launch::Finding refused;
  refused.kind = launch::FindingKind::unsupported;
  refused.text = "wgmma is not supported";
  refused.where = {"kernel.cu", 7};
  device_->refused = {refused};
  EXPECT_EQ(session.submission().verdict.text(), "unsupported");
  EXPECT_EQ(session.submission().where.line, 7u);
}

TEST_F(SessionTest, AMissingFileIsOurError) {
  SessionOptions options;
  options.file = directory_ / "nowhere.cu";
  EXPECT_THROW(Session(parse_manifest(kToml, directory_, "lab.toml"), options), Error);
}

// ---- what check.cpp may do wrong is the author's error, never a verdict

TEST_F(SessionTest, AuthorsMistakesAreErrors) {
  Session& session = start(kKernel);
  EXPECT_THROW(session.begin_test("Twice.Wrong"), Error);
  EXPECT_THROW(session.check({twice(1)}), Error);  // outside a test
  session.begin_test("Twice.Right");
  EXPECT_THROW(session.check({}), Error);
  EXPECT_THROW(session.graded_size("n"), Error);  // not graded
  EXPECT_THROW(session.grade([] { return twice(1); }), Error);
  Case unknown = twice(1);
  unknown.kernel = "twice<int>";
  EXPECT_THROW(session.check({unknown}), Error);
  Case few = twice(1);
  few.arguments.pop_back();
  EXPECT_THROW(session.check({few}), Error);
  Case wide = twice(1);
  wide.arguments.back() = Argument(1.0);
  EXPECT_THROW(session.check({wide}), Error);
  EXPECT_THROW(session.shape_from_kernel("nobody", "shape", {}), Error);
  EXPECT_THROW(session.end_test(), Error);  // it checked nothing
  session.begin_test("Twice.Fast");
  EXPECT_THROW(session.graded_size("rows"), Error);
  session.check({twice(1)});
  EXPECT_THROW(session.end_test(), Error);  // gates, but never graded
}

// ---- launch shapes as data

class ShapeTest : public SessionTest {
 protected:
  std::optional<std::vector<int>> read(const std::string& declaration) {
    Session& session = start(declaration + kKernel);
    session.begin_test("Twice.Right");
    return session.shape_from_kernel("twice", "shape",
                                     {{"block_x", 1, 1024}, {"block_y", 1, 32}, {"rows", 0, 64}});
  }
  std::string message() { return session_->end_test().message; }
};

TEST_F(ShapeTest, IsReadFromTheModule) {
  const std::vector<int> wanted = {32, 8, 0};
  EXPECT_EQ(read("__constant__ int shape[3] = {32, 8, 0};"), wanted);
  EXPECT_EQ(read("__constant__ int shape[] = {32, 8, 0};"), wanted);
  EXPECT_EQ(read("__device__ const int shape[3] = {32, 8};"), wanted);
  EXPECT_EQ(read("constexpr int kRows = 8; __constant__ int shape[3] = {4 * kRows, kRows};"),
            wanted);
}

TEST_F(ShapeTest, HostileValuesAreAVerdict) {
  for (const char* declaration :
       {"__constant__ int shape[3] = {0, 8, 1};", "__constant__ int shape[3] = {1025, 8, 1};",
        "__constant__ int shape[3] = {32, -8, 1};", "__constant__ int shape[3] = {32, 8, 65};",
        "__constant__ int shape[3] = {-2147483647 - 1, 8, 1};", "__constant__ int shape[3];",
        "__constant__ int shape[2] = {32, 8};", "__constant__ int shape[4] = {32, 8, 1, 1};",
        "__constant__ short shape[3] = {32, 8, 1};", "__constant__ int other[3] = {32, 8, 1};",
        "__device__ float f; __device__ float* shape[3] = {&f, &f, &f};", "__device__ int shape;",
        "extern __constant__ int shape[3];", ""}) {
    EXPECT_EQ(read(declaration), std::nullopt) << declaration;
    const TestResult& result = session_->end_test();
    EXPECT_TRUE(result.verdict.kind == "launch_shape" || result.verdict.kind == "compile_error")
        << declaration << result.verdict.text();
    EXPECT_FALSE(result.message.empty());
  }
}

TEST_F(ShapeTest, TheMessageNamesTheNumberAndItsLimits) {
  read("__constant__ int shape[3] = {2048, 8, 1};");
  EXPECT_EQ(message(), "`shape` says 2048 for block_x; it must be 1 to 1024.");
}

// ---- sizes and inputs

TEST_F(SessionTest, SizesFindMistakesAndDependOnTheSeed) {
  start(kKernel);
  const std::vector<int> lengths = odd_lengths();
  for (const int n : {0, 1, 31, 32, 33})
    EXPECT_NE(std::find(lengths.begin(), lengths.end(), n), lengths.end()) << n;
  for (const int n : lengths) EXPECT_LT(n, 5000);
  for (const Shape shape : odd_shapes())
    EXPECT_LE(static_cast<std::int64_t>(shape.rows) * shape.cols, 70000);
  EXPECT_EQ(odd_lengths(), lengths);
}

TEST_F(SessionTest, AnEmptyGridIsNeverLaunched) {
  EXPECT_EQ(blocks_for(0, 256), 1u);
  EXPECT_EQ(blocks_for(1, 256), 1u);
  EXPECT_EQ(blocks_for(256, 256), 1u);
  EXPECT_EQ(blocks_for(257, 256), 2u);
}

TEST_F(SessionTest, InputsDependOnNameAndIndexAndStayInTheirRange) {
  start(kKernel);
  const auto a = input<float>("a", 1000, 0.9, 1.1), b = input<float>("b", 1000, 0.9, 1.1);
  int same = 0, repeated = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_GE(a[i], 0.9f);
    ASSERT_LT(a[i], 1.1f);
    same += a[i] == b[i];
    repeated += i > 0 && a[i] == a[i - 1];
  }
  EXPECT_LT(same, 5);
  EXPECT_LT(repeated, 5);
  const auto again = input<float>("a", 10, 0.9, 1.1);
  EXPECT_EQ(again[7], a[7]);
}

TEST_F(SessionTest, AGateAboutLoadsIsMissedWithoutLoads) {
  Session& session = start(kKernel, [](const auto& plan, const auto& planned) {
    device::Outcome outcome = times(plan, planned, 2);
    if (outcome.counters) outcome.counters->info[0].access = observe::AccessKind::store;
    return outcome;
  });
  const TestResult& result = fast(session);
  EXPECT_EQ(result.verdict.text(), "gate sectors");
  ASSERT_FALSE(result.gates.empty());
  EXPECT_EQ(result.gates[0].missing, "the kernel made no global loads");
  EXPECT_FALSE(result.gates[0].passed);
  EXPECT_EQ(result.gates[0].margin(), -1);
}

TEST_F(SessionTest, AnInputThatIsWrittenInsteadOfTheOutputIsToldSo) {
  for (const bool never : {true, false}) {
    Session& session = start(kKernel, [&](const device::Plan& plan, const auto& planned) {
      device::Outcome outcome = times(plan, planned, 3);
      outcome.outputs[0].bytes[0] ^= std::byte{1};
      if (never) outcome.outputs[1].bytes = launch::initial_contents(buffer(plan, planned, 1));
      return outcome;
    });
    const TestResult& result = right(session);
    EXPECT_EQ(result.verdict.text(), "wrong_result");
    EXPECT_EQ(result.message.find("have they changed places?") != std::string::npos, never)
        << result.message;
    EXPECT_NE(result.message.find("`in`, which is an input"), std::string::npos);
    ASSERT_EQ(result.mismatches.size(), 1u);
    EXPECT_EQ(result.mismatches[0].array, "out");
  }
}

TEST_F(SessionTest, AKernelFileThatIsGoneIsAVerdictAndSaysHowToGetTheStubBack) {
  Session& session = start(kKernel);
  std::filesystem::remove(directory_ / "kernel.cu");
  EXPECT_EQ(session.submission().verdict.text(), "missing_kernel");
  const LabResult result = session.result();
  EXPECT_NE(result.message.find("git checkout -- "), std::string::npos) << result.message;
  EXPECT_EQ(result.max_points, 100);
  SessionOptions named;
  named.file = directory_ / "other.cu";  // but who names a file means one that is there
  EXPECT_THROW(Session(parse_manifest(kToml, directory_, "lab.toml"), named), Error);
}

}  // namespace
}  // namespace labkit::lab
