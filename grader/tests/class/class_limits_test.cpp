// `labkit class grade` where the shell lets no file grow beyond a limit.
#include <gtest/gtest.h>
#include <signal.h>

#include "base/error.h"
#include "class_commands.h"
#include "cli/stop.h"

namespace labkit::course {
namespace {

using Handler = void (*)(int);
Handler handler_of(int signal) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

TEST(FileLimit, TheSignalDoesAfterItWhatItDidBefore) {
  const Handler mine = [](int) {};
  for (const Handler before : {SIG_DFL, SIG_IGN, mine}) {
    ::signal(SIGXFSZ, before);
    {
      const cli::FileLimitIsAnError told;
      EXPECT_EQ(handler_of(SIGXFSZ), SIG_IGN);
    }
    EXPECT_EQ(handler_of(SIGXFSZ), before);
    { const cli::StopOnSignals stop; }
    EXPECT_EQ(handler_of(SIGXFSZ), before);
  }
  ::signal(SIGXFSZ, SIG_DFL);
}

class FileLimitOfAClass : public ClassCommands {
 protected:
  /// With `ulimit -f`, in blocks of 512 bytes.
  process::Result run_limited(unsigned blocks, const std::vector<std::string>& words) const {
    process::Command limited = command(words);
    std::vector<std::string> argv = {"/bin/sh", "-c",
                                     fmt::format("ulimit -f {} && exec \"$@\"", blocks), "sh"};
    argv.insert(argv.end(), limited.argv.begin(), limited.argv.end());
    limited.argv = argv;
    return process::run(limited);
  }
};

TEST_F(FileLimitOfAClass, IsToldAndTheSameCommandGoesOnWithoutIt) {
  small_class();
  // How much the gradebook takes before the first result is its own affair: the first limit that lets
  // grading begin stops it.
  process::Result stopped;
  for (unsigned blocks = 64; blocks < 8192 && !says(stopped, "Grading 3"); blocks += 64) {
    fs::remove_all(out());
    stopped = run_limited(blocks, grade_words({"--seed", "7"}));
    EXPECT_EQ(stopped.exit_code, kExitOurError) << blocks << stopped.out << stopped.err;
  }
  ASSERT_TRUE(says(stopped, "Grading 3")) << stopped.out << stopped.err;
  EXPECT_SAYS(stopped, out().string());
  EXPECT_SAYS(stopped, "files grow (ulimit -f unlimited)");
  const auto last = grade({"--seed", "7"});
  EXPECT_EQ(last.exit_code, kExitOk) << last.out << last.err;
  EXPECT_EQ(verdicts(),
            (std::map<std::string, std::string>{
                {"ana lab3", "pass"}, {"bo lab3", "wrong_result"}, {"cy lab3", "compile_error"}}));
}

}  // namespace
}  // namespace labkit::course
