// `labkit class replay RECEIPT`: grades again what a receipt of the class's gradebook is about, and reports what differs.
#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "class/commands/class.h"
#include "class/grading/job.h"
#include "class/grading/receipt.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  fs::path receipt, class_folder;
};

/// The class's folder is as given, or lies above receipts/STUDENT/LAB.json.
fs::path find_gradebook(const ReplayOptions& options) {
  const fs::path file =
      gradebook_file(options.class_folder.empty()
                         ? fs::absolute(options.receipt).parent_path().parent_path().parent_path()
                         : options.class_folder);
  if (fs::exists(file)) return file;
  throw UsageError("there is no gradebook in a folder above the receipt",
                   "Name the class's folder with --class.");
}

bool replay(const Gradebook& book, const Job& job, const std::string& receipt) {
  const WorkFolder scratch;
  const JobGrader grader(cli::select_labs({job.lab}), {.device = "sim"}, "sim", scratch.path(),
                         nullptr);
  const std::string result = grader.grade(job.lab, job.seed, book.source(job.source_sha256).value(),
                                          recorded_registers(receipt));
  std::vector<std::string> means, found;
  for (const std::string& line :
       differences(receipt, make_receipt(job, grader.means().at(job.lab), result)))
    // how whole the jail was, and who counted registers, is of the machine
    if (!line.starts_with("jail") && line.find("/registers/by: ") == std::string::npos)
      (line.starts_with("outcome/") ? found : means).push_back(line);
  say_list("What has changed since it was graded:", means, kScreenful);
  say_list("The result differs (then -> now):", found, kScreenful);
  if (found.empty())
    say(fmt::format("{} {}: the same result, bit for bit: every point, counter and message.",
                    job.student, job.lab));
  return found.empty();
}

int run_class_replay(const ReplayOptions& options) {
  const std::string receipt = as_usage([&] { return read_file(options.receipt, 64u << 20); });
  const fs::path file = find_gradebook(options);
  const Gradebook book(file, Gradebook::Mode::existing);
  const auto job = book.job_of_receipt(receipt);
  if (!job) {
    say(fmt::format("{} keeps no such receipt: it is another class's, or no longer as it was made.",
                    file.string()));
    return kExitVerdict;
  }
  if (job->device != "sim")
    throw UsageError(fmt::format("{} {} was graded on {}, whose times differ each time",
                                 job->student, job->lab, job->device),
                     fmt::format("To measure it again: {} grade {} --file FILE --device cuda",
                                 command_name(), job->lab));
  return replay(book, *job, receipt) ? kExitOk : kExitVerdict;
}

}  // namespace

void add_class_replay(cli::Command parent) {
  const auto options = std::make_shared<ReplayOptions>();
  cli::Command command =
      parent.subcommand("replay", "grade again what a receipt is about, and compare");
  command.run([options] { return run_class_replay(*options); });
  command.footer(
      "Exit code 0 if the class's gradebook holds the receipt and the result is the same; else 1.");
  command.option("RECEIPT", options->receipt, "a file of the folder receipts/")
      .required()
      .existing_file();
  command.option("--class,--out", options->class_folder,
                 "the class's folder; default: the one above the receipt");
}

}  // namespace labkit::course
