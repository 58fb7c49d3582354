#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/grading.h"
#include "cli/paths.h"
#include "report/json.h"
#include "report/style.h"
#include "report/text.h"

namespace labkit::cli {
namespace {

struct GradeOptions {
  std::vector<std::string> labs;
  bool solutions = false, all = false;
  std::string json;       ///< a file, or "-": stdout, and nothing else there
  std::string classroom;  ///< a file for GitHub Classroom (report/json.h); empty: none
  GradeRequest request;
};

struct Work {
  const grade::Manifest* lab;
  std::filesystem::path file;
  std::string label;
};

std::vector<Work> plan(const std::vector<grade::Manifest>& labs, const GradeOptions& options) {
  std::vector<Work> work;
  for (const grade::Manifest& lab : labs)
    if (options.all)
      for (const auto& file : solution_files(lab, "correct"))
        work.push_back({&lab, file, fmt::format("{} {}", lab.id, file.stem().string())});
    else if (options.solutions)
      work.push_back({&lab, root_directory() / "solutions" / lab.folder / lab.reference, lab.id});
    else
      work.push_back({&lab, options.request.file, lab.id});
  return work;
}

/// Where to look on, once something failed: a page is a question more to the simulator, so it is made when it is asked
/// for.
std::string why_text(const std::vector<report::GradedFile>& graded, const GradeOptions& options) {
  std::vector<std::string> failed;
  for (const report::GradedFile& file : graded)
    if (!file.result.verdict.passed() && !file.result.verdict.neutral())
      failed.push_back(file.result.lab);
  if (failed.empty() || options.solutions) return {};
  std::string command =
      command_name() + " explain " + (failed.size() == 1 ? failed.front() : "LAB");
  if (!options.request.file.empty()) command += " --file " + options.request.file.string();
  return report::lines_text({"See which line, which lanes and why on a page: " + command},
                            report::style_for(stdout), "");
}

int run_grade(const GradeOptions& options) {
  const std::vector<grade::Manifest> labs = select_labs(options.labs);
  if (!options.request.file.empty() && (labs.size() != 1 || options.solutions))
    throw std::invalid_argument("--file wants exactly one LAB, and no --solutions");
  if (options.solutions && !std::filesystem::exists(root_directory() / "solutions"))
    throw std::invalid_argument(
        "this copy of the kit has no solutions; without --solutions yours are graded");
  if (options.all && !options.solutions) throw std::invalid_argument("--all wants --solutions");

  std::vector<report::GradedFile> graded;
  std::vector<grade::LabResult> results;
  bool any_failed = false, any_open = false;
  int our_errors = 0;
  std::string last_error;
  for (const Work& work : plan(labs, options)) {
    GradeRequest request = options.request;
    request.file = work.file;
    try {
      graded.push_back({work.label, grade_file(*work.lab, request, "grading " + work.label),
                        request.file.string()});
    } catch (const Error& error) {  // one lab's trouble does not keep the others from being graded
      const bool again = error.what() == last_error;
      last_error = error.what();
      std::fputs(report::error_text(work.label + ": no verdict",
                                    again ? Error("for the same reason") : error,
                                    report::style_for(stderr))
                     .c_str(),
                 stderr);
      ++our_errors;
      continue;
    }
    results.push_back(graded.back().result);
    const grade::Verdict& verdict = results.back().verdict;
    any_open |= verdict.inconclusive();
    any_failed |= !verdict.passed() && !verdict.inconclusive();
  }
  if (!options.json.empty() && options.json != "-")
    write_output_file(options.json, report::labs_json(results));
  // Of all or of none: a lab that could not be graded must not look like one that was not asked for.
  if (!options.classroom.empty() && our_errors == 0)
    write_output_file(options.classroom, report::classroom_json(results));
  if (options.json == "-")
    report::print(report::labs_json(results));
  else if (!graded.empty())
    report::print(report::grade_text(graded, report::style_for(stdout)) +
                  why_text(graded, options));
  if (our_errors > 0) return kExitOurError;
  if (any_failed) return kExitVerdict;
  return any_open ? kExitInconclusive : kExitOk;
}

}  // namespace

void add_grade(Command labkit) {
  const auto options = std::make_shared<GradeOptions>();
  Command command = labkit.subcommand("grade", "grade labs");
  add_labs(command, options->labs);
  command.flag("--solutions", options->solutions,
               "grade each lab's reference solution instead of its kernel.cu");
  command.flag("--all", options->all, "with --solutions: every correct solution");
  command
      .option("--json", options->json,
              "write the results to this file, or with - to stdout, as JSON")
      .report_place();
  command
      .option("--classroom", options->classroom,
              "write to this file what GitHub Classroom's reporter takes, as JSON")
      .report_place();
  add_request(command, options->request, "grade this .cu (with one LAB)");
  command.run([options] { return run_grade(*options); });
}

}  // namespace labkit::cli
