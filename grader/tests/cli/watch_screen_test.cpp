// `labkit watch` as it is used: on a terminal of 24 rows and 80 columns, with keys.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "cli/history.h"
#include "cli/watch.h"
#include "compile/compile.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRows = 24, kColumns = 80;

/// What stands on a terminal that was written to so. `scrolled`: lines that left it at the top, or were wrapped.
std::vector<std::string> on_screen(const std::string& written, std::size_t& scrolled) {
  std::vector<std::string> rows(kRows);
  std::size_t row = 0, column = 0;
  scrolled = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const char c = written[i];
    if (c == '\x1b') {
      while (i < written.size() && !isalpha(static_cast<unsigned char>(written[i]))) ++i;
      if (i == written.size()) break;  // cut in the middle
      if (written[i] == 'H') row = column = 0;
      if (written[i] == 'K' || written[i] == 'J')
        rows[row].resize(std::min(rows[row].size(), column));
      for (std::size_t below = row + 1; written[i] == 'J' && below < kRows; ++below)
        rows[below].clear();
    } else if (c == '\r') {
      column = 0;
    } else if (c == '\n') {
      scrolled += row + 1 == kRows;
      row = std::min(row + 1, kRows - 1);
    } else {
      scrolled += column == kColumns;
      rows[row].resize(std::max(rows[row].size(), column + 1), ' ');
      rows[row][column++] = c;
    }
  }
  return rows;
}

class WatchScreenTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("labkit_watch_screen_test_" + std::to_string(getpid()));
    fs::remove_all(root_);
    for (const char* lab : {"lab1_vecadd_coalescing", "lab3_corner_turning"}) {
      fs::create_directories(root_ / "labs");
      fs::copy(source_ / "labs" / lab, root_ / "labs" / lab, fs::copy_options::recursive);
      fs::copy_file(source_ / "labs" / lab / ".stub", root_ / "labs" / lab / "kernel.cu",
                    fs::copy_options::overwrite_existing);
    }
    fs::copy_file(source_ / "labs/hints.toml", root_ / "labs/hints.toml");
    write_file_atomically(root_ / "browser",
                          "#!/bin/sh\necho \"$1\" > " + (root_ / "opened").string() + "\n");
    ::chmod((root_ / "browser").c_str(), 0755);
  }
  void TearDown() override {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    if (terminal_ >= 0) ::close(terminal_);
    fs::remove_all(root_);
  }

  void save(const std::string& solution) const {
    write_file_atomically(root_ / "labs/lab1_vecadd_coalescing/kernel.cu",
                          read_file(source_ / "solutions/lab1_vecadd_coalescing" / solution));
  }
  /// The other end of the terminal stays open, so that its mode can be looked at when the program has gone.
  void start(std::vector<std::string> words) {
    const winsize size{.ws_row = kRows, .ws_col = kColumns, .ws_xpixel = 0, .ws_ypixel = 0};
    ASSERT_EQ(::openpty(&terminal_, &other_end_, nullptr, nullptr, &size), 0);
    words.insert(words.begin(),
                 (fs::path(process::own_executable()).parent_path() / "labkit").string());
    child_ = ::fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      ::login_tty(other_end_);
      ::setenv("LABKIT_ROOT", root_.c_str(), 1);
      ::setenv("LABKIT_CACHE", (root_ / "cache").c_str(), 1);
      ::setenv("LABKIT_DEVICE", "sim", 1);
      ::setenv("LABKIT_COMMAND", "./kit", 1);
      ::setenv("BROWSER", (root_ / "browser").c_str(), 1);
      ::setenv("TERM", "xterm", 1);
      ::setenv("LC_ALL", "C", 1);
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
  }
  void press(const std::string& keys) const {
    ASSERT_EQ(::write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  std::string screen() {
    std::string text;
    for (const std::string& row : on_screen(written_, scrolled_)) text += row + "\n";
    return text;
  }
  /// Reads what the program writes until `holds`; false after two minutes.
  bool until(const std::function<bool()>& holds) {
    for (int i = 0; i < 2400; ++i) {
      pollfd input{terminal_, POLLIN, 0};
      char bytes[4096];
      while (::poll(&input, 1, 0) > 0) {
        const ssize_t size = ::read(terminal_, bytes, sizeof bytes);
        if (size <= 0) break;
        written_.append(bytes, static_cast<std::size_t>(size));
      }
      if (holds()) return true;
      ::usleep(50'000);
    }
    return false;
  }
  bool shows(const std::string& words) {
    return until([&] { return screen().find(words) != std::string::npos; });
  }
  bool has_plain_mode() const {
    termios mode{};
    EXPECT_EQ(::tcgetattr(other_end_, &mode), 0);
    return (mode.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO);
  }
  /// Its wait status, once it has ended or stopped.
  int status(int options = 0) {
    int status = -1;
    EXPECT_TRUE(until([&] { return ::waitpid(child_, &status, options | WNOHANG) == child_; }));
    if (WIFEXITED(status) || WIFSIGNALED(status)) child_ = -1;
    return status;
  }

  const fs::path source_ = LABKIT_SOURCE_DIR;
  fs::path root_;
  int terminal_ = -1, other_end_ = -1;
  pid_t child_ = -1;
  std::string written_;
  std::size_t scrolled_ = 0;
};

TEST_F(WatchScreenTest, AnEveningWithKeys) {
  try {
    compile::find_nvrtc();
  } catch (const compile::NoNvrtc&) {
    GTEST_SKIP() << "skipped: there is no NVRTC";
  }
  save("wrong/chunk_a_thread.cu");
  start({"watch", "lab1"});
  ASSERT_TRUE(shows("waiting for a save")) << screen();
  EXPECT_NE(written_.find("Looking for a change that fixes it"), std::string::npos)
      << "the verdict comes first";
  EXPECT_EQ(screen().find("Looking for"), std::string::npos) << screen();
  // What to change, what happened at which line, and the picture below it.
  const std::string first = screen();
  const std::size_t change = first.find("11 + int i = k * threads + thread;"),
                    line = first.find("at line 12 touches"),
                    picture = first.find("yours  #....... 0 "),
                    ideal = first.find("ideal  ######## 0-7 ");
  EXPECT_LT(change, line) << first;
  EXPECT_LT(line, picture) << first;
  EXPECT_LT(picture, ideal) << first;
  EXPECT_NE(ideal, first.npos) << first;
  EXPECT_TRUE(shows("h hint  e explain in browser  n next lab  q quit"));
  press("h");
  EXPECT_TRUE(shows("Hint 1 of ")) << screen();
  press("h");
  EXPECT_TRUE(shows("Hint 2 of ")) << screen();

  save("correct/grid_stride.cu");
  EXPECT_TRUE(shows("100 of 100 points")) << screen();
  EXPECT_TRUE(shows("Points: 60 -> 100.")) << screen();
  EXPECT_TRUE(shows("sectors per global load request 32 -> 4, predicted")) << screen();
  EXPECT_TRUE(shows("1 of 2 labs done. Next: ./kit show lab3")) << screen();
  EXPECT_EQ(screen().find("Hint"), std::string::npos) << screen();
  EXPECT_EQ(read_history(root_ / "cache", "lab1").size(), 2u);

  press("e");
  EXPECT_TRUE(until([&] { return fs::exists(root_ / "opened"); })) << screen();
  EXPECT_TRUE(shows("lab1.html")) << screen();
  press("n");
  EXPECT_TRUE(shows("lab3  ") && shows("Its task: ./kit show lab3")) << screen();
  press("q");
  const int end = status();
  EXPECT_TRUE(WIFEXITED(end) && WEXITSTATUS(end) == kExitOk) << end;
  EXPECT_TRUE(has_plain_mode());
  EXPECT_EQ(scrolled_, 0u) << screen();
}

TEST_F(WatchScreenTest, TheTerminalGetsItsModeBack) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGQUIT}) {
    start({"watch"});
    ASSERT_TRUE(shows("q quit")) << screen();
    EXPECT_FALSE(has_plain_mode());
    if (signal == SIGINT)
      press("\x03");
    else
      ::kill(child_, signal);
    const int end = status();
    if (signal == SIGABRT || signal == SIGQUIT)
      EXPECT_TRUE(WIFSIGNALED(end) && WTERMSIG(end) == signal) << end;
    else
      EXPECT_TRUE(WIFEXITED(end) && WEXITSTATUS(end) == kExitOk) << end;
    EXPECT_TRUE(has_plain_mode()) << signal;
    ::close(other_end_);
    ::close(std::exchange(terminal_, -1));
    written_.clear();
  }
}

