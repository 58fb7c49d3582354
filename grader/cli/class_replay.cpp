// `labkit class replay RECEIPT`: grades the source again as the receipt says, and tells whether the
// same comes out.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <system_error>

#include "base/files.h"
#include "base/sha256.h"
#include "base/usage_error.h"
#include "cli/class.h"
#include "cli/class_grade.h"
#include "cli/class_job.h"
#include "cli/class_words.h"
#include "course/gradebook.h"
#include "course/receipt.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  fs::path receipt, source, class_folder;
  DeviceChoice device;
};

void say(const std::string& line) {
  std::fputs((report::printable(line) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

/// What the gradebook of the class knows of the receipt's grade.
struct Kept {
  std::optional<std::string> source;  ///< with the receipt's hash
  std::string other_source;           ///< why not
  std::string result;                 ///< of the same grading; "" if it is not there any more
};

/// The class's folder: as given, or the nearest above the receipt with a gradebook.
fs::path find_gradebook(const ReplayOptions& options) {
  if (!options.class_folder.empty()) return gradebook_file(options.class_folder);
  std::error_code none;
  const fs::path receipt = fs::absolute(options.receipt, none);
  fs::path folder = receipt.parent_path();
  for (int up = 0; up < 4 && folder.has_relative_path(); ++up, folder = folder.parent_path())
    if (fs::exists(gradebook_file(folder), none)) return gradebook_file(folder);
  return {};
}

Kept look_up(const course::Receipt& receipt, const fs::path& file) {
  Kept kept;
  if (file.empty()) {
    kept.other_source = "there is no gradebook in a folder above the receipt";
    return kept;
  }
  const course::Gradebook book(file, course::Gradebook::Mode::look);
  for (const course::Entry& entry : book.entries()) {
    if (entry.student != receipt.student || entry.lab != receipt.lab) continue;
    if (entry.graded)
      if (const auto outcome = book.outcome(entry.job->id);
          outcome && outcome->receipt == receipt.text)
        kept.result = outcome->json;
    kept.source = book.source(receipt.student, receipt.lab, receipt.source_sha256);
    if (kept.source && sha256_hex(*kept.source) != receipt.source_sha256) kept.source.reset();
    if (!kept.source) kept.other_source = "the gradebook has another source of that student";
    return kept;
  }
  kept.other_source = "the gradebook knows nothing of that student and lab any more";
  return kept;
}

std::string source_of(const course::Receipt& receipt, const ReplayOptions& options,
                      const Kept& kept) {
  if (options.source.empty()) {
    if (kept.source) return *kept.source;
    throw UsageError(
        fmt::format("the source of this receipt is not at hand: {}", kept.other_source),
        "Name the file with --source, or the class's folder with --class.");
  }
  std::string source = as_usage([&] { return read_file(options.source, 1u << 20); },
                                "Name the file that was graded.");
  if (const std::string hash = sha256_hex(source); hash != receipt.source_sha256)
    throw UsageError(fmt::format("{} is not the source of this receipt: its SHA-256 is {}, and the "
                                 "receipt's is {}",
                                 options.source.string(), hash, receipt.source_sha256),
                     "Name the file that was graded.");
  return source;
}

/// What is otherwise than when the receipt was made, a line each.
std::vector<std::string> other_means(const course::Receipt& receipt, const course::Means& now) {
  std::vector<std::string> lines;
  const auto differ = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after) lines.push_back(fmt::format("{}: {} -> {}", what, before, after));
  };
  differ("the kit's version", receipt.means.kit, now.kit);
  if (receipt.means.measurement != now.measurement)
    lines.push_back(
        fmt::format("lab.toml or check.cpp of {} has changed in what it measures", receipt.lab));
  if (receipt.means.scoring != now.scoring)
    lines.push_back(fmt::format("lab.toml of {} gives other points or limits", receipt.lab));
  if (receipt.means.check_sha256 != now.check_sha256)
    lines.push_back(fmt::format("{}_check is another build of the program", receipt.lab));
  differ("the GPU whose times are predicted", receipt.means.profile, now.profile);
  differ("the device", receipt.means.device, now.device);
  return lines;
}

/// A folder of its own, gone with this.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "labkit-replay-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw Error("cannot make a folder " + name, "let TMPDIR name a folder that you may write to");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void say_lines(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  say(title);
  for (const std::string& line : lines) say("  " + line);
}

