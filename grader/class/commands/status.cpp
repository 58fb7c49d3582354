// `labkit class status DIR`: how far a class is, also from another terminal while it is graded.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "class/commands/class.h"
#include "class/commands/progress.h"
#include "class/commands/words.h"
#include "class/gradebook/gradebook.h"
#include "class/publish/publish.h"
#include "report/style.h"

namespace labkit::course {
namespace {

/// Of the run that goes on, or was last; zeros if there was none.
struct Run {
  std::int64_t begun_at = 0;
  std::size_t to_do = 0;
  std::vector<std::string> labs;
};

Run run_of(const Gradebook& book) {
  const nlohmann::json kept = nlohmann::json::parse(book.setting(kRunSetting), nullptr, false);
  if (!kept.is_object()) return {};
  return {kept.value("begun_at", std::int64_t{0}), kept.value("to_do", std::size_t{0}),
          kept.value("labs", std::vector<std::string>{})};
}

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// "pass 180, gate sectors 12, race 3": the most frequent first.
std::string verdicts_text(const Progress& progress) {
  std::vector<std::pair<std::string, std::size_t>> sorted(progress.verdicts.begin(),
                                                          progress.verdicts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [verdict, count] : sorted)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", verdict, count);
  return text;
}

int run_class_status(const std::filesystem::path& out) {
  const Gradebook book(gradebook_file(out), Gradebook::Mode::look);
  const std::string grader = grading_now(gradebook_file(out));
  const std::vector<Entry> entries = book.entries();
  const Run run = run_of(book);
  const ClassCount all = count(entries);
  const ClassCount mine = count(entries, run.labs);
  const std::string device = book.setting(kDeviceSetting);

  if (grader.empty()) {
    const std::size_t open = all.waiting + all.running;
    say(open == 0
            ? "Idle. All gradable submissions are graded."
            : fmt::format("Idle. {} of {} wait{}; run the same command to continue.", open,
                          all.to_grade,
                          all.open_decided > 0
                              ? fmt::format(" ({} of them decided by a teacher)", all.open_decided)
                              : ""));
  } else {
    const std::size_t open = mine.waiting + mine.running;
    const std::size_t done = run.to_do > open ? run.to_do - open : 0;
    const auto seconds = static_cast<double>(seconds_now() - run.begun_at);
    // Before the run has begun it is still reading the submissions.
    say(run.begun_at == 0 || (open == 0 && done >= run.to_do)
            ? fmt::format("Grading in {}.", grader)
            : fmt::format("Grading in {}: {}, {} running.", grader,
                          progress_text(done, run.to_do, seconds), mine.running));
  }
  if (!device.empty()) say(fmt::format("Device: {}.", device == "sim" ? "the simulator" : device));
  if (const Progress progress = book.progress(); progress.last_finished_at > 0)
    say(fmt::format("Last result {} ago.",
                    duration_text(static_cast<double>(seconds_now() - progress.last_finished_at))));
  say("");
  std::fputs(class_table(grade_all(entries, kept_policy(book))).c_str(), stdout);
  say("");
  if (const std::string verdicts = verdicts_text(book.progress()); !verdicts.empty())
    say("Verdicts: " + verdicts);
  if (const std::string missing = missing_text(book.students(), entries); !missing.empty())
    say("Submitted nothing: " + missing);
  say_list("Not graded, through no fault of the students; `class grade` tries again:",
           trouble_lines(entries));
  return kExitOk;
}

}  // namespace

void add_class_status(CLI::App& app, ClassCommand& chosen) {
  const auto [command, folder] = add_command(
      app, chosen, "status", "how far grading is, also while it runs", run_class_status);
  add_folder(command, folder);
}

}  // namespace labkit::course
