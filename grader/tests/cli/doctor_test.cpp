#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "cli/commands.h"
#include "compile/compile.h"

namespace labkit::cli {
namespace {

const Check& find(const std::vector<Check>& checks, std::string_view name) {
  const auto at = std::find_if(checks.begin(), checks.end(),
                               [&](const Check& check) { return check.name == name; });
  if (at == checks.end()) throw std::runtime_error("no check " + std::string(name));
  return *at;
}

TEST(Doctor, SaysWhatIsMissingAndHowToMendIt) {
  ::setenv("LABKIT_NVRTC", "/no/such/libnvrtc.so", 1);
  std::ostringstream out;
  EXPECT_EQ(run_doctor(out), kExitOurError);
  ::unsetenv("LABKIT_NVRTC");
  EXPECT_NE(out.str().find("MISSING  compiler      LABKIT_NVRTC is /no/such/libnvrtc.so"),
            std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("         -> Set it to the path of libnvrtc.so"), std::string::npos);
  EXPECT_NE(out.str().find("Grading does not work here yet"), std::string::npos);
}

TEST(Doctor, ProvesThatGradingWorks) {
  try {
    compile::find_nvrtc();
  } catch (const Error& error) {
    GTEST_SKIP() << "needs NVRTC: " << error.what();
  }
  const auto checks = examine();
  EXPECT_EQ(find(checks, "NVRTC").state, Check::State::good);
  EXPECT_EQ(find(checks, "grading").state, Check::State::good) << find(checks, "grading").found;
  EXPECT_EQ(find(checks, "registers").state, Check::State::good);
  EXPECT_NE(find(checks, "registers").found.find("'s ptxas for sm_90"), std::string::npos);
  const Check& jail = find(checks, "jail");
  EXPECT_EQ(jail.state,
            compile::find_nvrtc().jail.whole() ? Check::State::good : Check::State::note);
  EXPECT_NE(jail.found.find("limits"), std::string::npos) << jail.found;
  std::ostringstream out;
  EXPECT_EQ(run_doctor(out), kExitOk);
  EXPECT_NE(out.str().find(" works here"), std::string::npos) << out.str();
}

TEST(Doctor, EveryCheckThatIsNotGoodSaysWhy) {
  ::setenv("PATH", "/no/such/place", 1);
  const auto checks = examine();
  EXPECT_EQ(find(checks, "cmake").state, Check::State::note);
  EXPECT_EQ(find(checks, "cmake").fix, "sudo apt-get install cmake");
  for (const Check& check : checks) {
    EXPECT_NE(check.found, "") << check.name;
    if (check.state == Check::State::missing) {
      EXPECT_NE(check.fix, "") << check.name;
    }
  }
}

}  // namespace
}  // namespace labkit::cli