TEST_F(WatchScreenTest, ASuspendedOneLeavesTheTerminalAndComesBack) {
  start({"watch"});
  ASSERT_TRUE(shows("q quit")) << screen();
  press("\x1a");
  EXPECT_TRUE(WIFSTOPPED(status(WUNTRACED)));
  EXPECT_TRUE(has_plain_mode());
  written_.clear();
  ::kill(child_, SIGCONT);
  EXPECT_TRUE(shows("q quit")) << "not drawn again";
  EXPECT_FALSE(has_plain_mode());
  press("q");
  EXPECT_TRUE(WIFEXITED(status()));
  EXPECT_TRUE(has_plain_mode());
}

TEST(WatchScreen, FitsAnyNumberOfRows) {
  grade::Manifest lab;
  lab.id = "lab3";
  WatchView view = {
      .lab = &lab, .result = grade::LabResult(), .trouble = {}, .reward = {}, .hint = {}};
  for (int i = 0; i < 12; ++i) {
    grade::TestResult& test = view.result->tests.emplace_back();
    test.name = "Test" + std::to_string(i);
    test.verdict.kind = "pass";
  }
  for (int i = 0; i < 20; ++i) view.reward += "line\n";
  for (const std::size_t rows : {1u, 5u, 23u, 60u}) {
    const std::string text = screen_text(view, {}, rows);
    EXPECT_LE(static_cast<std::size_t>(std::ranges::count(text, '\n')), rows) << text;
    EXPECT_EQ(text.find("more lines: ") != text.npos, rows < 23) << text;
  }
}

TEST(WatchScreen, NothingOfALongLineIsLost) {
  grade::Manifest lab;
  const std::string row(80, 'x'), rest(40, 'x');
  const WatchView view = {.lab = &lab,
                          .result = grade::LabResult(),
                          .trouble = {},
                          .reward = row + rest + "\n",
                          .hint = {}};
  const std::string text = screen_text(view, {.columns = 80}, 24);
  EXPECT_NE(text.find("\n" + row + "\n" + rest + "\n"), text.npos) << text;
}

}  // namespace
}  // namespace labkit::cli
