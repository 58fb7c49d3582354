#include "class/commands/roster.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "base/files.h"
#include "base/usage_error.h"
#include "class/commands/settings.h"
#include "class/commands/words.h"
#include "report/style.h"

namespace labkit::course {
namespace {

constexpr std::uint64_t kMaxBytes = 64u << 20;  // as course/roster.cpp has it

void say(const std::string& line) {
  std::fputs((report::printable(line) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

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

void require_roster_again(const Gradebook& book, const KeptRoster& roster) {
  if (!roster.text.empty()) return;
  for (const Student& student : book.students())
    if (student.on_roster)
      throw std::invalid_argument(
          "these grades were made with a roster, by which their students are known, and by a kit "
          "that did not keep it: name it once more with --roster, or another folder with --out");
}

std::filesystem::path keep_roster(Gradebook& book, const KeptRoster& roster) {
  std::filesystem::path copy;
  if (roster.text.empty()) return copy;
  if (!roster.is_new) {
    say(fmt::format("The roster is {}, as it was when it was named.", roster.name));
    return copy;
  }
  const std::string before = book.setting(kRosterSetting);
  if (!before.empty() && before != roster.text)
    say(fmt::format("The roster is {} from now on, in place of {}.", roster.name,
                    book.setting(kRosterNameSetting) == roster.name
                        ? "what it held before"
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
  say(
      fmt::format("The roster changed who is who. If it is the wrong one, this goes back to before "
                  "it: mv {} {}",
                  shell_word(copy.string()), shell_word(gradebook.string())));
}

}  // namespace labkit::course
