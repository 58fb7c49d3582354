#include "process/jailed.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <new>
#include <stdexcept>

#include "base/error.h"

namespace labkit::process {
namespace {

std::string message_of(const Jail& jail, const std::function<std::string()>& work,
                       Error* caught = nullptr) {
  try {
    run_in_jail(jail, "reading class.zip", work);
  } catch (const Error& error) {
    if (caught != nullptr) *caught = error;
    return error.what();
  }
  return "no error";
}

TEST(RunInJail, GivesBackWhatTheWorkReturns) {
  const std::string prefix = "captured ";
  EXPECT_EQ(run_in_jail({}, "work", [&] { return prefix + std::string(1, '\0') + "r"; }),
            prefix + std::string(1, '\0') + "r");
  EXPECT_EQ(run_in_jail({}, "work", [] { return std::string(); }), "");
  const std::string large = run_in_jail({}, "work", [] { return std::string(20u << 20, 'x'); });
  EXPECT_EQ(large.size(), 20u << 20);
}

TEST(RunInJail, ErrorsComeBackWithTheirRemedyAndId) {
  const Jail reading{.work = Jail::Work::read_files};
  Error caught("none");
  EXPECT_EQ(message_of(
                reading,
                []() -> std::string {
                  throw Error("it is no zip", "pack it again", error_id::kCannotRead);
                },
                &caught),
            "it is no zip");
  EXPECT_EQ(caught.remedy(), "pack it again");
  EXPECT_EQ(caught.id(), error_id::kCannotRead);
  EXPECT_EQ(message_of(reading, []() -> std::string { throw std::out_of_range("at"); }), "at");
  EXPECT_EQ(message_of(reading, []() -> std::string { throw std::bad_alloc(); }),
            "it takes more memory than it may");
}

TEST(RunInJail, AReaderThatIsTakenOverGetsNowhere) {
  EXPECT_EQ(
      message_of({.work = Jail::Work::read_files},
                 []() -> std::string { return std::to_string(::socket(AF_INET, SOCK_STREAM, 0)); }),
      "reading class.zip called socket, which its jail does not let it");
  EXPECT_EQ(
      message_of({.work = Jail::Work::read_files},
                 []() -> std::string { return std::to_string(::execl("/bin/sh", "sh", nullptr)); }),
      "reading class.zip called execve, which its jail does not let it");
}

TEST(RunInJail, HasNoneOfTheProgramsFiles) {
  std::FILE* secret = std::tmpfile();
  ASSERT_NE(secret, nullptr);
  const int fd = ::fileno(secret);
  const std::string seen = run_in_jail({}, "work", [&] {
    std::string open;
    char byte = 0;
    for (int other : {0, 1, fd})
      if (::read(other, &byte, 1) >= 0) open += std::to_string(other) + " ";
    return open;
  });
  std::fclose(secret);
  EXPECT_EQ(seen, "");
}

TEST(RunInJail, ACrashAndAnEndlessWorkAreErrors) {
  EXPECT_NE(message_of({},
                       []() -> std::string {
                         std::signal(SIGSEGV, SIG_DFL);
                         ::raise(SIGSEGV);
                         return {};
                       })
                .find("signal 11"),
            std::string::npos);
  EXPECT_NE(message_of({}, []() -> std::string { ::_exit(3); }).find("came to no end"),
            std::string::npos);
  EXPECT_EQ(message_of({.cpu_seconds = 1},
                       []() -> std::string {
                         volatile unsigned turns = 0;
                         for (bool on = true; on;) {
                           turns = turns + 1;
                           on = turns != 0 || on;
                         }
                         return {};
                       }),
            "reading class.zip took too long");
}

TEST(RunInJail, MemoryHasItsLimit) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
#endif
  EXPECT_EQ(
      message_of({.more_memory_bytes = 64u << 20}, [] { return std::string(128u << 20, 'x'); }),
      "it takes more memory than it may");
}

}  // namespace
}  // namespace labkit::process