/// What came out against what the receipt says; true if all of it that must be the same is.
bool tell(const course::Receipt& receipt, const Kept& kept, const course::Outcome& outcome) {
  const std::string now = course::comparable(outcome.json);
  const bool gpu = receipt.means.device != "sim";
  std::vector<std::string> found = course::outcome_differences(receipt, outcome.json);
  if (!gpu && sha256_hex(now) == receipt.result_sha256) {
    if (found.empty()) {
      say(fmt::format("Bit for bit the same: {}, every counter, every message.", receipt.verdict));
      return true;
    }
    say_lines(
        "The receipt was edited: its hash is that of what came out now, the rest of it is not "
        "(receipt -> now):",
        found);
    return false;
  }
  if (gpu) {
    say_lines("Measured again; a GPU's times are never quite the same:",
              course::measured_differences(receipt, outcome.json));
    if (found.empty()) {
      say("All that the simulator found is the same: counters, predicted times, findings' "
          "verdicts.");
      return true;
    }
  } else if (found.empty()) {
    // Points and counters are the same; what differs is said or found otherwise.
    if (kept.result.empty())
      found = {
          "points and counters are the same, but not the whole result; the one that was graded "
          "is not in the gradebook any more, so where it differs cannot be said"};
    else
      found = course::differences(course::comparable(kept.result), now);
  }
  say_lines("It came out otherwise (then -> now):", found);
  return false;
}

int run_class_replay(const ReplayOptions& options) {
  const course::Receipt receipt = as_usage([&] {
    return course::read_receipt(read_file(options.receipt, 64u << 20), options.receipt.string());
  });
  const Kept kept = look_up(receipt, find_gradebook(options));
  const std::string source = source_of(receipt, options, kept);

  DeviceChoice choice = options.device;
  if (receipt.means.device == "sim") choice.device = "sim";
  const std::string device = device_name(choice);
  if (receipt.means.device != "sim" && device == "sim")
    say(fmt::format(
        "This was graded on {}, and there is no GPU here: only what the simulator found "
        "can be compared.",
        receipt.means.device));
  const Scratch scratch;
  const JobGrader grader(select_labs({receipt.lab}), choice, device, scratch.path(), nullptr);
  course::Job job;
  job.student = receipt.student;
  job.lab = receipt.lab;
  job.source_sha256 = receipt.source_sha256;
  job.seed = receipt.seed;
  const course::Outcome outcome = grader.grade(job, receipt.path, source);
  const course::Receipt again = course::read_receipt(outcome.receipt, "the new receipt");

  say(fmt::format("{} {}: {} then, {} now", receipt.student, receipt.lab, receipt.verdict,
                  again.verdict));
  std::vector<std::string> other = other_means(receipt, again.means);
  if (receipt.compiler != again.compiler)
    other.push_back(fmt::format("the compiler: {} -> {}", receipt.compiler, again.compiler));
  if (receipt.ptx_sha256 != again.ptx_sha256)
    other.emplace_back("the PTX that the compiler made of the source is another");
  if (receipt.gpu_driver != again.gpu_driver)
    other.push_back(
        fmt::format("the GPU's driver: {} -> {}", receipt.gpu_driver, again.gpu_driver));
  say_lines("Otherwise than when it was graded:", other);
  return tell(receipt, kept, outcome) ? kExitOk : kExitVerdict;
}

}  // namespace

void add_class_replay(CLI::App& app, ClassCommand& chosen) {
  CLI::App& command =
      *app.add_subcommand("replay", "grade again what a receipt stands for, and compare");
  command.footer("Ends with 0 if the same comes out, with 1 if not.");
  const auto options = std::make_shared<ReplayOptions>();
  command.add_option("RECEIPT", options->receipt, "a file of the folder receipts/")
      ->required()
      ->check(CLI::ExistingFile);
  command
      .add_option("--source", options->source,
                  "the graded file; without, it is taken from the class's gradebook")
      ->check(CLI::ExistingFile);
  command.add_option("--class", options->class_folder,
                     "the class's folder; without, the one that the receipt lies in");
  add_device_options(command, options->device);
  command.callback(
      [options, &chosen] { chosen = [options] { return run_class_replay(*options); }; });
}

}  // namespace labkit::cli
