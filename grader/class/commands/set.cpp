#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <ctime>
#include <optional>
#include <stdexcept>

#include "base/error.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/intake/assignments.h"
#include "class/intake/roster.h"
#include "class/publish/exports.h"
#include "cli/paths.h"
#include "report/style.h"

namespace labkit::course {
namespace {

struct SetOptions {
  std::filesystem::path folder;
  std::string student, lab, reason, by;
  std::optional<double> points, late_days;
  std::optional<std::string> comment, regrade;
  bool excuse = false, withdraw = false, regrade_done = false;
};

/// Who decides, as far as the system knows; in a container there is often no name to the number.
std::string user_name() {
  const uid_t id = ::geteuid();
  const passwd* entry = ::getpwuid(id);
  return entry && entry->pw_name && *entry->pw_name ? std::string(entry->pw_name)
                                                    : fmt::format("user {}", id);
}

constexpr double kMostLateDays = 1000;  // as in a policy

void require_from_0_to(const char* option, double value, double most,
                       const std::string& which = "") {
  if (!(value >= 0 && value <= most))  // nor nan
    throw std::invalid_argument(
        fmt::format("{} {:g}: it must be from 0 to {:g}{}", option, value, most, which));
}

Decision decision_of(const SetOptions& options) {
  using Kind = Decision::Kind;
  Decision decision;
  int kinds = 0;
  for (const auto& [is_given, kind] : {std::pair(options.points.has_value(), Kind::points),
                                       {options.late_days.has_value(), Kind::late_days},
                                       {options.excuse, Kind::excused},
                                       {options.withdraw, Kind::withdrawn},
                                       {options.comment.has_value(), Kind::comment},
                                       {options.regrade.has_value(), Kind::regrade},
                                       {options.regrade_done, Kind::answered}})
    if (is_given) {
      decision.kind = kind;
      ++kinds;
    }
  if (kinds != 1)
    throw std::invalid_argument(fmt::format(
        "{} of --points P, --late-days D, --excuse, --withdraw, --comment TEXT, --regrade TEXT and "
        "--regrade-done{}",
        kinds == 0 ? "name one" : "only one", kinds == 0 ? "" : " at a time"));
  decision.reason = to_valid_utf8(
      trim(options.comment ? *options.comment : options.regrade.value_or(options.reason)));
  if ((options.comment || options.regrade) && !options.reason.empty())
    throw std::invalid_argument("--reason does not go with --comment and --regrade: the text does");
  if (options.regrade && decision.reason.empty())
    throw std::invalid_argument("--regrade needs a sentence: what the student asks");
  if (!options.comment && decision.reason.empty())
    throw std::invalid_argument(
        "--reason needs a sentence: the student reads it while the decision holds");
  if (options.late_days) require_from_0_to("--late-days", *options.late_days, kMostLateDays);
  decision.value = options.points.value_or(options.late_days.value_or(0));
  decision.by = to_valid_utf8(options.by.empty() ? user_name() : options.by);
  decision.at = std::time(nullptr);
  return decision;
}

struct Now {
  Grade grade;
  Entry entry;
};
Now now(const Gradebook& book, const Decision& decision) {
  for (const Entry& entry : book.entries())
    if (entry.student == decision.student && entry.lab == decision.lab)
      return {grade(entry, kept_policy(book)), entry};
  throw std::invalid_argument(fmt::format("{} was not set for this class", decision.lab));
}

std::string grade_text(const Grade& grade, const grade::Manifest& lab) {
  const std::string points = grade.points
                                 ? fmt::format("{} of {} points", points_text(*grade.points),
                                               points_text(lab.max_points()))
                                 : "blank";
  return fmt::format("{} ({})", points, grade.decided ? "by decision" : grade.verdict);
}

int run_set(const SetOptions& options) {
  Decision decision = decision_of(options);
  Gradebook book(gradebook_file(options.folder), Gradebook::Mode::existing);
  const auto labs = grade::find_labs(cli::root_directory());
  const std::vector<Student> students = book.students();
  const Student& student = find_student(students, options.student);
  const grade::Manifest& lab = lab_named(labs, report::printable(options.lab));
  decision.student = student.id;
  decision.lab = lab.id;
  if (options.points)
    require_from_0_to("--points", *options.points, lab.max_points() + lab.bonus_points(),
                      ", the maximum of " + lab.id);

  const Now before = now(book, decision);
  using Kind = Decision::Kind;
  const std::string about = report::printable(student.shown()) + ", " + lab.id;
  if (decision.kind == Kind::withdrawn && before.entry.decisions.empty())
    throw std::invalid_argument("there is no decision to withdraw about " + about);
  if (decision.kind == Kind::answered && !decisions_that_count(before.entry.decisions).regrade)
    throw std::invalid_argument("there is no open regrade request of " + about);
  book.decide(decision);
  const Now after = now(book, decision);
  const bool is_word = decision.kind == Kind::comment || decision.kind == Kind::regrade ||
                       decision.kind == Kind::answered;
  const std::string was = grade_text(before.grade, lab), is = grade_text(after.grade, lab);
  const std::string text =
      fmt::format("{}, {}: {}\n  {} by {}: {}\n", student.shown(), lab.id,
                  is_word     ? decided_text(decision) + ", grade unchanged"
                  : was == is ? is + ", unchanged"
                              : was + " -> " + is,
                  is_word ? "entered" : "decided", decision.by,
                  decision.reason.empty() ? "(none any more)" : decision.reason);
  report::print(report::printable(text));
  publish_class(book, {}, options.folder);
  return kExitOk;
}

}  // namespace

void add_class_set(cli::Command parent) {
  const auto options = std::make_shared<SetOptions>();
  cli::Command command = parent.subcommand("set", "decide one grade, with a reason that is kept");
  command.run([options] { return run_set(*options); });
  add_folder(command, options->folder);
  command.option("STUDENT", options->student, "id, name, e-mail or number").required();
  command.option("LAB", options->lab, "lab1, lab2, ...").required();
  command.option(
      "--points", options->points,
      "the grade, whatever was measured and however late, up to the lab's points and bonus");
  command.option("--late-days", options->late_days,
                 "days late, whatever the LMS says; 0: an extension");
  command.flag("--excuse", options->excuse, "excused: no grade is needed");
  command.flag("--withdraw", options->withdraw, "take back all decisions about this grade");
  command.option("--comment", options->comment,
                 "feedback that the student reads beside the grade; \"\" takes it back");
  command.option("--regrade", options->regrade,
                 "enter a student's regrade request; it stays open until a decision");
  command.flag("--regrade-done", options->regrade_done,
               "the grade stays; --reason is the answer that the student reads");
  command.option("--reason", options->reason,
                 "why, for all but --comment and --regrade; the student reads it while the "
                 "decision holds");
  command.option("--by", options->by, "who decides, for teachers only; default: your user name");
}

}  // namespace labkit::course
