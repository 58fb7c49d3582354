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
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/grading.h"
#include "cli/problems.h"
#include "cli/stop.h"
#include "explain/words.h"
#include "report/text.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

struct WatchOptions {
  std::vector<std::string> labs;  ///< empty: all
  std::size_t count = 0;          ///< end after so many verdicts; 0: never
  std::string format = "text";
  GradeRequest request;
};

constexpr std::chrono::milliseconds kLook{250}, kShortLook{20}, kSettle{60};

/// What a file looks like from outside, its time and size; different after it was saved. Nothing while it is not there, as
/// editors that replace a file leave it for a moment.
using Look = std::optional<std::pair<fs::file_time_type, std::uintmax_t>>;
Look look_at(const fs::path& file) {
  std::error_code gone;
  const auto time = fs::last_write_time(file, gone);
  if (gone) return std::nullopt;
  const auto bytes = fs::file_size(file, gone);
  return gone ? Look() : Look({time, bytes});
}

/// The kernel.cu of one lab.
class Watched {
 public:
  explicit Watched(const grade::Manifest& lab)
      : lab_(&lab), file_(lab.directory / "kernel.cu"), look_(look_at(file_)), hash_(hash()) {}

  const grade::Manifest& lab() const { return *lab_; }
  /// Whether it holds something else than when it was last asked. Waits until a save is through.
  bool changed() {
    Look now = look_at(file_);
    if (!now || now == look_) return false;
    do {
      look_ = now;
      std::this_thread::sleep_for(kSettle);
      now = look_at(file_);
    } while (now != look_);
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
  Look look_;
  std::string hash_;
};

/// Grades in a thread, and gives up as soon as `changed` says that there is something newer: nothing then.
template <typename Changed>
std::optional<Graded> grade_until(const grade::Manifest& lab, GradeRequest request,
                                  const Changed& changed) {
  std::atomic<bool> stop{false};
  request.stop = &stop;
  request.details = true;
  auto grading = std::async(std::launch::async, [&] { return try_grading(lab, request); });
  for (int looks = 1; grading.wait_for(kShortLook) != std::future_status::ready; ++looks)
    if (!stop && (stop_asked() || (looks % 10 == 0 && changed()))) stop = true;
  if (stop) return std::nullopt;
  return grading.get();
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
  if (std::ranges::any_of(result.tests,
                          [](const auto& test) { return test.verdict.kind != "not_run"; }))
    text += tests_text(result, style) + "\n";
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

void show_problems(const grade::Manifest& lab, const Graded& graded) {
  const fs::path file = fs::absolute(lab.directory / "kernel.cu");
  if (const auto& result = graded.result) {
    report::print(
        problems_text(*result, file.string()) +
        problems_end(lab.id, fmt::format("{}, {} of {} points", explain::verdict_words(*result),
                                         explain::number(result->points),
                                         explain::number(result->max_points))));
  } else {
    std::fputs(report::error_text("no verdict", *graded.trouble, {}).c_str(), stderr);
    report::print(problems_end(lab.id, "no verdict"));
  }
  std::fflush(stdout);
}

int run_watch(const WatchOptions& options) {
  const std::vector<grade::Manifest> labs = select_labs(options.labs), all = select_labs({});
  std::vector<Watched> files(labs.begin(), labs.end());
  const StopOnSignals signals;
  const report::Style style = report::style_for(stdout);
  const bool terminal = options.format == "text" && isatty(STDOUT_FILENO) == 1;
  const bool as_problems = options.format == kProblemsFormat;
  // A terminal is cleared before each result, so that nothing scrolls; elsewhere one follows the other.
  const auto show = [&](const std::string& text) {
    const std::string footer =
        fmt::format("{:%H:%M:%S}  waiting for a kernel.cu to be saved; Ctrl-C ends",
                    fmt::localtime(std::time(nullptr)));
    report::print((terminal ? "\033[H\033[2J" : "") + text + "\n" + style.dim(footer) + "\n");
    std::fflush(stdout);
  };
  std::size_t verdicts = 0;
  int code = kExitOk;
  // A lab that was named is graded at once.
  Watched* due = options.labs.size() == 1 ? &files.front() : nullptr;
  const auto find_due = [&] {
    for (Watched& file : files)
      if (!due && file.changed()) due = &file;
    return due != nullptr;
  };
  if (!due && !as_problems) show(list_text(labs, style));
  while (!stop_asked()) {
    if (!find_due()) {
      std::this_thread::sleep_for(kLook);
      continue;
    }
    const grade::Manifest& lab = std::exchange(due, nullptr)->lab();
    if (as_problems) report::print(problems_begin(lab.id));
    if (terminal) report::print(style.dim(fmt::format("grading {} ...", lab.id)));
    std::fflush(stdout);
    const std::optional<Graded> graded = grade_until(lab, options.request, find_due);
    if (!graded) {  // saved again meanwhile, or Ctrl-C
      if (as_problems) report::print(problems_end(lab.id, "stopped"));
      continue;
    }
    const auto& result = graded->result;
    if (as_problems)
      show_problems(lab, *graded);
    else
      show(result ? watch_text(lab, *result, all, style)
                  : report::error_text("no verdict", *graded->trouble, style));
    code = result ? exit_code_of(*result) : kExitOurError;
    if (++verdicts == options.count) return code;
  }
  std::fputs("labkit: stopped\n", stderr);
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
  command
      .option("--format", options->format,
              "problems: a line per diagnosis, FILE:LINE:COLUMN: ..., for an editor")
      .one_of({"text", kProblemsFormat})
      .with_default();
  add_request(command, options->request);
  command.run([options] { return run_watch(*options); });
}

}  // namespace labkit::cli
