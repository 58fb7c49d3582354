#include "class/commands/input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "class/commands/class.h"
#include "class/commands/words.h"

namespace labkit::course {

namespace {

namespace fs = std::filesystem;

void refuse_what_is_not_there(const fs::path& file, const char* named) {
  std::error_code error;
  if (fs::status(file, error).type() == fs::file_type::not_found)
    throw UsageError(fmt::format("{}: there is no {}", named, file.string()),
                     file.is_absolute()
                         ? "Check the spelling."
                         : fmt::format("Check the spelling; it was looked for in {}.",
                                       fs::current_path(error).string()));
}

void refuse_out_that_is_no_folder(const fs::path& out) {
  std::error_code unknown;
  fs::path there = fs::absolute(out, unknown);
  while (there.has_relative_path() && !fs::exists(there, unknown)) there = there.parent_path();
  if (!fs::is_directory(there, unknown))
    throw UsageError(fmt::format("--out: {} is no folder", there.string()), "Name another folder.");
}

void refuse_out_inside(const fs::path& out_given, const fs::path& input_given) {
  std::error_code unknown;
  const fs::path input = fs::weakly_canonical(input_given, unknown);
  const fs::path out = fs::weakly_canonical(out_given, unknown);
  const fs::path relative = out.lexically_relative(input);
  if (!relative.empty() && *relative.begin() != ".." && fs::is_directory(input, unknown))
    throw std::invalid_argument(
        fmt::format("--out {} lies inside {} and would be taken for a submission next time; name a "
                    "folder beside it",
                    out_given.string(), input_given.string()));
}

}  // namespace

void require_inputs(const ClassGradeOptions& options) {
  refuse_out_that_is_no_folder(options.out);
  for (const fs::path& input : options.inputs) {
    refuse_what_is_not_there(input, "INPUT");
    refuse_out_inside(options.out, input);
  }
  if (!options.roster.empty()) refuse_what_is_not_there(options.roster, "--roster");
}

void require_gradebook_of(const fs::path& out) {
  const fs::path file = gradebook_file(out);
  std::error_code none;
  const bool traces = fs::exists(out / ".labkit-files", none) || fs::exists(out / "receipts", none);
  if (!traces || !Gradebook::is_blank(file)) return;
  throw Error(
      fmt::format("{} holds the outputs of a class, but its gradebook {} is {}", out.string(),
                  file.filename().string(), fs::exists(file, none) ? "empty" : "missing"),
      "Restore gradebook.sqlite from a backup, or name another folder with --out. --new-gradebook "
      "grades everything again; decisions and earlier grades are then lost.");
}

void require_something_of_the_labs(const Intake& intake, const ClassGradeOptions& options,
                                   const std::vector<grade::Manifest>& selected) {
  std::map<std::string, std::size_t> has;
  for (const Submission& one : intake.submissions) ++has[one.lab];
  if (options.labs.empty()
          ? !has.empty()
          : std::any_of(selected.begin(), selected.end(),
                        [&](const grade::Manifest& lab) { return has.contains(lab.id); }))
    return;
  say_intake(intake, options.inputs);
  std::string wanted, there;
  for (const grade::Manifest& lab : selected) wanted += (wanted.empty() ? "" : ", ") + lab.id;
  for (const auto& [lab, count] : has)
    there += fmt::format("{}{} ({})", there.empty() ? "" : ", ", lab, counted(count, "submission"));
  throw std::invalid_argument(
      options.labs.empty()
          ? "none of that is a submission for a lab; is it the right INPUT? --lab says which lab "
            "it is for, where its names do not"
          : fmt::format("none of that is for {}: {}. Is it the right INPUT?", wanted,
                        there.empty() ? "no lab was recognised" : "it holds " + there));
}

namespace {

constexpr std::size_t kMost = 10;  // lines of a kind

/// Remarks of a kind, no more than fit on a screen.
void say_remarks(const std::vector<Remark>& remarks, Remark::Kind kind, const std::string& title) {
  std::vector<std::string> lines;
  for (const Remark& remark : remarks)
    if (remark.kind == kind)
      lines.push_back(remark.path.empty() ? remark.text
                                          : fmt::format("{}: {}", remark.path, remark.text));
  const std::size_t all = lines.size();
  if (all > kMost) {
    lines.resize(kMost);
    lines.push_back(fmt::format("and {} more, all in review.txt", all - kMost));
  }
  say_list(title, lines);
}

void say_items(const std::vector<Merged::Item>& items, const std::string& title,
               std::size_t most = SIZE_MAX) {
  std::vector<std::string> lines;
  for (const Merged::Item& item : items)
    lines.push_back(fmt::format("{} {}: {}", item.student, item.lab, item.why));
  say_list(title, lines, most);
}

}  // namespace

void say_intake(const Intake& intake, const std::vector<std::filesystem::path>& inputs) {
  std::set<std::string> formats, labs;
  for (const Root& root : intake.roots) formats.insert(format_name(root.format));
  std::size_t gradable = 0;
  for (const Submission& submission : intake.submissions) {
    labs.insert(submission.lab);
    gradable += submission.problem.empty();
  }
  say(fmt::format("{} ({}): {}, {}{}", joined(inputs), joined(formats),
                  counted(intake.students.size(), "student"),
                  counted(intake.submissions.size(), "submission"),
                  labs.empty() ? std::string() : " for " + joined(labs)));
  using Kind = Remark::Kind;
  say_remarks(intake.remarks, Kind::nobody, "Not matched to a student (not graded):");
  say_remarks(intake.remarks, Kind::no_lab, "Not part of any lab (not graded):");
  say_remarks(intake.remarks, Kind::refused, "Cannot be read:");
  say_remarks(
      intake.remarks, Kind::unread,
      "WARNING: cannot be read, and may hold any student's work. Students who are not found "
      "elsewhere are listed as \"missing?\", never as zero, until it is imported again:");
  say_remarks(intake.remarks, Kind::roster, "Names and the roster:");
  say_remarks(intake.remarks, Kind::times, "Files dated in the future:");
  if (gradable < intake.submissions.size())
    say(fmt::format("{} cannot be graded (empty or unreadable); see review.txt",
                    counted(intake.submissions.size() - gradable, "submission")));
}

void say_merged(const Merged& merged) {
  say_list("WARNING: who is who (see review.txt):", merged.people);
  say_items(merged.older, "Not imported, because what is there is newer:");
  say_items(merged.rivals,
            "Several submissions; only file times or the order of the inputs decide which is "
            "newest (see review.txt):",
            kMost);
  say_items(merged.unread,
            "WARNING: a submission cannot be read, so another one counts (see review.txt):");
  std::size_t kept = 0;
  std::vector<std::string> labs;
  for (const auto& [lab, count] : merged.kept) {
    kept += count;
    labs.push_back(fmt::format("{} {}", lab, count));
  }
  if (kept > 0)
    say(fmt::format("Kept from earlier imports: {} ({}).", counted(kept, "submission"),
                    fmt::join(labs, ", ")));
}

namespace {

constexpr std::uint64_t kMaxBytes = 64u << 20;  // as intake/roster.cpp has it

}  // namespace

KeptRoster roster_for(const ClassGradeOptions& options) {
  if (!options.roster.empty())
    return {options.roster.string(),
            as_usage([&] { return read_file(options.roster, kMaxBytes); },
                     "Name a CSV file that you may read."),
            true};
  const std::filesystem::path file = gradebook_file(options.out);
  if (Gradebook::is_blank(file)) return {};
  const Gradebook book(file, Gradebook::Mode::existing);
  return {book.setting(kRosterNameSetting), book.setting(kRosterSetting), false};
}

std::filesystem::path keep_roster(Gradebook& book, const KeptRoster& roster) {
  std::filesystem::path copy;
  if (roster.text.empty()) return copy;
  if (!roster.is_new) {
    say(fmt::format("Roster: {}, as it was when it was imported.", roster.name));
    return copy;
  }
  const std::string before = book.setting(kRosterSetting);
  if (!before.empty() && before != roster.text)
    say(fmt::format("Roster: {} from now on, instead of {}.", roster.name,
                    book.setting(kRosterNameSetting) == roster.name
                        ? "its earlier contents"
                        : book.setting(kRosterNameSetting)));
  if (before != roster.text && !book.students().empty()) copy = book.keep_copy("before-roster");
  book.put_setting(kRosterSetting, roster.text);
  book.put_setting(kRosterNameSetting, roster.name);
  return copy;
}

void say_way_back(const Merged& merged, const std::filesystem::path& copy,
                  const std::filesystem::path& gradebook) {
  if (copy.empty()) return;
  std::error_code ignored;
  if (merged.people.empty()) {
    std::filesystem::remove(copy, ignored);  // the roster changed nobody
    return;
  }
  say(fmt::format("The roster changed who is who. If it is the wrong one, this undoes it: mv {} {}",
                  shell_word(copy.string()), shell_word(gradebook.string())));
}

}  // namespace labkit::course
