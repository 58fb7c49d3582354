// Files are looked at four times a second rather than waited for with inotify: that works on every file system, also
// those of WSL and of containers, and eight files cost nothing.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/grading.h"
#include "cli/stop.h"
#include "explain/words.h"
#include "report/text.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

struct WatchOptions {
  std::vector<std::string> labs;  ///< empty: all
  std::size_t count = 0;          ///< end after so many verdicts; 0: never
  GradeRequest request;
};

constexpr std::chrono::milliseconds kLook{250}, kSettle{60};

/// What a file looks like from outside; different after it was saved.
struct Look {
  fs::file_time_type time;
  std::uintmax_t bytes = 0;
  friend bool operator==(const Look&, const Look&) = default;
};

/// Nothing while it is not there, as editors that replace a file leave it for a moment.
std::optional<Look> look_at(const fs::path& file) {
  std::error_code gone;
  Look look;
  look.time = fs::last_write_time(file, gone);
  if (!gone) look.bytes = fs::file_size(file, gone);
  if (gone) return std::nullopt;
  return look;
}

/// The kernel.cu of one lab.
class Watched {
 public:
  explicit Watched(const grade::Manifest& lab)
      : lab_(&lab), file_(lab.directory / "kernel.cu"), look_(look_at(file_)), hash_(hash()) {}

  const grade::Manifest& lab() const { return *lab_; }
  /// Whether it holds something else than when it was last asked. Waits until a save is through.
  bool changed() {
    std::optional<Look> now = look_at(file_);
    if (!now || now == look_) return false;
    for (std::optional<Look> before; now != before; now = look_at(file_)) {
      before = now;
      std::this_thread::sleep_for(kSettle);
    }
    look_ = now;
    const std::string hash_now = hash();
    if (hash_now.empty() || hash_now == hash_) return false;
    hash_ = hash_now;
    return true;
  }

 private:
  std::string hash() const {
    try {
      return sha256_hex(read_file(file_));
    } catch (const Error&) {  // between two looks it can go
      return {};
    }
  }
  const grade::Manifest* lab_;
  fs::path file_;
  std::optional<Look> look_;
  std::string hash_;
};

/// A terminal is cleared before each result, so that nothing scrolls; elsewhere one follows the other.
class Screen {
 public:
  Screen() : style_(report::style_for(stdout)), terminal_(isatty(STDOUT_FILENO) == 1) {}
  const report::Style& style() const { return style_; }
  void show(const std::string& text) const {
    if (terminal_) std::fputs("\033[H\033[2J", stdout);
    report::print(text);
    std::fflush(stdout);
  }
  /// A last line below what is there, which the next show() takes away.
  void busy(const std::string& text) const {
    if (!terminal_) return;
    report::print(style_.dim(text));
    std::fflush(stdout);
  }

 private:
  report::Style style_;
  bool terminal_;
};

struct Outcome {
  std::optional<grade::LabResult> result;
  std::exception_ptr trouble;
};

/// Grades in a thread, and gives up as soon as `look` says that there is something newer.
template <typename Changed>
Outcome grade_until(const grade::Manifest& lab, GradeRequest request, const Changed& changed) {
  std::atomic<bool> stop{false}, done{false};
  request.stop = &stop;
  request.details = true;
  Outcome outcome;
  std::thread grading([&] {
    try {
      outcome.result = grade_file(lab, request);
    } catch (const Stopped&) {  // neither a result nor a trouble
    } catch (...) {
      outcome.trouble = std::current_exception();
    }
    done = true;
  });
  for (int looks = 0; !done; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (!stop && (stop_asked() || (looks % 10 == 9 && changed()))) stop = true;
  }
  grading.join();
  if (stop) return {};
  return outcome;
}

std::string trouble_text(const std::exception_ptr& trouble, const report::Style& style) {
  try {
    std::rethrow_exception(trouble);
  } catch (const Error& error) {
    return report::error_text("no verdict", error, style);
  } catch (const std::exception& error) {
    return report::error_text("no verdict", Error(error.what()), style);
  }
}

