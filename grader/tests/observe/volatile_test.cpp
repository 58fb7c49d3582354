// data/volatile.cu: volatile data that nothing orders is a race like other data, flags are none, and bit-fields are defined
// once they are set, though by parts of bytes.
#include "cuda_cases.h"

namespace labkit::observe::test {
namespace {

struct VolatileCase {
  const char* kernel;
  const char* kind;    ///< of the error; "" if the kernel is clean
  const char* advice;  ///< in the fix
};
const VolatileCase kVolatileCases[] = {
    {"mirrored", "race", "__syncthreads()"},
    {"mirrored_fenced", "race", "__syncthreads()"},
    {"across_blocks", "race", ""},
    {"scan", "race", "__syncthreads()"},
    {"ordered", "", ""},
    {"spin", "", ""},
    {"packed", "", ""},
    {"asked_by_one", "", ""},
    {"asked_by_call", "", ""},
    {"locked", "", ""},
    {"last_block", "", ""},
    {"fields", "", ""},
    {"wide_fields", "", ""},
    {"field_forgotten", "uninitialized", ""},
    {"shifted", "uninitialized", ""},
    {"lowest_bit", "uninitialized", ""},
};
std::ostream& operator<<(std::ostream& out, const VolatileCase& c) { return out << c.kernel; }

CheckedRun run_case(const VolatileCase& c, bool debug, unsigned threads = 1) {
  std::vector<std::uint32_t> in(128);
  for (std::uint32_t i = 0; i < in.size(); ++i) in[i] = i % 16;
  return check_cuda("volatile", debug, c.kernel, in, true, 0, threads);
}

class Volatile : public testing::TestWithParam<std::tuple<VolatileCase, bool>> {};

TEST_P(Volatile, DataIsToldFromFlags) {
  const auto& [c, debug] = GetParam();
  const auto run = run_case(c, debug);
  const std::string told = words_of(run);
  EXPECT_TRUE(run.result.completed) << told;
  EXPECT_EQ(told, words_of(run_case(c, debug, 3)));
  if (*c.kind == '\0') {
    EXPECT_EQ(told, "");
    return;
  }
  ASSERT_FALSE(run.findings.empty());
  for (const auto& finding : run.findings) {
    EXPECT_EQ(launch::name_of(finding.kind), std::string(c.kind)) << told;
    EXPECT_EQ(finding.severity, launch::Severity::error) << told;
    const std::string words = dump(finding);
    ASSERT_NE(words.find("\nFix: "), std::string::npos) << told;
    EXPECT_NE(words.find(c.advice, words.find("\nFix: ")), std::string::npos) << told;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Volatile,
                         testing::Combine(testing::ValuesIn(kVolatileCases), testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).kernel) +
                                  (std::get<1>(info.param) ? "_debug" : "");
                         });

}  // namespace
}  // namespace labkit::observe::test
