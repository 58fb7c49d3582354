// data/unset.cu: variables that nothing has set, in whichever build PTX still shows it.
#include "cuda_cases.h"

namespace labkit::observe::test {
namespace {

struct UnsetCase {
  const char* kernel;
  bool optimised,
      debug;  ///< found in that build; where the optimiser has chosen a value nothing is left to be seen
};
const UnsetCase kCases[] = {
    {"sum_not_started", true, true}, {"one_branch", true, true},
    {"as_index", false, true},       {"as_condition", false, true},
    {"both_branches", false, false}, {"same_condition", false, false},
    {"first_turn", false, false},
};
std::ostream& operator<<(std::ostream& out, const UnsetCase& c) { return out << c.kernel; }

CheckedRun run_case(const UnsetCase& c, bool debug, unsigned threads = 1) {
  std::vector<std::uint32_t> in(128);
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    const auto value = static_cast<float>(i);
    std::memcpy(&in[i], &value, 4);
  }
  return check_cuda("unset", debug, c.kernel, in, false, 32, threads);
}

class Unset : public testing::TestWithParam<std::tuple<UnsetCase, bool>> {};

TEST_P(Unset, VariablesAreFoundWhereTheyMatter) {
  const auto& [c, debug] = GetParam();
  const auto run = run_case(c, debug);
  const std::string told = words_of(run);
  EXPECT_TRUE(run.result.completed) << told;
  EXPECT_EQ(told, words_of(run_case(c, debug, 3)));
  if (!(debug ? c.debug : c.optimised)) {
    EXPECT_EQ(told, "");
    return;
  }
  ASSERT_FALSE(run.findings.empty());
  for (const auto& finding : run.findings) {
    EXPECT_EQ(finding.kind, launch::FindingKind::uninitialized) << told;
    EXPECT_EQ(finding.severity, launch::Severity::error) << told;
    EXPECT_EQ(finding.space, "local") << told;
    EXPECT_NE(finding.where.line, 0u) << told;
    EXPECT_EQ(finding.cause, launch::Cause::uninitialized_variable) << told;
    EXPECT_EQ(finding.fix.id, words::Id::undefined_fix_variable) << told;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Unset,
                         testing::Combine(testing::ValuesIn(kCases), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).kernel) +
                                  (std::get<1>(info.param) ? "_debug" : "");
                         });

}  // namespace
}  // namespace labkit::observe::test