std::string tests_text(const grade::LabResult& result, const report::Style& style) {
  std::vector<std::vector<std::string>> rows;
  for (const grade::TestResult& test : result.tests) {
    const bool passed = test.verdict.passed();
    const std::string mark = passed                   ? style.good("pass")
                             : test.verdict.neutral() ? style.dim("-")
                             : test.decided()         ? style.bad("FAIL")
                                                      : style.bad("?");
    rows.push_back({"  " + mark, test.name,
                    fmt::format("{}/{}{}", explain::number(test.points),
                                explain::number(test.max_points), test.bonus ? " bonus" : ""),
                    passed ? "" : explain::verdict_words(test)});
  }
  return report::table(rows, {false, false, true, false});
}

int exit_code_of(const grade::LabResult& result) {
  if (result.verdict.passed()) return kExitOk;
  return result.verdict.inconclusive() ? kExitInconclusive : kExitVerdict;
}

}  // namespace

std::string watch_text(const grade::Manifest& lab, const grade::LabResult& result,
                       const std::vector<grade::Manifest>& all, const report::Style& style) {
  using explain::number;
  std::string text = style.bold(fmt::format("{}  {}: {} of {} points", lab.id, lab.title,
                                            number(result.points), number(result.max_points)));
  if (result.max_bonus > 0)
    text +=
        style.bold(fmt::format(", {} of {} bonus", number(result.bonus), number(result.max_bonus)));
  text += "\n\n";
  const bool any_ran = std::any_of(result.tests.begin(), result.tests.end(),
                                   [](const auto& test) { return test.verdict.kind != "not_run"; });
  if (any_ran) text += tests_text(result, style) + "\n";
  const std::string details = report::details_text({lab.id, result}, style);
  if (!details.empty()) text += details + "\n";
  text += report::devices_text(result, style);
  if (!result.verdict.passed())
    return text + fmt::format("Stuck? {0} hint {1}\nThe lines, pictured: {0} explain {1}\n",
                              command_name(), lab.id);
  const grade::Manifest* next = next_lab(all);
  return text +
         (next ? fmt::format("{} passes. Next: {} show {}\n", lab.id, command_name(), next->id)
               : std::string("Every lab passes.\n"));
}

namespace {

int run_watch(const WatchOptions& options) {
  const std::vector<grade::Manifest> labs = select_labs(options.labs), all = select_labs({});
  std::vector<Watched> files;
  files.reserve(labs.size());
  for (const grade::Manifest& lab : labs) files.emplace_back(lab);
  const StopOnSignals signals;
  const Screen screen;
  const auto footer = [&] {
    return screen.style().dim(
        fmt::format("{:%H:%M:%S}  waiting for a kernel.cu to be saved; Ctrl-C ends",
                    fmt::localtime(std::time(nullptr))));
  };
  std::size_t verdicts = 0;
  int code = kExitOk;
  // A lab that was named is graded at once.
  Watched* due = options.labs.size() == 1 ? &files.front() : nullptr;
  if (!due) screen.show(list_text(labs, screen.style()) + "\n" + footer() + "\n");
  while (!stop_asked()) {
    for (Watched& file : files)
      if (!due && file.changed()) due = &file;
    if (!due) {
      std::this_thread::sleep_for(kLook);
      continue;
    }
    Watched& file = *due;
    due = nullptr;
    screen.busy(fmt::format("grading {} ...", file.lab().id));
    const Outcome outcome = grade_until(file.lab(), options.request, [&] {
      for (Watched& other : files)
        if (!due && other.changed()) due = &other;
      return due != nullptr;
    });
    if (!outcome.result && !outcome.trouble) continue;  // saved again meanwhile, or Ctrl-C
    screen.show((outcome.result ? watch_text(file.lab(), *outcome.result, all, screen.style())
                                : trouble_text(outcome.trouble, screen.style())) +
                "\n" + footer() + "\n");
    code = outcome.result ? exit_code_of(*outcome.result) : kExitOurError;
    if (++verdicts == options.count) return code;
  }
  return kExitOk;
}

}  // namespace

void add_watch(Command labkit) {
  const auto options = std::make_shared<WatchOptions>();
  Command command = labkit.subcommand("watch", "grade a lab each time its kernel.cu is saved");
  add_labs(command, options->labs);
  command
      .option("--count", options->count,
              "end after so many verdicts, with the last one's exit code")
      .positive();
  add_request(command, options->request);
  command.run([options] { return run_watch(*options); });
}

}  // namespace labkit::cli
