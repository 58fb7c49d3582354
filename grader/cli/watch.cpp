// Files are looked at ten times a second rather than waited for with inotify: that works on every file system, also
// those of WSL and of containers, and a file for each lab costs nothing.
#include "cli/watch.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "cli/commands.h"
#include "cli/problems.h"
#include "cli/stop.h"
#include "explain/words.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using words::Id;

constexpr std::chrono::milliseconds kLook{100}, kShortLook{20}, kSettle{60};

/// Gives up as soon as `changed` says that there is something newer: nothing then.
template <typename Changed>
std::optional<Graded> grade_until(const grade::Manifest& lab, const GradeRequest& request,
                                  const Changed& changed) {
  BackgroundGrading grading;
  grading.start(lab, request);
  for (int looks = 1; !grading.is_ready(); ++looks) {
    if (stop_asked() || (looks % 5 == 0 && changed())) return std::nullopt;
    std::this_thread::sleep_for(kShortLook);
  }
  return grading.take();
}

}  // namespace

Watched::Watched(const grade::Manifest& lab)
    : lab_(&lab), file_(lab.directory / "kernel.cu"), look_(look()), hash_(hash()) {}

Watched::Look Watched::look() const {
  std::error_code gone;
  const auto time = fs::last_write_time(file_, gone);
  if (gone) return std::nullopt;
  const auto bytes = fs::file_size(file_, gone);
  return gone ? Look() : Look({time, bytes});
}

bool Watched::changed() {
  Look now = look();
  if (!now || now == look_) return false;
  do {
    look_ = now;
    std::this_thread::sleep_for(kSettle);
    now = look();
  } while (now != look_);
  const std::string hash_now = hash();
  if (hash_now.empty() || hash_now == hash_) return false;
  hash_ = hash_now;
  return true;
}

std::string Watched::hash() const {
  try {
    return sha256_hex(read_file(file_));
  } catch (const Error&) {  // between two looks it can go
    return {};
  }
}

void BackgroundGrading::start(const grade::Manifest& lab, GradeRequest request) {
  give_up();
  stop_ = false;
  request.stop = &stop_;
  request.details = true;
  request.judged = [this](grade::LabResult result) {
    const std::lock_guard lock(mutex_);
    judged_ = std::move(result);
  };
  judged_.reset();
  graded_ = std::async(std::launch::async, [&lab, request] { return try_grading(lab, request); });
}

bool BackgroundGrading::is_ready() const {
  return graded_.valid() && graded_.wait_for(kShortLook * 0) == std::future_status::ready;
}

Graded BackgroundGrading::take() {
  Graded graded = graded_.get();
  judged_.reset();  // nobody writes it any more
  return graded;
}

std::optional<grade::LabResult> BackgroundGrading::take_judged() {
  const std::lock_guard lock(mutex_);
  return std::exchange(judged_, std::nullopt);
}

void BackgroundGrading::give_up() {
  if (!graded_.valid()) return;
  stop_ = true;
  graded_.get();
}

std::string tests_text(const grade::LabResult& result, const report::Style& style) {
  std::vector<std::vector<std::string>> rows;
  for (const grade::TestResult& test : result.tests) {
    const bool passed = test.verdict.passed();
    const std::string mark = passed                   ? style.good(words::text(Id::mark_pass))
                             : test.verdict.neutral() ? style.dim("-")
                             : test.decided()         ? style.bad(words::text(Id::mark_fail))
                                                      : style.bad("?");
    const std::string points =
        fmt::format("{}/{}", explain::number(test.points), explain::number(test.max_points));
    rows.push_back({"  " + mark, test.name,
                    test.bonus ? words::text(Id::points_bonus, {{"points", points}}) : points,
                    passed ? "" : explain::verdict_words(test)});
  }
  return report::table(rows, {false, false, true, false});
}

