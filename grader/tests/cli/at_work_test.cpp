#include "cli/at_work.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include <thread>

#include "base/files.h"

namespace labkit::cli {
namespace {

using namespace std::chrono_literals;

class AtWorkTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/labkit_at_work_XXXXXX";
    const int descriptor = ::mkstemp(name);
    name_ = name;
    out_ = ::fdopen(descriptor, "w");
  }
  void TearDown() override {
    std::fclose(out_);
    ::unlink(name_.c_str());
  }
  std::string said() const { return read_file(name_); }

  std::string name_;
  std::FILE* out_ = nullptr;
};

TEST_F(AtWorkTest, WhatTakesLongIsReportedInALog) {
  {
    const AtWork at_work("profiling k", out_, {.terminal = 0ms, .log = 0ms});
    for (int i = 0; i < 6000 && said().empty(); ++i) std::this_thread::sleep_for(10ms);
  }
  EXPECT_EQ(said().find("profiling k: still running after 0 s\n"), 0u) << said();
  EXPECT_EQ(said().find('\r'), std::string::npos);
}

TEST_F(AtWorkTest, OnATerminalItsLineIsGoneAtTheEnd) {
  int terminal = -1, slave = -1;
  ASSERT_EQ(::openpty(&terminal, &slave, nullptr, nullptr, nullptr), 0);
  std::FILE* const out = ::fdopen(slave, "w");
  std::string seen;
  const auto read_until = [&](const std::string& words) {
    char bytes[256];
    while (seen.find(words) == std::string::npos) {
      const ssize_t size = ::read(terminal, bytes, sizeof bytes);
      ASSERT_GT(size, 0);
      seen.append(bytes, static_cast<std::size_t>(size));
    }
  };
  {
    const AtWork at_work("profiling k", out, {.terminal = 0ms, .log = 24h});
    read_until("profiling k ... 0 s");
  }
  read_until("\r\033[K");
  EXPECT_EQ(seen.find("profiling k ... 0 s"), 1u) << seen;
  EXPECT_EQ(seen.find('\n'), std::string::npos) << seen;
  std::fclose(out);
  ::close(terminal);
}

TEST_F(AtWorkTest, WhatBeginsNextIsSaidAtOnceOnATerminal) {
  int terminal = -1, slave = -1;
  ASSERT_EQ(::openpty(&terminal, &slave, nullptr, nullptr, nullptr), 0);
  std::FILE* const out = ::fdopen(slave, "w");
  {
    AtWork at_work("grading lab3", out, {.terminal = 24h, .log = 24h});
    at_work.now("lab3: race");
    std::string seen;
    for (char byte = 0; seen.find("lab3: race ... 0 s") == std::string::npos; seen += byte)
      ASSERT_EQ(::read(terminal, &byte, 1), 1) << seen;
    EXPECT_EQ(seen.find("grading"), std::string::npos) << seen;
  }
  std::fclose(out);
  ::close(terminal);
  {
    AtWork at_work("grading lab3", out_, {.terminal = 24h, .log = 24h});
    at_work.now("lab3: race");
  }
  EXPECT_EQ(said(), "") << "a log is told only what takes long";
}

TEST_F(AtWorkTest, WhatIsQuicklyDoneIsNotAndNobodyWaitsForIt) {
  { const AtWork at_work("profiling k", out_, {.terminal = 24h, .log = 24h}); }
  EXPECT_EQ(said(), "");
}

}  // namespace
}  // namespace labkit::cli
