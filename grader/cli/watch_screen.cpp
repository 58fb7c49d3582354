// `labkit watch` on a terminal: one screen that is drawn over, and single keys.
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/keyboard.h"
#include "cli/lab_state.h"
#include "cli/paths.h"
#include "cli/stop.h"
#include "cli/watch.h"
#include "explain/words.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

using Clock = std::chrono::steady_clock;
using words::Id;

constexpr std::chrono::milliseconds kWait{100}, kShortWait{20};

struct Size {
  std::size_t rows = 24, columns = 80;
  friend bool operator==(const Size&, const Size&) = default;
};

Size terminal_size() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
    return {};
  return {.rows = size.ws_row, .columns = size.ws_col};
}

std::string tests_in_short(const grade::LabResult& result) {
  const auto passed =
      std::ranges::count_if(result.tests, [](const auto& test) { return test.verdict.passed(); });
  return "  " +
         words::text(Id::watch_tests_pass, {{"passed", std::to_string(passed)},
                                            {"all", std::to_string(result.tests.size())}}) +
         "\n";
}

/// Lines of code that are wider go on in the next row: what a fix changes may stand at their ends. Quoted ones, which are
/// painted, are cut to the width already.
std::string folded(const std::string& text, std::size_t columns) {
  if (columns == 0) return text;
  std::string out;
  for (std::string_view line : split_lines(text)) {
    while (line.find('\x1b') == line.npos) {
      const std::string row = report::clipped(line, columns);
      if (row.size() == line.size()) break;
      out += row + "\n";
      line.remove_prefix(row.size());
    }
    out += std::string(line) + "\n";
  }
  return out;
}

std::string result_text(const WatchView& view, const report::Style& style, bool in_short,
                        bool with_picture) {
  const grade::LabResult& result = *view.result;
  std::string text = watch_title(*view.lab, result, style) + "\n";
  if (any_test_ran(result)) text += in_short ? tests_in_short(result) : tests_text(result, style);
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += "\n" + part;
  };
  if (view.is_looking) {
    add("  " + style.dim(words::text(Id::watch_looking)) + "\n");
    return text;
  }
  add(report::pictured_failure_text(result, style, with_picture));
  if (result.verdict.kind == "untouched")
    text += "  " +
            words::text(Id::lab_task,
                        {{"command", fmt::format("{} show {}", command_name(), result.lab)}}) +
            "\n";
  add(report::warnings_text(result, style));
  add(view.hint);
  add(view.reward);
  return folded(text, style.columns);
}

/// Starts a browser, and does not wait for it; false where there is none.
bool open_in_browser(const std::string& page) {
  const char* const named = std::getenv("BROWSER");
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);  // Ctrl-C is for us alone
  bool is_open = false;
  for (const char* program : {named, "xdg-open", "wslview", "open"}) {
    if (is_open || !program || *program == '\0') continue;
    std::string name = program, argument = page;
    char* const words[] = {name.data(), argument.data(), nullptr};
    pid_t child = 0;
    is_open = ::posix_spawnp(&child, program, &files, &attributes, words, environ) == 0;
  }
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  return is_open;
}

class WatchScreen {
 public:
  explicit WatchScreen(const WatchOptions& options)
      : options_(options), all_(select_labs({})), style_(report::style_for(stdout)) {
    for (const grade::Manifest& lab : select_labs(options.labs)) watch(lab.id);
    listed_ = select_labs(options.labs);
  }

  int run() {
    // A lab that was named is graded at once.
    if (options_.labs.size() == 1) grade(files_.front().lab());
    Clock::time_point last_look;
    while (!stop_asked()) {
      draw();
      const char key = keyboard_.wait(grading_.is_running() ? kShortWait : kWait);
      if (key == 'q' || key == '\x04') break;
      if (key != 0) press(key);
      if (Clock::now() - last_look >= kWait) {
        for (Watched& file : files_)
          if (file.changed()) grade(file.lab());
        last_look = Clock::now();
      }
      if (auto judged = grading_.take_judged(); judged && page_.empty()) {
        view_ = {.lab = lab_,
                 .result = std::move(judged),
                 .trouble = {},
                 .reward = {},
                 .hint = {},
                 .is_looking = true};
        drawn_.clear();
      }
      if (!grading_.is_ready()) continue;
      const Graded graded = grading_.take();
      code_ = exit_code_of(graded);
      show(graded);
      if (++verdicts_ == options_.count) {
        draw();
        break;
      }
    }
    std::fputs("\n", stdout);
    if (stop_asked()) std::fputs("labkit: stopped\n", stderr);
    return verdicts_ == options_.count ? code_ : kExitOk;
  }

 private:
  const grade::Manifest& watch(const std::string& id) {
    for (const Watched& file : files_)
      if (file.lab().id == id) return file.lab();
    return files_.emplace_back(*std::ranges::find(all_, id, &grade::Manifest::id)).lab();
  }

  void grade(const grade::Manifest& lab, const std::filesystem::path& page = {}) {
    lab_ = &lab;
    page_ = page;
    note_.clear();
    begin_ = Clock::now();
    GradeRequest request = options_.request;
    request.html = page;
    grading_.start(lab, request);
  }

