// data/updates.cu: an update made of a load and a store is an error wherever threads share the place, whatever values come
// out; the same value that depends on nothing there is a warning; atomics, locks and barriers where they help are clean.
#include <algorithm>

#include "cuda_cases.h"

namespace labkit::observe::test {
namespace {

struct UpdateCase {
  const char* kernel;
  const char* statement;  ///< in the source: the line of the store; "" if the kernel is clean
  const char*
      read;  ///< the line of the load where it is another; null: that depends on what is inlined
  const char* advice;  ///< the fix, or how the atomic function begins that it names
  bool is_error = true;
};

const UpdateCase kUpdateCases[] = {
    {"shared_histogram", "bins[in[t]]++;", "", "atomicAdd"},
    {"global_histogram", "out[in[threadIdx.x]]++;", "", "atomicAdd"},
    {"shared_counter", "n++;", "", "atomicAdd"},
    {"two_lines", "out[0] = old + 1;", "int old = out[0];", "atomicAdd"},
    {"maximum", "most = v;", "", "atomicMax"},
    {"found_bits", "bits |= 1u", "", "atomicOr"},
    {"through_call", "*out = next;", nullptr, "atomic"},
    {"volatile_counter", "*n = *n + 1;", "", "atomicAdd"},
    {"twice_and_one", "out[0] = out[0] * 2", "", "atomicCAS"},
    {"any_above", "any = any ||", "", "atomic"},
    {"flag_set", "flag = 1;", "", "race_fix_one_thread", false},
    {"same_constant", "out[0] = 7;", "", "", false},
    {"same_input", "out[0] = in[3] + 1;", "", "", false},
    {"warp_tree", "s[t] += s[t + 16];", "", "race_fix_split_statement"},
    {"atomic_histogram", "", "", ""},
    {"warp_counters", "", "", ""},
    {"reduction", "", "", ""},
    {"own_element", "", "", ""},
    {"with_lock", "", "", ""},
};
std::ostream& operator<<(std::ostream& out, const UpdateCase& c) { return out << c.kernel; }

/// The line of the kernel's own that has these words.
std::uint32_t line_of(const std::string& kernel, const std::string& words) {
  const std::string source = read_text(std::string(LABKIT_OBSERVE_DATA) + "/updates.cu");
  const auto begin = source.find("void " + kernel + "(");
  const auto at = source.find(words, begin);
  EXPECT_NE(at, std::string::npos) << words;
  return static_cast<std::uint32_t>(
             std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
         1;
}

CheckedRun run_case(const UpdateCase& c, bool debug, unsigned threads = 1) {
  std::vector<std::uint32_t> in(128);
  for (std::uint32_t i = 0; i < in.size(); ++i) in[i] = i % 16;
  return check_cuda("updates", debug, c.kernel, in, true, 0, threads);
}

class Updates : public testing::TestWithParam<std::tuple<UpdateCase, bool>> {};

TEST_P(Updates, AreToldFromWritesThatDoNoHarm) {
  const auto& [c, debug] = GetParam();
  const auto run = run_case(c, debug);
  const std::string told = words_of(run);
  EXPECT_TRUE(run.result.completed) << told;
  EXPECT_EQ(told, words_of(run_case(c, debug, 3)));
  if (*c.statement == '\0') {
    EXPECT_EQ(told, "");
    return;
  }
  ASSERT_EQ(run.findings.size(), 1u) << told;
  const auto& finding = run.findings.front();
  EXPECT_EQ(finding.kind, launch::FindingKind::race) << told;
  EXPECT_EQ(finding.severity, c.is_error ? launch::Severity::error : launch::Severity::warning)
      << told;
  EXPECT_EQ(finding.where.line, line_of(c.kernel, c.statement)) << told;
  if (c.read != nullptr) {
    EXPECT_EQ(finding.other.line, line_of(c.kernel, *c.read != '\0' ? c.read : c.statement))
        << told;
  }
  EXPECT_FALSE(finding.thread == finding.other_thread && finding.block == finding.other_block)
      << told;
  if (std::string(c.advice).starts_with("atomic")) {
    const auto* const function = finding.fix.find("function");
    ASSERT_NE(function, nullptr) << told;
    EXPECT_TRUE(std::get<std::string>(*function).starts_with(c.advice)) << told;
  } else if (*c.advice != '\0') {
    EXPECT_EQ(words::name_of(finding.fix.id), c.advice) << told;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Updates,
                         testing::Combine(testing::ValuesIn(kUpdateCases), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).kernel) +
                                  (std::get<1>(info.param) ? "_debug" : "");
                         });

/// One warp in lockstep: all lanes read before any stores, and all store the same.
/// All store the same here; that somebody may read in between is an error all the same, and no barrier mends it.
TEST(UpdatesByCondition, AreMendedByAtomicsThoughAllStoreTheSame) {
  const std::vector<std::uint32_t> in(128, 9);
  for (const bool debug : {false, true}) {
    const auto run =
        check_cuda("updates", debug, "raised_to_seven", in, true, 0, 1, {1, 1, 1}, {64, 1, 1});
    const std::string told = words_of(run);
    ASSERT_EQ(run.findings.size(), 1u) << told;
    EXPECT_EQ(run.findings[0].severity, launch::Severity::error) << told;
    EXPECT_EQ(words::name_of(run.findings[0].fix.id), "race_fix_atomic_or_one_thread") << told;
  }
}

TEST(UpdatesOfOneWarp, AreLostAlthoughAllStoreTheSame) {
  const std::vector<std::uint32_t> in(128, 9);  // one bin, and all above 7
  for (const bool debug : {false, true})
    for (const char* kernel : {"shared_histogram", "global_histogram", "shared_counter",
                               "two_lines", "found_bits", "through_call"}) {
      const auto run = check_cuda("updates", debug, kernel, in, true, 0, 1, {1, 1, 1}, {32, 1, 1});
      const std::string told = words_of(run);
      ASSERT_EQ(run.findings.size(), 1u) << kernel << debug << told;
      EXPECT_EQ(run.findings[0].severity, launch::Severity::error) << told;
      EXPECT_EQ(run.findings[0].cause, launch::Cause::race_lost_update) << told;
      EXPECT_TRUE(has_evidence(run.findings[0], words::Id::race_update_lost)) << told;
      EXPECT_NE(run.findings[0].fix.find("function"), nullptr) << told;
    }
  for (const bool debug : {false, true})
    for (const char* kernel : {"flag_set", "same_constant", "same_input"}) {
      const auto run = check_cuda("updates", debug, kernel, in, true, 0, 1, {1, 1, 1}, {32, 1, 1});
      ASSERT_EQ(run.findings.size(), 1u) << words_of(run);
      EXPECT_EQ(run.findings[0].severity, launch::Severity::warning) << words_of(run);
    }
}

}  // namespace
}  // namespace labkit::observe::test
