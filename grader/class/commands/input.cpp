#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "base/command_text.h"
#include "base/enum_names.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_names.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/intake/lab_names.h"
#include "class/intake/roster.h"
#include "cli/check_process.h"

namespace labkit::course {

namespace {
namespace fs = std::filesystem;

/// Where its gradebook is or will be. Throws for a place where none should be.
fs::path checked_gradebook(const ClassGradeOptions& options) {
  if (!may_be_folder(options.out))
    throw UsageError(fmt::format("--out: {} is no folder", options.out.string()),
                     "Name another folder.");
  for (const fs::path& input : options.inputs)
    if (is_inside(options.out, input))
      throw std::invalid_argument(
          fmt::format("--out {} lies inside {} and would be taken for a submission next time; name "
                      "a folder beside it",
                      options.out.string(), input.string()));
  const fs::path file = gradebook_file(options.out);
  std::error_code none;
  // What was made from a gradebook, but no gradebook: a new one in its place would be taken for all there is.
  if (fs::exists(options.out / "receipts", none) && Gradebook::is_blank(file))
    throw Error(fmt::format("{} holds the outputs of a class, but its gradebook {} is {}",
                            options.out.string(), file.filename().string(),
                            fs::exists(file, none) ? "empty" : "missing"),
                restore_text(file));
  return file;
}

/// Throws UsageError with the line to type if nothing says which labs a download is for.
void require_assigned(const Intake& intake, const ClassGradeOptions& options,
                      const std::vector<grade::Manifest>& all) {
  std::vector<std::string> called;
  for (const Root& root : intake.roots) called.push_back(root.called);
  for (const std::string& asked : options.assignments) {
    const std::size_t equals = asked.rfind('=');
    const auto fits = [&](const Root& root) {
      if (equals == std::string::npos)
        return std::ranges::all_of(assignment_from(asked, all).labs, [&](const std::string& lab) {
          return std::ranges::find(root.labs, lab) != root.labs.end();
        });
      const std::string pattern = asked.substr(0, equals);
      return fits_pattern(root.label, pattern) || fits_pattern(root.called, pattern);
    };
    if (std::ranges::none_of(intake.roots, fits))
      throw UsageError(
          fmt::format("--assignment \"{}\" fits none of the downloads", asked),
          fmt::format("They are called {}. One that names a lab is for another only by "
                      "name: --assignment \"{}=lab3\".",
                      joined(called), called.empty() ? "Lab 3*" : called.front()));
  }
  if (intake.unassigned.empty()) return;
  std::string downloads, line = typed_line();
  for (const std::string& download : intake.unassigned) {
    std::map<std::string, std::size_t> named;  // by its files
    for (const Submission& one : intake.submissions) named[one.lab] += one.download == download;
    std::string labs;
    for (const auto& [lab, students] : named)
      if (students > 0)
        labs +=
            fmt::format("{}{} ({})", labs.empty() ? "" : ", ", lab, counted(students, "student"));
    downloads += (downloads.empty() ? "" : ", ") + download +
                 (labs.empty() ? "" : ", whose files name " + labs);
    line += fmt::format(" --assignment {}", shell_word(download + "=LABS"));
  }
  const bool is_mixed = std::ranges::any_of(intake.roots, &Root::holds_several);
  throw UsageError(
      fmt::format("nothing says which labs were set for {}; nothing was graded", downloads),
      std::string(is_mixed ? "The names in it are of several assignments. Put each assignment's "
                             "folders into a folder of its own, and grade one after the other. If "
                             "it is one assignment: replace"
                           : "Replace") +
          " LABS with the labs that were set (lab3, or lab3,lab4): " + line);
}

/// Remarks of some kinds, no more than fit on a screen: index.html has all.
void say_remarks(const std::vector<Remark>& remarks, const std::set<Remark::Kind>& kinds,
                 const std::string& title) {
  std::vector<std::string> lines;
  for (const Remark& remark : remarks)
    if (kinds.contains(remark.kind))
      lines.push_back((remark.path.empty() ? "" : remark.path + ": ") + text_of(remark));
  say_list(title, lines, kScreenful);
}

/// Students, submissions and labs in a line; then what is not graded, a screenful at most.
void say_intake(const Intake& intake, const std::vector<std::filesystem::path>& inputs) {
  std::set<std::string> formats, labs;
  std::map<std::string, std::set<std::string>> named;  // by the files of a download
  for (const Submission& one : intake.submissions) {
    labs.insert(one.lab);
    named[one.download].insert(one.lab);
  }
  for (const Root& root : intake.roots) {
    formats.emplace(name_in(kFormats, root.format));
    const std::string own = joined(named[root.called]);
    say(fmt::format("{}: {}", root.called,
                    !root.labs.empty() ? "grading " + joined(root.labs) + " only"
                    : own.empty()      ? "nothing in it is graded"
                                       : "grading " + own + ", which its files name"));
  }
  say(fmt::format("{} ({}): {}, {}{}", joined(short_names(inputs)), joined(formats),
                  counted(intake.students.size(), "student"),
                  counted(intake.submissions.size(), "submission"),
                  labs.empty() ? std::string() : " for " + joined(labs)));
  using Kind = Remark::Kind;
  say_remarks(intake.remarks, {Kind::nobody}, "Not matched to a student (not graded):");
  say_remarks(intake.remarks, {Kind::no_lab}, "Not part of any lab (not graded):");
  say_remarks(intake.remarks, {Kind::refused, Kind::unread},
              "Cannot be read (ask for it, or download it, again) or matched to the roster:");
  say_remarks(intake.remarks, {Kind::roster}, "Names and the roster:");
  say_remarks(intake.remarks, {Kind::also}, "Not set, so not graded (students who changed it):");
  std::set<std::string> unread, stubs;
  for (const Remark& one : intake.remarks) {
    if (one.kind == Kind::unread) unread.insert(one.path);
    if (one.kind == Kind::stub) stubs.insert(one.student + " " + one.lab);
  }
  if (!unread.empty())
    say(
        fmt::format("WARNING: {} may hold any student's work. Who is not found elsewhere is listed "
                    "as \"missing?\", never as zero, until it is imported again.",
                    first_few(unread, 8)));
  if (!stubs.empty()) say(fmt::format("Unchanged, so not submitted: {}.", first_few(stubs, 8)));
}

/// A download that holds nothing for its labs: the wrong file was named, or the wrong labs.
void require_something_of_the_labs(const Intake& intake, const ClassGradeOptions& options) {
  std::set<std::string> has, may_hide, also;  // downloads
  for (const Submission& one : intake.submissions) has.insert(one.download);
  for (const Remark& one : intake.remarks) {
    if (one.kind == Remark::Kind::unread || one.kind == Remark::Kind::refused ||
        one.kind == Remark::Kind::stub)
      may_hide.insert(one.download);
    if (one.kind == Remark::Kind::also) also.insert(one.download);
  }
  for (const Root& root : intake.roots) {
    const bool is_wrong = !has.contains(root.called) &&
                          (also.contains(root.called) || !may_hide.contains(root.called));
    if (!is_wrong || (intake.roots.size() > 1 && !also.contains(root.called))) continue;
    say_intake(intake, options.inputs);
    throw std::invalid_argument(fmt::format(
        "{} holds no submission for {}. If another lab was set: --assignment {}", root.called,
        root.labs.empty() ? "a lab" : joined(root.labs), shell_word(root.called + "=lab3")));
  }
}

/// A roster on which nobody is of those on the one before is another course's.
void require_same_class(const Intake& intake, const ClassGradeOptions& options,
                        const std::vector<Student>& known) {
  std::set<std::string> before;
  for (const Student& one : known)
    if (one.on_roster) before.insert(one.id);
  if (options.roster.empty() || before.empty() ||
      std::ranges::any_of(intake.students, [&](const Student& one) {
        return one.on_roster && before.contains(one.id);
      }))
    return;
  throw UsageError(fmt::format("--roster {}: none of the {} known students is on it",
                               options.roster.string(), before.size()),
                   "Name this class's roster. Another class has another --out.");
}

KeptFile roster_for(const ClassGradeOptions& options, const Gradebook& book) {
  if (options.roster.empty()) return kept_file(book, kRosterSetting);
  return {options.roster.string(), as_usage([&] { return read_file(options.roster, kKeptBytes); },
                                            "Name a CSV file that you may read.")};
}

/// One in a language that the kit does not know names nobody.
void add_worksheet(IntakeOptions& intake, const std::string& lab, const std::string& text,
                   const std::string& name) {
  auto& participants = intake.worksheets[lab];
  participants.clear();
  try {
    for (const Student& one : parse_roster(text, name)) participants[one.key("moodle_id")] = one;
    participants.erase("");
  } catch (const Error&) {  // one that is broken is refused when it is kept
  }
}

Intake read_inputs(const ClassGradeOptions& options, const std::vector<grade::Manifest>& all,
                   const Gradebook& book, const KeptFile& roster) {
  IntakeOptions intake;
  std::string of_all;  // each that names no download
  for (const std::string& one : options.assignments)
    if (one.find('=') == std::string::npos)
      of_all += (of_all.empty() ? "" : ",") + one;
    else
      intake.assignments.push_back(assignment_from(one, all));
  if (!of_all.empty()) intake.assignments.push_back(assignment_from(of_all, all));
  const fs::path kept = options.out / kAssignmentsFile;
  if (fs::exists(kept)) {
    const Assignments known(read_file(kept, kKeptBytes), kept.string(), all);
    intake.assignments.insert(intake.assignments.end(), known.all().begin(), known.all().end());
  }
  intake.roster_text = roster.text;
  intake.roster_name = roster.name;
  intake.known = book.students(true);
  for (const grade::Manifest& lab : all)
    if (const KeptFile sheet = kept_file(book, kMoodleSetting + lab.id); !sheet.name.empty())
      add_worksheet(intake, lab.id, sheet.text, sheet.name);
  for (const fs::path& sheet : options.publish.moodle_worksheets)
    for (const std::string& lab : LabNames(all).labs_of(sheet.filename().string()))
      as_usage([&] {
        const std::string text = read_file(sheet, kKeptBytes), name = sheet.string();
        add_worksheet(intake, lab, text, name);
        intake.local_times[lab] = moodle_times(read_sheet(text, name)).submitted_at;
      });
  say("Reading " + joined(short_names(options.inputs)) + " ...");
  Intake found = import_sandboxed(options.inputs, all, intake);
  for (const Root& known : book.roots())  // was set once, and its files may name more
    for (const Root& root : found.roots)
      if (known.is_set && root.labs.empty() && root.called == known.called)
        found.unassigned.push_back(root.called);
  require_same_class(found, options, intake.known);
  require_assigned(found, options, all);
  require_something_of_the_labs(found, options);
  return found;
}

}  // namespace

void take_imports(OpenClass& open) {
  const ClassGradeOptions& options = open.options;
  const Report before = kept_report(open.book, open.labs);
  std::set<std::string> labs;
  for (const Root& root : open.intake.roots) labs.insert(root.labs.begin(), root.labs.end());
  for (const Submission& one : open.intake.submissions) labs.insert(one.lab);
  keep_options(open.book, open.labs, options.publish, labs);
  say_intake(open.intake, options.inputs);
  if (const KeptFile& roster = open.roster; !roster.name.empty())
    open.book.put_setting(kRosterSetting, kept_text(roster.name, roster.text));
  std::vector<Root> roots = open.intake.roots;
  for (const std::string& lab : labs) roots.emplace_back().labs = {lab};  // that files name
  keep_assignments(open.book, open.labs, options.out, roots);
  say_changes(changes(before, kept_report(open.book, open.labs)),
              " by the policy or assignments.toml");
  const bool is_shown = open.book.setting(kUnshownSetting).empty();
  open.book.put_setting(kUnshownSetting, "1");
  const auto last = open.book.last_import();
  const Imported imported = open.book.put_class(std::move(open.intake), true);
  take_local_times(open.book, open.labs, options.publish, false);
  const auto now = open.book.last_import();
  // the same command after a run that was stopped before it showed anybody anything: one import, one step of undo
  if (!is_shown && imported.added == 0 && last && last->downloads == now->downloads &&
      last->labs == now->labs)
    open.book.undo();
  if (changes_to(open.book, open.labs, View::with_last).is_harmless())
    open.book.apply_pending(View::with_last);
  say_list("WARNING: who is who (see index.html):", imported.people);
  say_list("Not imported, because what is there is newer:", imported.older, kScreenful);
}

OpenClass::OpenClass(const ClassGradeOptions& given)
    : options(given),
      labs(cli::select_labs({})),
      book(checked_gradebook(options)),
      lock(gradebook_file(options.out)),
      roster(roster_for(options, book)),
      intake(read_inputs(options, labs, book, roster)) {}

void add_import_options(cli::Command command, ClassGradeOptions& options) {
  command
      .option("INPUT", options.inputs,
              "folders, zips or tars of submissions, or bulk downloads of Canvas, Moodle or "
              "Gradescope as they came; earlier imports stay")
      .required();
  command.option("--out", options.out, "the class's folder: the gradebook and all outputs")
      .required();
  command.option("--roster", options.roster,
                 "CSV of who is in the class: shows who is missing; kept");
  command
      .option("--assignment", options.assignments,
              "which labs a download is for, where its name does not say it: "
              "\"submissions*=lab3\", or lab3 for all that is named; repeat for more")
      .one_at_a_time();  // INPUT may follow
  cli::add_device_options(command, options.device);
  command
      .option("--seed", options.seed, "of the inputs; default: a secret one, drawn once and kept")
      .not_negative();
  add_publish_options(command, options.publish);
}

}  // namespace labkit::course
