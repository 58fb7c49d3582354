#include "class/intake/roster.h"

#include <fmt/format.h>

#include "base/error.h"
#include "class/intake/names.h"
#include "class/publish/csv.h"

namespace labkit::course {
std::vector<RosterEntry> parse_roster(std::string_view text, const std::string& name) {
  const Csv csv = read_csv(text, name);
  // "ID" is Canvas's own number where its other columns are there too.
  const bool canvas = csv.column({"SIS Login ID"}) && csv.column({"Student"});
  const auto full = csv.column({"Student", "Full name", "Name", "Student name"});
  const auto first = csv.column({"First name", "Given name"});
  const auto last = csv.column({"Last name", "Surname", "Family name"});
  const auto id = canvas ? csv.column({"SIS User ID"})
                         : csv.column({"SID", "Student ID", "ID number", "ID", "SIS User ID"});
  const auto login = csv.column({"SIS Login ID", "Login", "Username", "User name"});
  const auto email = csv.column({"Email", "Email address", "E-mail"});
  const auto canvas_id = canvas ? csv.column({"ID"}) : csv.column({"Canvas ID", "Canvas User ID"});
  const auto moodle_id = csv.column({"Identifier", "Participant"});
  const auto group = csv.column({"Group", "Group name", "Team"});
  if (!full && !(first && last) && !id && !login && !email)
    throw Error(fmt::format("{}: no column names the students", name),
                "Its first line must hold one of Name, Student, First name and Last name, ID, SID, "
                "Login, Email.");
  std::vector<RosterEntry> entries;
  for (std::size_t row = 1; row < csv.rows.size(); ++row) {
    RosterEntry entry;
    entry.name =
        clean_name(full ? csv.cell(row, full) : csv.cell(row, first) + " " + csv.cell(row, last));
    entry.id = csv.cell(row, id);
    entry.login = csv.cell(row, login);
    entry.email = csv.cell(row, email);
    entry.canvas_id = csv.cell(row, canvas_id);
    entry.moodle_id = last_number(csv.cell(row, moodle_id));
    entry.group = csv.cell(row, group);
    // Canvas puts "Points Possible" and the posting rule between header and students, and a made-up
    // "Student, Test" at the end; neither has an ID that counts.
    if (canvas && (entry.canvas_id.empty() || entry.name == "Points Possible" ||
                   (entry.name == "Student, Test" && entry.id.empty())))
      continue;
    if (entry.name.empty() && entry.id.empty() && entry.login.empty() && entry.email.empty())
      continue;
    if (entry.name.empty())
      entry.name = !entry.login.empty() ? entry.login : !entry.id.empty() ? entry.id : entry.email;
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace labkit::course
