// The commands of labkit, a .cpp each: add_X() declares its options and what it runs. And what tests look at of them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace labkit::grade {
struct LabResult;
struct Manifest;
}  // namespace labkit::grade
namespace labkit::report {
struct ExplainOptions;
struct Style;
}  // namespace labkit::report

namespace labkit::cli {

void add_grade(Command labkit);
/// The next hint for the defect that the lab's verdict is about. kExitOk also where the kernel is at fault: a hint is no
/// verdict.
void add_hint(Command labkit);
/// Grades a lab when its kernel.cu is saved, until Ctrl-C, or so often as --count says.
void add_watch(Command labkit);
void add_list(Command labkit);
void add_show(Command labkit);
/// kernel.cu as it was handed out; what was in it is kept beside it first.
void add_reset(Command labkit);
/// Writes the page of a lab's result; kExitOk whatever the verdict, for it was not the question.
void add_explain(Command labkit);
void add_profile(Command labkit);
/// Runs a whole CUDA program, host code and all, as the user. Its exit code is the program's, or kExitVerdict where what was
/// wrong did not show in it.
void add_run(Command labkit);
/// `labkit lab ...`, for authors.
void add_lab_check(Command lab);
void add_lab_figures(Command lab);
/// Measures every solution on the GPU at hand, finds for each ratio the window between right and slow answers, and prints
/// the table. For teachers with a GPU that the kit has no limits for.
void add_calibrate(Command lab);
/// The small complete lab of handouts/new_lab, with its answers, under another name. A name that is none, and an id that is
/// in use, throw std::invalid_argument; then nothing was made.
void add_new_lab(Command labkit);
void add_doctor(Command labkit);
/// A script for a shell, made from the commands that labkit has.
void add_completion(Command labkit);

/// The program labkit. Exit codes as in base/error.h.
int labkit_main(int argc, char** argv);
/// Lets `add` add commands to labkit's own, before labkit_main() begins: for a layer above this one, which a student's kit
/// may leave out.
void register_commands(void (*add)(Command labkit));

/// lab_check, the program around the check.cpp of all labs. It compiles the student's file, runs the tests of one lab and
/// reports what came of them in the kit's own words; GoogleTest's printer is silent.
///
/// lab_check --lab LAB [--ready] [--file F] [--json F] [--html F] [--failure-page F] [--device D] [--gpu-id N] [--gpu G]
/// [--seed N] [--threads N] [GoogleTest's own flags]. Exit codes as in base/error.h.
int check_main(int argc, char** argv);

/// Each lab with its points and how far this copy's kernel.cu is, and what is next.
std::string list_text(const std::vector<grade::Manifest>& labs, const report::Style& style);
/// The first of these that is not complete; null if all are.
const grade::Manifest* next_lab(const std::vector<grade::Manifest>& labs);
/// Of each lab with a history: its last versions, what they got, and the best.
std::string histories_text(const std::vector<grade::Manifest>& labs, const report::Style& style);
/// "3 of 9 labs done. Next: ./kit show lab3"
std::string progress_line(const std::vector<grade::Manifest>& labs);
/// Of a graded kernel.cu of the lab's own: what it gained, and, where it passes, the bonus that is open.
std::string reward_text(const grade::Manifest& lab, const grade::LabResult& result,
                        const report::Style& style);

/// Markdown as plain text: headings and words of code in bold, tables in columns, blocks of code moved in; the rest wrapped.
std::string terminal_text(std::string_view markdown, const report::Style& style);

/// kernel.cu as it was handed out, in the lab's folder.
std::filesystem::path stub_of(const grade::Manifest& lab);
/// What resets kept, the oldest first: labs/<lab>/.kernel-<when>.cu. The point hides them from what packs
/// up a student's work.
std::vector<std::filesystem::path> backups_of(const grade::Manifest& lab);

/// What a page of this lab says beside the result: idea, figures to compare with. `file`: what was graded, if not the
/// lab's kernel.cu.
report::ExplainOptions explain_options(const grade::Manifest& lab,
                                       const std::filesystem::path& file);

/// Where `labkit explain` writes the page if nobody says where; makes the folder.
std::filesystem::path place_of_page(const grade::Manifest& lab);
/// The next hint for the first defect of a result with details of the lab's own kernel.cu, and how many there are after it.
std::string next_hint(const grade::Manifest& lab, grade::LabResult result);

/// One thing that `doctor` looked at.
struct Check {
  enum class State : std::uint8_t {
    good,
    note,     ///< grading works without it
    missing,  ///< grading does not work without it
  };
  State state = State::good;
  std::string name;   ///< "NVRTC"
  std::string found;  ///< what there is, or that there is none
  std::string fix;    ///< for note and missing: what to do; may be empty for a note
};
/// Looks at the machine; takes well under a second.
std::vector<Check> examine();
/// A line a check, its fix below it, and a last line that sums up; kExitOk if grading on the simulator works here, kExitOurError
/// if not.
int run_doctor(std::ostream& out);

}  // namespace labkit::cli
