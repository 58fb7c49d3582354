#include "class/commands/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>

#include "class/commands/words.h"
#include "report/style.h"

namespace labkit::course {
namespace {

void say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

std::string printable(const std::string& text) { return report::printable(text); }

constexpr std::size_t kMost = 10;  // lines of a kind

/// A kind of remark with its lines, no more than fit on a screen.
void say_remarks(const std::vector<Remark>& remarks, Remark::Kind kind, const std::string& title) {
  std::size_t count = 0;
  for (const Remark& remark : remarks) {
    if (remark.kind != kind) continue;
    if (count++ == 0) say(title);
    if (count <= kMost)
      say(printable(remark.path.empty() ? fmt::format("  {}", remark.text)
                                        : fmt::format("  {}: {}", remark.path, remark.text)));
  }
  if (count > kMost) say(fmt::format("  and {} more, all in review.txt", count - kMost));
}

void say_items(const std::vector<Merged::Item>& items, const std::string& title,
               std::size_t most = kMost) {
  if (items.empty()) return;
  say(title);
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i)
    say(printable(fmt::format("  {} {}: {}", items[i].student, items[i].lab, items[i].why)));
  if (items.size() > most) say(fmt::format("  and {} more", items.size() - most));
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
  std::string names, kinds, lab_list;
  for (const std::filesystem::path& input : inputs)
    names += (names.empty() ? "" : ", ") + input.string();
  for (const std::string& name : formats) kinds += (kinds.empty() ? "" : ", ") + name;
  for (const std::string& lab : labs) lab_list += (lab_list.empty() ? "" : ", ") + lab;
  say(printable(fmt::format("{} ({}): {}, {}{}", names, kinds,
                            counted(intake.students.size(), "student"),
                            counted(intake.submissions.size(), "submission"),
                            lab_list.empty() ? std::string() : " for " + lab_list)));
  using Kind = Remark::Kind;
  say_remarks(intake.remarks, Kind::nobody, "Matched nobody, so not graded:");
  say_remarks(intake.remarks, Kind::no_lab, "For no lab that is known, so not graded:");
  say_remarks(intake.remarks, Kind::refused, "Could not or must not be read:");
  say_remarks(intake.remarks, Kind::unread,
              "WARNING: could not be read, and anybody's work may be in it. Whoever is not found "
              "elsewhere is "
              "listed as \"missing?\", never as zero, until it is here again:");
  say_remarks(intake.remarks, Kind::roster, "About names and the roster:");
  say_remarks(intake.remarks, Kind::times, "Files with times in the future:");
  if (gradable < intake.submissions.size())
    say(fmt::format("{} cannot be graded (empty, or not readable); see review.txt",
                    counted(intake.submissions.size() - gradable, "submission")));
}

void say_merged(const Merged& merged) {
  constexpr auto kAll = std::numeric_limits<std::size_t>::max();
  if (!merged.people.empty()) say("WARNING: who is who (review.txt has what to look at):");
  for (const std::string& one : merged.people) say(printable("  " + one));
  say_items(merged.gone,
            "WARNING: not in this download any more (review.txt has them, --drop-gone takes them "
            "out of the lists, --keep-gone STUDENT/LAB says that it is right so):");
  say_items(merged.kept_gone, "Kept, as --keep-gone says:", kAll);
  say_items(merged.dropped, "Dropped, as --drop-gone says:", kAll);
  say_items(merged.taken, "Taken, as --take says:", kAll);
  if (!merged.older.empty()) {
    const Merged::Item& first = merged.older.front();
    say_items(
        merged.older,
        printable(fmt::format("Kept out (--take {}/{} takes one all the same, --take all takes "
                              "all of INPUT):",
                              first.student, first.lab)),
        kAll);
  }
  say_items(merged.rivals,
            "Several hand-ins, and only file times or the order of the inputs to tell which is the "
            "newest (also in review.txt):");
  say_items(
      merged.unread,
      "WARNING: handed in and not to be read, so that something else counts (also in review.txt):",
      kAll);
  std::size_t kept = 0;
  std::string labs;
  for (const auto& [lab, count] : merged.kept) {
    kept += count;
    labs += fmt::format("{}{} {}", labs.empty() ? "" : ", ", lab, count);
  }
  if (kept > 0)
    say(fmt::format("Of earlier downloads {} stay{} in the lists ({}).",
                    counted(kept, "submission"), kept == 1 ? "s" : "", labs));
}

}  // namespace labkit::course
