#include "class/intake/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <set>
#include <stdexcept>

#include "base/csv.h"
#include "base/error.h"
#include "base/text.h"
#include "base/unicode.h"
#include "report/style.h"

namespace labkit::course {

std::string local_part(const std::string& email) { return email.substr(0, email.find('@')); }

std::vector<std::string> name_keys(const std::string& name) {
  std::vector<std::string> keys = {"words:" + fold_words(name), "run:" + fold_name(name)};
  const std::size_t space = name.find_last_of(' ');
  if (space != std::string::npos)
    keys.push_back("run:" + fold_name(name.substr(space + 1)) + fold_name(name.substr(0, space)));
  std::erase_if(keys, [](const std::string& key) { return key.ends_with(':'); });
  return keys;
}

std::vector<std::string> ids_of(const Student& student) {
  const std::string login = student.key("login"), email = student.key("email");
  return {student.key("sid"), login, local_part(login), email, local_part(email)};
}

std::string first_of(const std::vector<std::string>& texts) {
  const auto found = std::ranges::find_if_not(texts, &std::string::empty);
  return found == texts.end() ? std::string() : *found;
}

Csv read_sheet(std::string_view bytes, const std::string& name) {
  return read_csv(decode_text(bytes), name);
}

namespace {

/// Every cell of the column that is not empty is of that form, and no two are alike.
bool holds(const Csv& csv, std::size_t column, const std::regex& form) {
  std::set<std::string> cells;
  for (std::size_t row = 1; row < csv.rows.size(); ++row)
    if (const std::string cell = cut_utf8(csv.cell(row, column), 200);
        !cell.empty() && !(std::regex_match(cell, form) && cells.insert(cell).second))
      return false;
  return !cells.empty();
}

}  // namespace

std::vector<Student> parse_roster(std::string_view text, const std::string& name) {
  using Names = std::vector<std::string_view>;
  const Csv csv = read_sheet(text, name);
  auto full = csv.column({"Student", "Full name", "Name", "Student name"});
  const auto first = csv.column({"First name", "Given name"});
  const auto last = csv.column({"Last name", "Surname", "Family name"});
  // "ID" is Canvas's own number where its other columns or its row of points are there too.
  bool canvas = csv.column({"SIS Login ID"}).has_value();
  for (std::size_t row = 1; row < csv.rows.size(); ++row)
    canvas |= csv.cell(row, csv.column({"Student"})) == "Points Possible";
  canvas &= csv.column({"Student"}) && csv.column({"ID"});
  std::map<std::string, std::optional<std::size_t>> columns = {
      {"sid", csv.column(canvas ? Names{"SIS User ID"}
                                : Names{"SID", "Student ID", "ID number", "ID", "SIS User ID"})},
      {"login", csv.column({"SIS Login ID", "Login", "Username", "User name"})},
      {"email", csv.column({"Email", "Email address", "E-mail"})},
      {"canvas_id", csv.column(canvas ? Names{"ID"} : Names{"Canvas ID", "Canvas User ID"})},
      {"moodle_id", csv.column({"Identifier", "Participant"})},
      {kNickname, csv.column({"Nickname"})},
      {"group", csv.column({"Group", "Group name", "Team"})}};
  const std::size_t width = csv.rows.empty() ? 0 : csv.rows[0].size();
  // Moodle's headers, and its word before the participant's number, are of the site's language; the name comes next.
  static const std::regex address(R"([^\s@]+@[^\s@]+)"), participant(R"(\D*[^\w.-]\D*\d+)");
  for (std::size_t at = 0; !columns["email"] && at < width; ++at)
    if (holds(csv, at, address)) columns["email"] = at;
  const bool is_known = std::ranges::any_of(
      columns, [](const auto& one) { return one.first != "sid" && one.second == 0u; });
  if (!is_known && full != 0u && first != 0u && last != 0u && holds(csv, 0, participant)) {
    columns["moodle_id"] = 0;
    if (columns["sid"] == 0u) columns["sid"].reset();
    if (!full && !(first && last) && columns["email"] != 1u) full = 1;
  }
  if (!full && !(first && last) && !columns.at("sid") && !columns.at("login") &&
      !columns.at("email"))
    throw Error(fmt::format("{}: no column names the students", name),
                "Its first line must hold one of Name, Student, First name and Last name, ID, SID, "
                "Login, Email.");
  std::vector<Student> students;
  std::map<std::string, std::string> names;  // by key and id
  std::set<Student> listed;
  for (std::size_t row = 1; row < csv.rows.size(); ++row) {
    Student one{.on_roster = true};
    for (const auto& [key, column] : columns) {
      const std::string cell = csv.cell(row, column);
      one.set(key, key == "moodle_id" ? last_number(cell) : cell);
    }
    one.name =
        clean_name(full ? csv.cell(row, full) : csv.cell(row, first) + " " + csv.cell(row, last));
    // Canvas puts "Points Possible" and the posting rule between header and students, and a made-up
    // "Student, Test" at the end; neither has an ID that counts.
    if (canvas && (one.key("canvas_id").empty() || one.name == "Points Possible" ||
                   (one.name == "Student, Test" && one.key("sid").empty())))
      continue;
    one.name = first_of({one.name, one.key("login"), one.key("sid"), one.key("email")});
    if (one.name.empty() || !listed.insert(one).second) continue;
    for (const char* key : {"sid", "login", "email", "canvas_id", "moodle_id"})
      if (const auto [at, is_first] = names.try_emplace(key + (" " + one.key(key)), one.name);
          !is_first && !one.key(key).empty())
        throw Error(fmt::format("{}: the lines of \"{}\" and \"{}\" have one {}", name, at->second,
                                one.name, at->first),
                    "Correct the one that is wrong, or leave one of the lines.");
    students.push_back(std::move(one));
  }
  if (students.empty())
    throw Error(fmt::format("{} lists no students", name), "Name the CSV file that does.");
  return students;
}

namespace {

bool has_key(const Student& student, const std::string& named) {
  return std::ranges::any_of(student.keys, [&](const auto& key) {
    return key.first != "folder" && key.first != "group" && key.first != kNickname &&
           fold_case(key.second) == fold_case(named);
  });
}

}  // namespace

const Student& find_student(const std::vector<Student>& students, std::string_view named_raw) {
  const std::string named = clean_name(to_valid_utf8(named_raw)).substr(0, 200);
  const std::vector<std::string> words = folded_words(named);
  const std::function<bool(const Student&)> ways[] = {
      [&](const Student& one) { return one.id == named; },
      [&](const Student& one) { return has_key(one, named); },
      [&](const Student& one) {
        return !words.empty() &&
               (fold_name(one.name) == fold_name(named) ||
                std::ranges::includes(folded_words(one.name + " " + one.id), words));
      }};
  for (const auto& fits : ways) {
    std::vector<std::string> found;
    const Student* last = nullptr;
    for (const Student& one : students)
      if (fits(one)) found.push_back((last = &one)->shown());
    if (found.size() == 1) return *last;
    if (found.size() > 1)
      throw std::invalid_argument(report::printable(fmt::format(
          "\"{}\" may be any of these; name one by its id: {}", named, first_few(found, 8, "; "))));
  }
  std::string nearest;
  std::size_t distance = 3;  // more is another word
  for (const Student& one : students)
    if (const std::size_t to = edit_distance(named, one.id); to < distance) {
      distance = to;
      nearest = fmt::format("did you mean {}? ", one.id);
    }
  throw std::invalid_argument(fmt::format("there is no student \"{}\"; {}grades.csv lists all",
                                          report::printable(named), nearest));
}

}  // namespace labkit::course
