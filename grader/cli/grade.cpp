// `labkit grade`: grades a file in each lab that is named, and prints or writes the results. Each lab is graded by the program
// lab_check in a child (check_process.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/problems.h"
#include "report/json.h"
#include "report/lms_json.h"
#include "report/style.h"
#include "report/text.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

/// For learning systems (report/lms_json.h). To them each grade is a result, a missing file too: with these options the exit code
/// says whether there is one, and where there is none, nothing is written.
struct LmsOptions {
  std::filesystem::path classroom50, prairielearn;  ///< empty: none
  bool autolab = false;
  bool any() const { return autolab || !classroom50.empty() || !prairielearn.empty(); }
};

struct GradeOptions {
  std::vector<std::string> labs;
  bool solutions = false, all = false;
  std::string json;  ///< a file, or "-": stdout, and nothing else there
  std::string format = "text";
  LmsOptions lms;
  GradeRequest request;
};

/// Throws UsageError naming the variables that are not set.
report::Classroom50Submission classroom50_submission() {
  std::vector<std::string> missing;
  const auto variable = [&](const char* name) -> std::string {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') missing.emplace_back(name);
    return value == nullptr ? "" : value;
  };
  report::Classroom50Submission submission = {.classroom = variable("CLASSROOM"),
                                              .assignment = variable("ASSIGNMENT"),
                                              .tag = variable("SUBMISSION_TAG"),
                                              .commit_url = variable("COMMIT_URL"),
                                              .release_url = variable("RELEASE_URL"),
                                              .review_url = variable("REVIEW_URL"),
                                              .time = {}};
  if (!missing.empty())
    throw UsageError("--classroom50 needs variables that Classroom 50's runner sets. Not set: " +
                         joined(missing, ", "),
                     "For a result outside of Classroom 50, use --json FILE.");
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char time[sizeof "2026-06-01T14:32:05Z"];
  if (gmtime_r(&now, &parts) != nullptr &&
      std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0)
    submission.time = time;
  return submission;
}

/// Before grading: what is there from an earlier run must not be taken for this one's result.
void make_room_for(const std::filesystem::path& file) {
  if (file.empty()) return;
  std::error_code told_below;
  std::filesystem::create_directories(std::filesystem::absolute(file).parent_path(), told_below);
  as_usage([&] { require_output_place(file); });
  if (std::filesystem::is_regular_file(std::filesystem::symlink_status(file)))  // no device
    std::filesystem::remove(file);
}

bool is_file(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::exists(path, none) && !std::filesystem::is_directory(path, none);
}

bool is_undecided(const grade::LabResult& lab) {
  return lab.verdict.inconclusive() || lab.undecided + lab.undecided_bonus > 0;
}

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

/// A test failed, also one for bonus points, or passed with a warning.
bool has_more_to_show(const grade::LabResult& result) {
  if (!result.verdict.passed() && !result.verdict.neutral()) return true;
  return std::ranges::any_of(result.tests, [](const grade::TestResult& test) {
    return (!test.verdict.passed() && !test.verdict.neutral() &&
            test.verdict.kind != "untouched") ||
           std::ranges::any_of(test.findings, [](const launch::Finding& finding) {
             return finding.severity == launch::Severity::warning;
           });
  });
}

/// Where to look on: a page is a question more to the simulator, so it is made when it is asked for.
std::string why_text(const std::vector<report::GradedFile>& graded, const GradeOptions& options) {
  std::vector<std::string> failed;
  for (const report::GradedFile& file : graded)
    if (has_more_to_show(file.result)) failed.push_back(file.result.lab);
  if (failed.empty() || options.solutions) return {};
  std::string command =
      command_name() + " explain " + (failed.size() == 1 ? failed.front() : "LAB");
  if (!options.request.file.empty() && !options.lms.any())  // that is a file of the system's
    command += " --file " + options.request.file.string();
  command += language_argument();
  return report::lines_text({words::text(words::Id::see_page, {{"command", command}})},
                            report::style_for(stdout), "");
}

