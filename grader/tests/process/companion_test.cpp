#include "process/companion.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "base/error.h"
#include "ends.h"

namespace labkit::process {
namespace {

Command companion_shell(const std::string& script) {
  Command command;
  command.argv = {"/bin/sh", "-c", script};
  command.environment = {"PATH=/usr/bin:/bin"};
  return command;
}

bool is_line(std::string_view text) { return text.ends_with('\n'); }

/// So that a broken test ends.
constexpr double kPatience = 60;

TEST(Companion, IsAskedAgainAndAgain) {
  Companion echo(companion_shell("while read line; do echo \"<$line>\"; done"));
  std::string answer;
  for (const char* word : {"one", "two", "three"}) {
    ASSERT_TRUE(echo.ask(std::string(word) + "\n", answer, is_line, kPatience));
    EXPECT_EQ(answer, "<" + std::string(word) + ">\n");
  }
  EXPECT_FALSE(echo.has_ended());
  echo.finish(kPatience);
  ASSERT_TRUE(echo.has_ended());
  EXPECT_EQ(echo.result().end, End::exited);
  EXPECT_EQ(echo.result().exit_code, 0);
  EXPECT_FALSE(echo.ask("four\n", answer, is_line, kPatience));
}

TEST(Companion, TakesAndGivesMuch) {
  Companion cat(companion_shell("exec cat"));
  std::string answer;
  for (int i = 0; i < 100; ++i) {
    const std::string part = std::string(20'000, 'x') + "\n";
    ASSERT_TRUE(cat.ask(
        part, answer, [&](std::string_view heard) { return heard.size() == part.size(); },
        kPatience));
    ASSERT_EQ(answer, part);
  }
}

TEST(Companion, ThatEndsBeforeItsAnswerTellsHow) {
  Companion dies(companion_shell("read line; printf half; echo complaint >&2; kill -SEGV $$"));
  std::string answer;
  EXPECT_FALSE(dies.ask("go\n", answer, is_line, kPatience));
  EXPECT_EQ(answer, "half");
  ASSERT_TRUE(dies.has_ended());
  EXPECT_EQ(dies.result().end, End::signalled);
  EXPECT_EQ(dies.result().signal, SIGSEGV);
  EXPECT_EQ(dies.result().err, "complaint\n");
}

TEST(Companion, ThatIsGoneBeforeItIsAskedIsNoSignalToUs) {
  Companion gone(companion_shell("exit 7"));
  std::string answer;
  EXPECT_FALSE(gone.ask(std::string(1 << 20, 'x'), answer, is_line, kPatience));
  EXPECT_EQ(gone.result().exit_code, 7);
}

TEST(Companion, ThatIsSilentIsKilledInTime) {
  Companion silent(companion_shell("read line; sleep 1000"));
  std::string answer;
  EXPECT_FALSE(silent.ask("go\n", answer, is_line, 0.05));
  EXPECT_EQ(silent.result().end, End::timed_out);
  // Nor does it listen.
  Companion deaf(companion_shell("sleep 1000"));
  EXPECT_FALSE(deaf.ask(std::string(4 << 20, 'x'), answer, is_line, 0.05));
  EXPECT_EQ(deaf.result().end, End::timed_out);
}

TEST(Companion, ThatClosesItsOutputButStaysIsKilledInTime) {
  Companion stays(companion_shell("read line; exec >&-; sleep 1000"));
  std::string answer;
  EXPECT_FALSE(stays.ask("go\n", answer, is_line, 0.1));
  EXPECT_EQ(stays.result().end, End::timed_out);
}

TEST(Companion, LeavesNobodyBehind) {
  std::string answer;
  {
    Companion parent(companion_shell("read line; sleep 1000 & echo $!; wait"));
    ASSERT_TRUE(parent.ask("go\n", answer, is_line, kPatience));
  }
  EXPECT_TRUE(ends(std::stoi(answer)));
}

TEST(Companion, ThatCannotBeStartedIsAnError) {
  Command command;
  command.argv = {"/no/such/program"};
  EXPECT_THROW(Companion{command}, Error);
}

}  // namespace
}  // namespace labkit::process
