// `labkit class replay RECEIPT`: grades the source again as the receipt says, and reports whether the same comes out, and
// whether the class's gradebook keeps that receipt.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "class/commands/class.h"
#include "class/commands/words.h"
#include "class/grading/job.h"
#include "class/grading/receipt.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  fs::path receipt, source, class_folder;
  cli::DeviceChoice device;
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

/// With the receipt's hash: as the gradebook has it, else the file that is named.
std::string source_of(const Receipt& receipt, const ReplayOptions& options, const Gradebook* book) {
  const auto kept = book ? book->source(receipt.source_sha256) : std::nullopt;
  if (kept && sha256_hex(*kept) == receipt.source_sha256) return *kept;
  if (options.source.empty())
    throw UsageError(fmt::format("the source of this receipt was not found: {}",
                                 book ? "the gradebook has none with its hash"
                                      : "there is no gradebook in a folder above the receipt"),
                     "Name the file with --source, or the class's folder with --class.");
  std::string source = as_usage([&] { return read_file(options.source, 1u << 20); },
                                "Name the file that was graded.");
  if (const std::string hash = sha256_hex(source); hash != receipt.source_sha256)
    throw UsageError(fmt::format("{} is not the source of this receipt: its SHA-256 is {}, and the "
                                 "receipt's is {}",
                                 options.source.string(), hash, receipt.source_sha256),
                     "Name the file that was graded.");
  return source;
}

/// What has changed since the receipt was made, a line each.
std::vector<std::string> other_means(const Receipt& receipt, const GradingEnvironment& now) {
  std::vector<std::string> lines;
  const auto differ = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after) lines.push_back(fmt::format("{}: {} -> {}", what, before, after));
  };
  differ("the kit's version", receipt.means.kit, now.kit);
  if (receipt.means.measurement != now.measurement)
    lines.push_back(fmt::format(
        "lab.toml or check.cpp of {} measures something else, or another compiler is used",
        receipt.lab));
  if (receipt.means.scoring != now.scoring)
    lines.push_back(fmt::format("lab.toml of {} gives other points or limits", receipt.lab));
  if (receipt.means.check_sha256 != now.check_sha256) lines.push_back("lab_check is another build");
  differ("the GPU whose times are predicted", receipt.means.profile, now.profile);
  differ("the device", receipt.means.device, now.device);
  differ("the clock that the compiler sees (__TIME__, __DATE__)", receipt.means.clock, now.clock);
  return lines;
}

/// What came out against what the receipt says; true if all of it that must be the same is. `stored`:
/// the result that it was made of, or "".
bool report_outcome(const Receipt& receipt, const std::string& stored, const std::string& result) {
  const std::string now = comparable(result);
  const bool gpu = receipt.means.device != "sim";
  std::vector<std::string> found = outcome_differences(receipt, result);
  if (!gpu && sha256_hex(now) == receipt.result_sha256) {
    if (found.empty()) {
      say(fmt::format("The same result, bit for bit: {}, every counter, every message.",
                      receipt.verdict));
      return true;
    }
    say_list(
        "The receipt was edited: its hash matches the new result, its other fields do not "
        "(receipt -> now):",
        found);
    return false;
  }
  if (gpu) {
    say_list("Measured again (a GPU's times always differ a little):",
             measured_differences(receipt, result));
    if (found.empty()) {
      say("Everything from the simulator is the same: counters, predicted times, findings.");
      return true;
    }
  } else if (found.empty()) {
    // Points and counters are the same; what differs is said or found otherwise.
    if (stored.empty())
      found = {
          "points and counters are the same, but not the whole result; the graded result was not "
          "found, so the difference cannot be shown"};
    else
      found = differences(comparable(stored), now);
  }
  say_list("The result differs (then -> now):", found);
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
        "is compared.",
        receipt.means.device));
  const WorkFolder scratch;
  const JobGrader grader(cli::select_labs({receipt.lab}), choice, device, scratch.path(), nullptr);
  Job job;
  job.student = receipt.student;
  job.lab = receipt.lab;
  job.source_sha256 = receipt.source_sha256;
  job.seed = receipt.seed;
  const std::string result =
      grader.grade(receipt.lab, receipt.seed, source, recorded_registers(receipt));
  const Receipt again = read_receipt(
      make_receipt(job, receipt.path, grader.means(receipt.lab), result), "the new receipt");
  say(fmt::format("{} {}: {} then, {} now", receipt.student, receipt.lab, receipt.verdict,
                  again.verdict));
  std::vector<std::string> other = other_means(receipt, again.means);
  if (receipt.compiler != again.compiler)
    other.push_back(fmt::format("the compiler: {} -> {}", receipt.compiler, again.compiler));
  if (receipt.ptx_sha256 != again.ptx_sha256) other.emplace_back("the PTX of the source differs");
  if (receipt.gpu_driver != again.gpu_driver)
    other.push_back(
        fmt::format("the GPU's driver: {} -> {}", receipt.gpu_driver, again.gpu_driver));
  say_list("What has changed since it was graded:", other);
  return report_outcome(receipt, stored, result);
}

