#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/command_text.h"
#include "class/commands/class.h"
#include "class/publish/exports.h"
#include "report/style.h"

namespace labkit::course {

void say(const std::string& line) {
  const std::string text = report::printable(line);
  const std::size_t columns = report::style_for(stdout).columns;
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  report::print(columns == 0 || indent == text.size()
                    ? (text + "\n").c_str()
                    : report::wrapped(text.substr(indent), columns, std::string(indent, ' ')));
  std::fflush(stdout);
}

void say_list(const std::string& title, const std::vector<std::string>& lines, std::size_t most) {
  if (lines.empty()) return;
  say(title);
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) say("  " + lines[i]);
  if (lines.size() > most) say(fmt::format("  and {} more", lines.size() - most));
}

std::string device_words(const std::string& device) {
  return device == "sim" ? "the simulator" : device;
}

std::string class_table(const std::vector<Grade>& grades) {
  std::map<std::string, std::map<Grade::State, std::size_t>> labs;
  std::map<std::string, std::size_t> submitted;
  std::set<Grade::State> places = {Grade::State::pass, Grade::State::not_pass};
  for (const Grade& grade : grades) {
    places.insert(grade.place());
    labs[grade.lab][grade.place()] += 1;
    submitted[grade.lab] += grade.submitted;
  }
  std::vector<std::vector<std::string>> rows(1, {"lab", "submitted"});
  for (const Grade::State place : places) rows[0].emplace_back(grade_state_name(place));
  for (auto& [lab, counts] : labs) {
    std::vector<std::string>& row = rows.emplace_back();
    row = {lab, std::to_string(submitted[lab])};
    for (const Grade::State place : places) row.push_back(std::to_string(counts[place]));
  }
  std::vector<bool> right(rows[0].size(), true);
  right[0] = false;
  return report::table(rows, right);
}

std::string missing_text(const std::vector<Student>& students, const std::vector<Entry>& entries,
                         std::size_t most) {
  std::set<std::string> submitted;
  for (const Entry& entry : entries)
    if (entry.submitted || !entry.perhaps.empty()) submitted.insert(entry.student);
  std::vector<std::string> names;
  for (const Student& student : students)
    if (!submitted.contains(student.id)) names.push_back(student.shown());
  return first_few(names, most, "; ") +
         (names.size() > most ? " (all: verdict \"missing\" in grades.csv)" : "");
}

std::vector<std::string> trouble_lines(
    const std::map<std::string, std::vector<std::string>>& by_reason) {
  std::vector<std::pair<std::string, std::vector<std::string>>> sorted(by_reason.begin(),
                                                                       by_reason.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const auto& one) { return one.second.size(); });
  std::vector<std::string> lines;
  for (const auto& [reason, jobs] : sorted)
    lines.push_back(fmt::format("{}: {}", first_few(jobs, 4), reason));
  return lines;
}

std::vector<std::string> trouble_lines(const std::vector<Entry>& entries) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const Entry& entry : entries)
    if (is_in_trouble(entry))
      by_reason[entry.wanted()->message].push_back(fmt::format("{} {}", entry.student, entry.lab));
  return trouble_lines(by_reason);
}

std::string outputs_text(const Published& published, const std::filesystem::path& folder) {
  const auto file = [&](const std::string& name) { return (folder / name).string(); };
  std::vector<std::vector<std::string>> rows;
  if (published.to_review > 0)
    rows.push_back({"To review:", fmt::format("{}#review ({})", file("index.html"),
                                              counted(published.to_review, "case"))});
  if (published.alike > 0)
    rows.push_back({"Similar:", fmt::format("{}#similar ({})", file("index.html"),
                                            counted(published.alike, "line"))});
  rows.push_back({"Grades:", file("grades.csv")});
  for (const auto& [lms, name] : published.uploads)
    rows.push_back({fmt::format("For {}:", lms),
                    lms == "Gradescope" ? file(name) + "/*/results.json" : file(name)});
  if (const auto& lines = published.left_out; !lines.empty())
    rows.push_back(
        {"Not in them:", fmt::format("{}#uploads ({}, the first: {})", file("index.html"),
                                     counted(lines.size(), "line"), lines.front())});
  rows.push_back({"Pages:", file("index.html")});
  for (std::vector<std::string>& row : rows)
    for (std::string& cell : row) cell = report::printable(cell);
  return report::table(rows, {false, false});
}

std::string progress_text(std::size_t done, std::size_t total, double seconds) {
  std::string text = fmt::format("{} of {} ({}%)", done, total, total ? 100 * done / total : 100);
  if (done >= total || done < 4 || seconds <= 0)
    return text;  // before, nobody can say how fast it goes
  const double left = seconds * static_cast<double>(total - done) / static_cast<double>(done);
  return text + fmt::format(", about {} left", duration_text(left));
}

}  // namespace labkit::course
