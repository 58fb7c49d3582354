#include "cli/class_intake.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "cli/class_words.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

std::string printable(const std::string& text) { return report::printable(text); }

/// A kind of remark with its lines, no more than fit on a screen.
void say_remarks(const std::vector<course::Remark>& remarks, course::Remark::Kind kind,
                 const std::string& title) {
  constexpr std::size_t kMost = 10;
  std::size_t count = 0;
  for (const course::Remark& remark : remarks) {
    if (remark.kind != kind) continue;
    if (count++ == 0) say(title);
    if (count <= kMost)
      say(printable(remark.path.empty() ? fmt::format("  {}", remark.text)
                                        : fmt::format("  {}: {}", remark.path, remark.text)));
  }
  if (count > kMost) say(fmt::format("  and {} more, all in review.txt", count - kMost));
}

}  // namespace

void say_intake(const course::Intake& intake, const std::filesystem::path& input) {
  std::set<std::string> formats, labs;
  for (const course::Root& root : intake.roots) formats.insert(course::format_name(root.format));
  std::size_t gradable = 0;
  for (const course::Submission& submission : intake.submissions) {
    labs.insert(submission.lab);
    gradable += submission.problem.empty();
  }
  std::string kinds, lab_list;
  for (const std::string& name : formats) kinds += (kinds.empty() ? "" : ", ") + name;
  for (const std::string& lab : labs) lab_list += (lab_list.empty() ? "" : ", ") + lab;
  say(printable(fmt::format("{} ({}): {}, {} for {}", input.string(), kinds,
                            counted(intake.students.size(), "student"),
                            counted(intake.submissions.size(), "submission"), lab_list)));
  using Kind = course::Remark::Kind;
  say_remarks(intake.remarks, Kind::nobody, "Matched nobody, so not graded:");
  say_remarks(intake.remarks, Kind::no_lab, "For no lab that is known, so not graded:");
  say_remarks(intake.remarks, Kind::refused, "Could not or must not be read:");
  say_remarks(intake.remarks, Kind::roster, "About the roster:");
  if (gradable < intake.submissions.size())
    say(fmt::format("{} cannot be graded (empty, or not readable); see review.txt",
                    counted(intake.submissions.size() - gradable, "submission")));
}

}  // namespace labkit::cli