/// What a replay cannot show, and only the gradebook knows.
void say_not_confirmed(const Receipt& receipt, const std::string& why, const std::string& fix) {
  say(fmt::format(
      "Only the simulation was reproduced: {}. Not confirmed: that {} submitted this for {} as {}, "
      "when, and which kit graded it{}.{}",
      why, receipt.student, receipt.lab, receipt.path,
      receipt.means.device == "sim"
          ? ""
          : fmt::format("; what {} measured, and the points for it", receipt.means.device),
      fix));
}

int run_class_replay(const ReplayOptions& options) {
  const Receipt receipt = as_usage([&] {
    return read_receipt(read_file(options.receipt, 64u << 20), options.receipt.string());
  });
  const fs::path file = find_gradebook(options);
  std::optional<Gradebook> book;
  if (!file.empty()) book.emplace(file, Gradebook::Mode::existing);
  const Vouched vouched = book ? vouch(*book, receipt) : Vouched{};
  const Receipt& about = vouched.kind == Vouched::Kind::unknown ? receipt : vouched.receipt;
  if (vouched.kind == Vouched::Kind::edited) {
    say(fmt::format("{} differs from the receipt in {} of {} {} (kept -> this one):",
                    options.receipt.string(), file.string(), about.student, about.lab));
    say_list("", vouched.edits, kScreenful);
    say("The kept receipt is graded again instead.");
  }
  const bool same =
      replay(about, source_of(about, options, book ? &*book : nullptr), vouched.result, options);
  if (vouched.kind == Vouched::Kind::kept)
    say(fmt::format("{} holds this receipt, field for field.", file.string()));
  if (vouched.kind == Vouched::Kind::unknown)
    say_not_confirmed(
        receipt,
        book ? fmt::format("{} keeps no receipt of {} {}, nor of this source", file.string(),
                           receipt.student, receipt.lab)
             : "there is no gradebook in a folder above the receipt",
        book ? " It is from another class, edited, or from before a new gradebook was made."
             : " Name the class's folder with --class.");
  return same && (!book || vouched.kind == Vouched::Kind::kept) ? kExitOk : kExitVerdict;
}

}  // namespace

void add_class_replay(CLI::App& app, ClassCommand& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "replay", "grade again what a receipt is about, and compare", run_class_replay);
  command.footer(
      "Exit code 0 if the result is the same and the class's gradebook, if there is one,\n"
      "holds the receipt field for field; else 1.");
  command.add_option("RECEIPT", options.receipt, "a file of the folder receipts/")
      ->required()
      ->check(CLI::ExistingFile);
  command
      .add_option("--source", options.source,
                  "the graded file; default: from the class's gradebook")
      ->check(CLI::ExistingFile);
  command.add_option("--class,--out", options.class_folder,
                     "the class's folder; default: the one above the receipt");
  cli::add_device_options(command, options.device);
}

}  // namespace labkit::course
