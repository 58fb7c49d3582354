// `labkit class replay RECEIPT`: grades the source again as the receipt says, and tells whether the
// same comes out, and whether the class's gradebook keeps that receipt.
#include <fmt/format.h>
#include <fmt/ranges.h>
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
#include "class/commands/class.h"
#include "class/commands/grade.h"
#include "class/commands/words.h"
#include "class/gradebook/gradebook.h"
#include "class/grading/job.h"
#include "class/grading/receipt.h"
#include "class/grading/receipt_kept.h"
#include "report/style.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  fs::path receipt, source, class_folder;
  cli::DeviceChoice device;
};

void say(const std::string& line) {
  std::fputs((report::printable(line) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

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

/// The source with the receipt's hash that the class's gradebook has; nullopt if it has none.
std::optional<std::string> kept_source(const Gradebook& book, const Receipt& receipt) {
  std::optional<std::string> source =
      book.source(receipt.student, receipt.lab, receipt.source_sha256);
  if (source && sha256_hex(*source) != receipt.source_sha256) source.reset();
  return source;
}

std::string source_of(const Receipt& receipt, const ReplayOptions& options, const Gradebook* book) {
  if (options.source.empty()) {
    if (book)
      if (auto source = kept_source(*book, receipt)) return *source;
    throw UsageError(
        fmt::format("the source of this receipt is not at hand: {}",
                    book ? "the gradebook has none of that student and lab with its hash"
                         : "there is no gradebook in a folder above the receipt"),
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
std::vector<std::string> other_means(const Receipt& receipt, const Means& now) {
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
  differ("the clock that the compiler sees (__TIME__, __DATE__)",
         receipt.means.clock.empty() ? "the machine's own" : receipt.means.clock, now.clock);
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

/// So many as a screen holds; the last then says how many more.
std::vector<std::string> shortened(std::vector<std::string> lines) {
  constexpr std::size_t kMost = 20;
  if (lines.size() <= kMost) return lines;
  const std::size_t more = lines.size() - kMost;
  lines.resize(kMost);
  lines.push_back(fmt::format("and {} more", more));
  return lines;
}

void say_lines(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  if (!title.empty()) say(title);
  for (const std::string& line : lines) say("  " + line);
}

/// What came out against what the receipt says; true if all of it that must be the same is. `stored`:
/// the result that it was made of, or "".
bool tell(const Receipt& receipt, const std::string& stored, const Outcome& outcome) {
  const std::string now = comparable(outcome.json);
  const bool gpu = receipt.means.device != "sim";
  std::vector<std::string> found = outcome_differences(receipt, outcome.json);
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
              measured_differences(receipt, outcome.json));
    if (found.empty()) {
      say("All that the simulator found is the same: counters, predicted times, findings' "
          "verdicts.");
      return true;
    }
  } else if (found.empty()) {
    // Points and counters are the same; what differs is said or found otherwise.
    if (stored.empty())
      found = {
          "points and counters are the same, but not the whole result; the one that was graded "
          "is not at hand, so where it differs cannot be said"};
    else
      found = differences(comparable(stored), now);
  }
  say_lines("It came out otherwise (then -> now):", found);
  return false;
}

/// Grades the receipt's source again; true if the same comes out.
bool replay(const Receipt& receipt, const std::string& source, const std::string& stored,
            const ReplayOptions& options) {
  cli::DeviceChoice choice = options.device;
  if (receipt.means.device == "sim") choice.device = "sim";
  const std::string device = device_name(choice);
  if (receipt.means.device != "sim" && device == "sim")
    say(fmt::format(
        "This was graded on {}, and there is no GPU here: only what the simulator found "
        "can be compared.",
        receipt.means.device));
  const Scratch scratch;
  const JobGrader grader(cli::select_labs({receipt.lab}), choice, device, scratch.path(), nullptr);
  Job job;
  job.student = receipt.student;
  job.lab = receipt.lab;
  job.source_sha256 = receipt.source_sha256;
  job.seed = receipt.seed;
  Outcome outcome = grader.grade(job, receipt.path, source, recorded_registers(receipt));
  const Receipt again = read_receipt(outcome.receipt, "the new receipt");
  const WithRecorded recorded = with_recorded(outcome.json);
  if (!recorded.tests.empty()) outcome.json = recorded.result;

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
  if (!recorded.tests.empty())
    say(
        fmt::format("ptxas counts no registers here: the times are predicted with those that the "
                    "receipt has of {}.",
                    fmt::join(recorded.tests, ", ")));
  return tell(receipt, stored, outcome);
}

/// What a replay cannot show, and only the gradebook knows.
void say_not_vouched(const Receipt& receipt, const std::string& why, const std::string& mend) {
  say(fmt::format(
      "Only the simulation was reproduced: {}. Not vouched for: that {} handed this in for {}, as "
      "{}; when and by which kit{}.{}",
      why, receipt.student, receipt.lab, receipt.path,
      receipt.means.device == "sim"
          ? ""
          : fmt::format("; what {} measured, and the points for it", receipt.means.device),
      mend));
}

int run_class_replay(const ReplayOptions& options) {
  const Receipt receipt = as_usage([&] {
    return read_receipt(read_file(options.receipt, 64u << 20), options.receipt.string());
  });
  const fs::path file = find_gradebook(options);
  if (file.empty()) {
    const bool same = replay(receipt, source_of(receipt, options, nullptr), {}, options);
    say_not_vouched(receipt, "there is no gradebook in a folder above the receipt",
                    " --class names the class's folder.");
    return same ? kExitOk : kExitVerdict;
  }
  const Gradebook book(file, Gradebook::Mode::look);
  const Vouched vouched = vouch(book, receipt);
  switch (vouched.kind) {
    case Vouched::Kind::kept: {
      const bool same =
          replay(receipt, source_of(receipt, options, &book), vouched.result, options);
      say(fmt::format("{} keeps this receipt, field for field.", file.string()));
      return same ? kExitOk : kExitVerdict;
    }
    case Vouched::Kind::edited: {
      say(fmt::format("{} is not the receipt that {} keeps of {} {} (kept -> this one):",
                      options.receipt.string(), file.string(), vouched.receipt.student,
                      vouched.receipt.lab));
      say_lines({}, shortened(vouched.edits));
      say("The one that is kept is graded again instead.");
      ReplayOptions own = options;  // a --source is of the one asked for
      if (kept_source(book, vouched.receipt)) own.source.clear();
      replay(vouched.receipt, source_of(vouched.receipt, own, &book), vouched.result, own);
      return kExitVerdict;
    }
    case Vouched::Kind::unknown:
      break;
  }
  replay(receipt, source_of(receipt, options, &book), {}, options);
  say_not_vouched(receipt,
                  fmt::format("{} keeps no receipt of {} {}, nor of this source", file.string(),
                              receipt.student, receipt.lab),
                  " It is another class's, edited, or from before the gradebook was begun anew.");
  return kExitVerdict;
}

}  // namespace

void add_class_replay(CLI::App& app, ClassCommand& chosen) {
  CLI::App& command =
      *app.add_subcommand("replay", "grade again what a receipt stands for, and compare");
  command.footer(
      "Ends with 0 if the same comes out and the class's gradebook, where there is one, keeps the "
      "receipt field for field; else with 1.");
  const auto options = std::make_shared<ReplayOptions>();
  command.add_option("RECEIPT", options->receipt, "a file of the folder receipts/")
      ->required()
      ->check(CLI::ExistingFile);
  command
      .add_option("--source", options->source,
                  "the graded file; without, it is taken from the class's gradebook")
      ->check(CLI::ExistingFile);
  command.add_option("--class,--out", options->class_folder,
                     "the class's folder; without, the one that the receipt lies in");
  cli::add_device_options(command, options->device);
  command.callback(
      [options, &chosen] { chosen = [options] { return run_class_replay(*options); }; });
}

}  // namespace labkit::course
