// `labkit class replay RECEIPT`: grades what a receipt is about again, and reports whether the same comes out, and whether
// the class's gradebook keeps that receipt.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "class/commands/class.h"
#include "class/commands/words.h"
#include "class/grading/job.h"
#include "class/grading/receipt.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  fs::path receipt, class_folder;
  cli::DeviceChoice device;
};

/// The class's folder: as given, or the nearest above the receipt with a gradebook.
fs::path find_gradebook(const ReplayOptions& options) {
  if (!options.class_folder.empty()) return gradebook_file(options.class_folder);
  std::error_code none;
  fs::path folder = fs::absolute(options.receipt, none).parent_path();
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(gradebook_file(folder), none)) return gradebook_file(folder);
  throw UsageError("there is no gradebook in a folder above the receipt",
                   "Name the class's folder with --class.");
}

/// Grades it again; true if the same comes out.
bool replay(const Gradebook& book, const KeptReceipt& kept, cli::DeviceChoice choice) {
  const Job& job = kept.job;
  const bool gpu = job.device != "sim";
  if (!gpu) choice.device = "sim";
  const std::string device = device_name(choice);
  if (gpu && device == "sim")
    say(fmt::format(
        "This was graded on {}, and there is no GPU here: only what the simulator found "
        "is compared.",
        job.device));
  const WorkFolder scratch;
  const JobGrader grader(cli::select_labs({job.lab}), choice, device, scratch.path(), nullptr);
  const std::string result = grader.grade(job.lab, job.seed, book.source(job.source_sha256).value(),
                                          recorded_registers(kept.text));
  const Replayed replayed =
      compare_receipts(kept.text, make_receipt(job, grader.means(job.lab), result));
  say(fmt::format("{} {}: {} then, {} now", job.student, job.lab, replayed.verdict_then,
                  replayed.verdict_now));
  say_list("What has changed since it was graded:", replayed.means);
  say_list("Measured again (a GPU's times always differ a little):", replayed.measured);
  std::vector<std::string> found = replayed.outcome;
  // Points and counters may be the same where what is said is not.
  if (found.empty() && !gpu && !replayed.same_result)
    found = differences(comparable(book.outcome(job.id).value().json), comparable(result));
  say_list("The result differs (then -> now):", found);
  if (found.empty())
    say(gpu ? "Everything from the simulator is the same: counters, predicted times, findings."
            : fmt::format("The same result, bit for bit: {}, every counter, every message.",
                          replayed.verdict_now));
  return found.empty();
}

int run_class_replay(const ReplayOptions& options) {
  const std::string receipt = as_usage([&] { return read_file(options.receipt, 64u << 20); });
  as_usage([&] { require_receipt(receipt, options.receipt.string()); });
  const fs::path file = find_gradebook(options);
  const Gradebook book(file, Gradebook::Mode::existing);
  const auto kept = find_receipt(book, receipt);
  if (!kept) {
    say(
        fmt::format("{} keeps no receipt like this one, nor of its source. It is from another "
                    "class, edited, or from before a new gradebook was made.",
                    file.string()));
    return kExitVerdict;
  }
  if (!kept->edits.empty()) {
    say(fmt::format("{} differs from the receipt in {} of {} {} (kept -> this one):",
                    options.receipt.string(), file.string(), kept->job.student, kept->job.lab));
    say_list("", kept->edits, kScreenful);
    say("The kept receipt is graded again instead.");
  }
  const bool same = replay(book, *kept, options.device);
  if (kept->edits.empty())
    say(fmt::format("{} holds this receipt, field for field.", file.string()));
  return same && kept->edits.empty() ? kExitOk : kExitVerdict;
}

}  // namespace

void add_class_replay(CLI::App& app, ClassCommand& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "replay", "grade again what a receipt is about, and compare", run_class_replay);
  command.footer(
      "Exit code 0 if the result is the same and the class's gradebook holds the receipt\n"
      "field for field; else 1.");
  command.add_option("RECEIPT", options.receipt, "a file of the folder receipts/")
      ->required()
      ->check(CLI::ExistingFile);
  command.add_option("--class,--out", options.class_folder,
                     "the class's folder; default: the one above the receipt");
  cli::add_device_options(command, options.device);
}

}  // namespace labkit::course