int exit_code_of(const Graded& graded) {
  if (!graded.result) return kExitOurError;
  if (graded.result->verdict.passed()) return kExitOk;
  return graded.result->verdict.inconclusive() ? kExitInconclusive : kExitVerdict;
}

bool any_test_ran(const grade::LabResult& result) {
  return std::ranges::any_of(result.tests,
                             [](const auto& test) { return test.verdict.kind != "not_run"; });
}

std::string watch_title(const grade::Manifest& lab, const grade::LabResult& result,
                        const report::Style& style) {
  using explain::number;
  std::string title =
      words::text(Id::watch_title, {{"title", lab.id + "  " + words::translated(lab.title)},
                                    {"points", number(result.points)},
                                    {"most", number(result.max_points)}});
  if (result.max_bonus > 0)
    title = words::text(
        Id::watch_title_bonus,
        {{"title", title}, {"points", number(result.bonus)}, {"most", number(result.max_bonus)}});
  return style.bold(title);
}

std::string watch_text(const grade::Manifest& lab, const grade::LabResult& result,
                       const std::vector<grade::Manifest>& all, const report::Style& style) {
  std::string text = watch_title(lab, result, style) + "\n\n";
  if (any_test_ran(result)) text += tests_text(result, style) + "\n";
  const std::string details = report::details_text({lab.id, result}, style);
  if (!details.empty()) text += details + "\n";
  text += report::devices_text(result, style);
  if (!result.verdict.passed())
    return text +
           words::text(Id::watch_stuck,
                       {{"command", fmt::format("{} hint {}", command_name(), lab.id)}}) +
           "\n" +
           words::text(Id::lines_pictured,
                       {{"command", fmt::format("{} explain {}", command_name(), lab.id)}}) +
           "\n";
  const grade::Manifest* next = next_lab(all);
  if (!next) return text + words::text(Id::every_lab_passes) + "\n";
  return text +
         words::text(
             Id::lab_passes_next,
             {{"lab", lab.id}, {"command", fmt::format("{} show {}", command_name(), next->id)}}) +
         "\n";
}

namespace {

void show_problems(const grade::Manifest& lab, const Graded& graded) {
  const fs::path file = fs::absolute(lab.directory / "kernel.cu");
  if (const auto& result = graded.result) {
    report::print(
        problems_text(*result, file.string()) +
        problems_end(lab.id,
                     fmt::format("{}, {}", explain::verdict_words(*result),
                                 words::text(Id::points_of,
                                             {{"points", explain::number(result->points)},
                                              {"most", explain::number(result->max_points)}}))));
  } else {
    std::fputs(report::error_text("no verdict", *graded.trouble, {}).c_str(), stderr);
    report::print(problems_end(lab.id, "no verdict"));
  }
  std::fflush(stdout);
}

int watch_in_plain_text(const WatchOptions& options) {
  const std::vector<grade::Manifest> labs = select_labs(options.labs), all = select_labs({});
  std::vector<Watched> files(labs.begin(), labs.end());
  const StopOnSignals signals;
  const report::Style style = report::style_for(stdout);
  const bool as_problems = options.format == kProblemsFormat;
  const auto show = [&](const std::string& text) {
    const std::string footer = fmt::format("{:%H:%M:%S}  {}", fmt::localtime(std::time(nullptr)),
                                           words::text(Id::watch_until_saved));
    report::print(text + "\n" + style.dim(footer) + "\n");
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
    code = exit_code_of(*graded);
    if (++verdicts == options.count) return code;
  }
  std::fputs("labkit: stopped\n", stderr);
  return kExitOk;
}

/// With escape sequences, then.
bool is_screen(std::FILE* out) {
  const char* const term = std::getenv("TERM");
  return isatty(fileno(out)) == 1 && !(term && std::string_view(term) == "dumb");
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
  add_language_option(command);
  add_request(command, options->request);
  command.run([options] {
    return options->format == "text" && is_screen(stdout) ? watch_on_screen(*options)
                                                          : watch_in_plain_text(*options);
  });
}

}  // namespace labkit::cli