/// Of a student's own kernels; of another file, what came of its predictions.
std::string rewards_text(const std::vector<report::GradedFile>& graded,
                         const GradeOptions& options) {
  if (options.solutions || options.lms.any()) return {};
  const report::Style style = report::style_for(stdout);
  if (!options.request.file.empty())
    return report::lines_text(explain::tell_predictions(graded.front().result), style, "");
  std::string text;
  bool any_passed = false;
  for (const report::GradedFile& file : graded) {
    if (graded.size() > 1 && file.result.verdict.kind == "untouched") continue;
    const std::string reward =
        reward_text(select_labs({file.result.lab}).front(), file.result, style);
    if (!reward.empty()) text += (graded.size() > 1 ? file.label + "\n" : "") + reward;
    any_passed |= file.result.verdict.passed();
  }
  return text + (any_passed ? progress_line(select_labs({})) : "");
}

std::string problems_text_of(const std::vector<report::GradedFile>& graded) {
  std::string text;
  for (const report::GradedFile& file : graded)
    text += problems_text(
        file.result,
        std::filesystem::absolute(file.file.empty()
                                      ? root_directory() / "labs" / file.result.folder / "kernel.cu"
                                      : std::filesystem::path(file.file))
            .lexically_normal()
            .string());
  return text;
}

int run_grade(const GradeOptions& options) {
  const std::vector<grade::Manifest> labs = select_labs(options.labs);
  for (const auto& [option, file] :
       {std::pair{"--file", options.request.file}, {"--html", options.request.html}})
    if (!file.empty() && (labs.size() != 1 || options.solutions))
      throw std::invalid_argument(
          fmt::format("{} wants exactly one LAB, and no --solutions", option));
  // A learning system's student may have submitted none: that is a verdict.
  if (!options.request.file.empty() && !options.lms.any() && !is_file(options.request.file))
    throw UsageError(options.request.file.string() + " is no file",
                     "Name your kernel's file: --file FILE.");
  if (options.solutions && !std::filesystem::exists(root_directory() / "solutions"))
    throw std::invalid_argument(
        "this copy of the kit has no solutions; without --solutions yours are graded");
  if (options.all && !options.solutions) throw std::invalid_argument("--all wants --solutions");

  report::Classroom50Submission submission;
  if (!options.lms.classroom50.empty()) submission = classroom50_submission();
  make_room_for(options.lms.classroom50);
  make_room_for(options.lms.prairielearn);

  std::vector<report::GradedFile> graded;
  std::vector<grade::LabResult> results;
  bool any_failed = false, any_open = false;
  int our_errors = 0;
  std::string last_error;
  for (const Work& work : plan(labs, options)) {
    GradeRequest request = options.request;
    request.file = work.file;
    request.may_be_missing = options.lms.any();
    try {
      graded.push_back({work.label, grade_file(*work.lab, request, grading_text(work.label)),
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
  if (options.json == "-")
    report::print(report::labs_json(results));
  else if (options.format == kProblemsFormat)
    report::print(problems_text_of(graded));
  else if (!graded.empty())
    report::print(report::grade_text(graded, report::style_for(stdout)) +
                  rewards_text(graded, options) + why_text(graded, options));
  if (our_errors > 0) return kExitOurError;
  if (options.lms.any()) {
    if (std::ranges::any_of(results, is_undecided)) return kExitInconclusive;
    if (!options.lms.classroom50.empty())
      write_output_file(options.lms.classroom50, report::classroom50_json(results, submission));
    if (!options.lms.prairielearn.empty())
      write_output_file(options.lms.prairielearn, report::prairielearn_json(results));
    if (options.lms.autolab) report::print(report::autolab_line(results));
    return kExitOk;
  }
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
      .option("--format", options->format,
              "problems: a line per diagnosis, FILE:LINE:COLUMN: ..., for an editor")
      .one_of({"text", kProblemsFormat})
      .with_default();
  command
      .option("--html", options->request.html,
              "write the page of `labkit explain` to this file (with one LAB)")
      .report_place();
  command.option("--classroom50", options->lms.classroom50,
                 "write Classroom 50's result.json to this file");
  command.option("--prairielearn", options->lms.prairielearn,
                 "write PrairieLearn's results.json to this file");
  command.flag("--autolab", options->lms.autolab, "end stdout with Autolab's line of scores");
  command.option("--file", options->request.file, "grade this .cu (with one LAB)");
  add_language_option(command);
  add_request(command, options->request);
  command.footer(
      "With --classroom50, --prairielearn or --autolab, every grade ends with exit code 0, also\n"
      "that of a missing file. Any other exit code: there is no result.");
  command.run([options] { return run_grade(*options); });
}

}  // namespace labkit::cli