  void show(const Graded& graded) {
    view_ = {.lab = lab_,
             .result = graded.result,
             .trouble = graded.trouble,
             .reward = {},
             .hint = {},
             .is_looking = false};
    time_ = fmt::format("{:%H:%M:%S}", fmt::localtime(std::time(nullptr)));
    if (graded.result) {
      view_.reward = reward_text(*lab_, *graded.result, style_);
      if (graded.result->verdict.passed()) view_.reward += progress_line(all_);
      if (!page_.empty())
        note_ = words::text(
            open_in_browser(page_.string()) ? Id::watch_browser_shows : Id::watch_open_page,
            {{"page", page_.string()}});
    }
    drawn_.clear();
  }

  void press(char key) try {
    if (key == '\f') drawn_.clear();
    if (key == 'n') {
      const grade::Manifest* const next = next_after_this();
      note_ = next ? "" : words::text(Id::every_other_lab_passes);
      if (next) grade(watch(next->id));
    }
    if (!view_.result || grading_.is_running()) return;
    if (key == 'h') view_.hint = next_hint(*view_.lab, *view_.result);
    if (key == 'e') grade(*view_.lab, place_of_page(*view_.lab));
  } catch (const Error& error) {
    note_ = report::error_text("not possible", error, style_);
  }

  /// The first behind the lab on the screen that is not complete, then from the first on.
  const grade::Manifest* next_after_this() const {
    const auto begin = std::ranges::find_if(all_, [&](const auto& lab) { return &lab == lab_; });
    const std::size_t at = static_cast<std::size_t>(begin - all_.begin());
    for (std::size_t i = 1; i <= all_.size(); ++i) {
      const grade::Manifest& lab = all_[(at + i) % all_.size()];
      if (&lab != lab_ && !progress_of(cache_directory(), lab).complete()) return &lab;
    }
    return nullptr;
  }

  std::string legend() const {
    std::string status = words::text(Id::watch_waiting);
    if (grading_.is_running()) {
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
      status =
          words::text(page_.empty() ? Id::grading_lab : Id::explaining_lab, {{"lab", lab_->id}}) +
          " ...";
      if (seconds > 1) status += fmt::format(" {} s", seconds);
    } else if (!time_.empty()) {
      status = time_ + " " + status;
    }
    const auto keys = [&] {
      return fmt::format("h {}  e {}  n {}  q {}", words::text(Id::key_hint),
                         words::text(Id::key_explain), words::text(Id::key_next),
                         words::text(Id::key_quit));
    };
    return style_.dim((keyboard_.has_keys() ? keys() : words::text(Id::key_interrupt)) + " | " +
                      status);
  }

  /// In one go, line over line, so that nothing flickers and nothing scrolls.
  void draw() {
    const Size size = terminal_size();
    style_.columns = size.columns;
    const std::string note = note_.empty() ? "" : "\n" + report::lines_text({note_}, style_, "");
    const std::size_t below = split_lines(note).size() + 2;
    std::string text = view_.lab
                           ? screen_text(view_, style_, size.rows - std::min(size.rows, below))
                           : list_text(listed_, style_);
    text += note + "\n" + legend();
    if (keyboard_.came_back()) drawn_.clear();
    if (text == drawn_ && size == size_) return;
    drawn_ = text;
    size_ = size;
    std::string out = "\033[H";
    const auto lines = split_lines(text);
    const std::size_t shown = std::min(lines.size(), size.rows);
    // Erased first: behind a line that fills its row an erasure would take the last character.
    for (std::size_t i = lines.size() - shown; i < lines.size(); ++i)
      out += (i + 1 < lines.size() ? "\033[K" : "\033[J") +
             report::clipped(lines[i], size.columns) + (i + 1 < lines.size() ? "\n" : "");
    std::fputs(out.c_str(), stdout);
    std::fflush(stdout);
  }

  const WatchOptions& options_;
  const std::vector<grade::Manifest> all_;
  std::vector<grade::Manifest> listed_;
  std::vector<Watched> files_;
  report::Style style_;
  Keyboard keyboard_;
  BackgroundGrading grading_;
  const grade::Manifest* lab_ = nullptr;  ///< that is graded, or was last
  std::filesystem::path page_;            ///< that is made of it; empty: none
  Clock::time_point begin_;
  WatchView view_;
  std::string note_, time_;  ///< below the result; of the last verdict
  std::string drawn_;
  Size size_;
  std::size_t verdicts_ = 0;
  int code_ = kExitOk;
};

}  // namespace

std::string screen_text(const WatchView& view, const report::Style& style, std::size_t rows) {
  if (!view.result) return report::error_text("no verdict", *view.trouble, style);
  // A hint is read, and all else in short; without one all that fits.
  std::string text;
  for (const auto& [in_short, with_picture] :
       {std::pair{false, true}, {true, true}, {true, false}}) {
    text = result_text(view, style, in_short || !view.hint.empty(), with_picture);
    if (split_lines(text).size() <= rows) return text;
  }
  const auto lines = split_lines(text);
  std::string cut;
  for (std::size_t i = 0; i + 1 < rows; ++i) cut += std::string(lines[i]) + "\n";
  return cut +
         style.dim(
             words::text(Id::watch_more_lines,
                         {{"count", std::to_string(lines.size() - rows + 1)},
                          {"command", fmt::format("{} grade {}", command_name(), view.lab->id)}})) +
         "\n";
}

int watch_on_screen(const WatchOptions& options) { return WatchScreen(options).run(); }

}  // namespace labkit::cli
