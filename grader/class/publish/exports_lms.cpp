// What Canvas and Moodle take back. Canvas finds a student by ID, and a column by its assignment's
// title and number; Moodle finds a student by the participant's number at the end of the identifier
// column (mod/assign/feedback/offline/importgradeslib.php).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "class/intake/lab_names.h"
#include "class/publish/exports.h"

namespace labkit::course {
namespace {

/// A positive number, with a point or a decimal comma; 0 if it is none.
double number_in(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 ? value : 0;
}

/// Points as the LMS counts them: its maximum may be another than the lab's.
class Scale {
 public:
  Scale(const Report& report, const grade::Manifest& lab, double maximum)
      : report_(report), factor_(maximum > 0 ? maximum / lab.max_points() : 1) {}
  bool is_one() const { return factor_ == 1; }
  std::string text(double points) const {
    return points_text(points * factor_, report_.policy.decimals);
  }

 private:
  const Report& report_;
  double factor_;
};

std::string scaled_note(const grade::Manifest& lab, double maximum) {
  return fmt::format("{}: {} points of the kit are {} of the LMS; scaled", lab.id,
                     points_text(lab.max_points(), 4), points_text(maximum, 4));
}

/// What goes into Canvas's cell; nullopt: leave what is there.
std::optional<std::string> canvas_cell(const Grade* grade, const Scale& scale) {
  if (!grade) return std::nullopt;
  if (grade->state == Grade::State::excused) return "EX";
  if (!grade->points) return std::nullopt;
  return scale.text(*grade->points);
}

/// Headers of Moodle's worksheet in some languages it is used in ("Grade" and "Maximum grade").
const std::vector<std::string_view> kGradeHeaders = {
    "Grade",     "Bewertung", "Note",  "Calificación", "Valutazione", "Nota",
    "Avaliação", "Cijfer",    "Betyg", "Karakter",     "Arvosana",    "Ocena",
    "Známka",    "评分",      "成绩",  "成績",         "評点",        "Оценка"};
const std::vector<std::string_view> kMaximumHeaders = {
    "Maximum grade",       "Maximum Grade",       "Bestwertung", "Note maximale",
    "Calificación máxima", "Valutazione massima", "Nota máxima", "Maximumcijfer"};
const std::vector<std::string_view> kIdentifierHeaders = {
    "Identifier", "ID", "Identificador", "Identifiant", "Identificativo", "Identificatie"};

std::string last_id(const std::string& text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  return last == std::string::npos ? text : text.substr(last + 1);
}

}  // namespace

Upload canvas_csv(const Report& report, const std::vector<grade::Manifest>& all_labs,
                  const std::optional<Csv>& exported, const std::string& exported_name) {
  Upload upload;
  const auto labs = report.labs(all_labs);
  if (!exported) {
    std::vector<CsvRow> rows = {{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"},
                                {"    Points Possible", "", "", "", ""}};
    for (const grade::Manifest* lab : labs) {
      rows[0].push_back(fmt::format("Lab {}: {}", last_id(lab->id), lab->title));
      rows[1].push_back(points_text(lab->max_points(), 4));
    }
    for (const Student& student : report.students) {
      const std::string id = student.key("canvas_id");
      if (id.empty()) {
        upload.notes.push_back(
            fmt::format("{} is not in it: the Canvas ID is not known", student.id));
        continue;
      }
      CsvRow row = {guard_formula(student.name), id, student.key("sid"), student.key("login"), ""};
      for (const grade::Manifest* lab : labs)
        row.push_back(
            canvas_cell(report.find(student.id, lab->id), Scale(report, *lab, 0)).value_or(""));
      rows.push_back(std::move(row));
    }
    upload.text = write_csv(rows);
    return upload;
  }

  const auto id = exported->column({"ID"});
  if (!id || !exported->column({"Student"}))
    throw Error(fmt::format("{} is not what Canvas exports: it has no columns Student and ID",
                            exported_name),
                "In Canvas: Grades, Export, Export Entire Gradebook.");
  const LabNames names(all_labs);
  std::map<std::size_t, const grade::Manifest*> column_of;
  std::vector<CsvRow> rows = exported->rows;
  for (const grade::Manifest* lab : labs) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
      // "Lab 3 (12345)"; Canvas's own sums are called "Labs Final Points" and the like
      const std::string& title = rows[0][i];
      if (title.ends_with(')') && names.lab_of(title.substr(0, title.find_last_of('('))) == lab->id)
        columns.push_back(i);
    }
    if (columns.size() == 1)
      column_of[columns.front()] = lab;
    else
      upload.notes.push_back(fmt::format("{} is not in it: {} has {} columns that speak of it",
                                         lab->id, exported_name, columns.size()));
  }
  if (column_of.empty())
    throw Error(fmt::format("{} has no column of a lab", exported_name),
                "An assignment's title must name its lab, as in \"Lab 3 (12345)\".");
  std::map<std::string, const Student*> by_id;
  for (const Student& student : report.students)
    if (!student.key("canvas_id").empty()) by_id[student.key("canvas_id")] = &student;
  std::map<std::size_t, double> maximum;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    CsvRow& row = rows[r];
    if (!row.empty() && trim(row[0]) == "Points Possible")
      for (const auto& [column, lab] : column_of)
        maximum[column] = number_in(exported->cell(r, column));
    const auto student = by_id.find(exported->cell(r, id));
    if (!row.empty()) row[0] = guard_formula(row[0]);
    if (student == by_id.end()) continue;
    row.resize(std::max(row.size(), rows[0].size()));
    for (const auto& [column, lab] : column_of) {
      const Scale scale(report, *lab, maximum[column]);
      const auto cell = canvas_cell(report.find(student->second->id, lab->id), scale);
      if (!cell) continue;
      if (trim(row[column]) == "EX" && *cell != "EX")
        upload.notes.push_back(
            fmt::format("{}, {}: excused in Canvas, and stays so", student->second->id, lab->id));
      else
        row[column] = *cell;
    }
    by_id.erase(student);
  }
  for (const auto& [column, lab] : column_of)
    if (!Scale(report, *lab, maximum[column]).is_one())
      upload.notes.push_back(scaled_note(*lab, maximum[column]));
  for (const auto& [key, student] : by_id)
    upload.notes.push_back(
        fmt::format("{} is not in it: no such ID in {}", student->id, exported_name));
  for (const Student& student : report.students)
    if (student.key("canvas_id").empty())
      upload.notes.push_back(
          fmt::format("{} is not in it: the Canvas ID is not known", student.id));
  upload.text = write_csv(rows, exported->delimiter);
  return upload;
}

Upload moodle_csv(const Report& report, const grade::Manifest& lab,
                  const std::optional<Csv>& worksheet, const std::string& worksheet_name,
                  std::string_view grade_column) {
  Upload upload;
  // The participant's number belongs to this assignment: what the submission came with, else what a
  // roster said, unless it is that of another assignment's download.
  std::set<std::string> of_others;
  for (const Submission& submission : report.submissions)
    if (submission.lab != lab.id) of_others.insert(submission.lms_id);
  std::map<std::string, const Student*> by_number;
  std::set<const Student*> unknown;
  for (const Student& student : report.students) {
    const Submission* submission = report.submission(student.id, lab.id);
    std::string number = submission ? submission->lms_id : "";
    if (number.empty() || number != last_id(number)) {
      number = student.key("moodle_id");
      if (of_others.contains(number)) number.clear();
    }
    if (!number.empty())
      by_number[number] = &student;
    else if (report.find(student.id, lab.id) && report.find(student.id, lab.id)->points)
      unknown.insert(&student);
  }
  const auto tell_unknown = [&] {
    for (const Student* student : unknown)
      upload.notes.push_back(fmt::format(
          "{} is not in it: Moodle's number of the participant is not known", student->id));
  };
  if (!worksheet) {
    tell_unknown();
    std::vector<CsvRow> rows = {
        {"Identifier", "Full name", "Grade", "Maximum grade", "Last modified (grade)"}};
    for (const auto& [number, student] : by_number) {
      const Grade* grade = report.find(student->id, lab.id);
      if (!grade || !grade->points) continue;
      rows.push_back({"Participant " + number, guard_formula(student->name),
                      points_text(*grade->points, report.policy.decimals),
                      points_text(lab.max_points(), 4), "-"});
    }
    upload.notes.push_back(
        "made without Moodle's worksheet: its headers are English, and Moodle must be told to "
        "allow updating records that were modified more recently");
    upload.text = write_csv(rows);
    return upload;
  }

  std::vector<CsvRow> rows = worksheet->rows;
  std::optional<std::size_t> id = worksheet->column(kIdentifierHeaders);
  if (!id && !rows.empty() && !rows[0].empty()) id = 0;  // Moodle writes it first, in any language
  const auto grade_at =
      grade_column.empty() ? worksheet->column(kGradeHeaders) : worksheet->column({grade_column});
  if (!id || !grade_at)
    throw Error(fmt::format("{} has no column {}", worksheet_name,
                            grade_column.empty() ? "\"Grade\" in a language the kit knows"
                                                 : fmt::format("\"{}\"", grade_column)),
                "Name the column that the grades belong in.");
  const auto maximum_at = worksheet->column(kMaximumHeaders);
  double maximum = 0;
  // whose number is not known, by the address
  std::map<std::string, const Student*> by_email;
  std::set<const Student*> numbered;
  for (const auto& [number, student] : by_number) numbered.insert(student);
  for (const Student& student : report.students)
    if (!numbered.contains(&student) && !student.key("email").empty())
      by_email[to_lower(std::string_view(student.key("email")))] = &student;
  for (std::size_t r = 1; r < rows.size(); ++r)
    for (const std::string& cell : rows[r])
      if (const auto found = by_email.find(to_lower(std::string_view(cell)));
          found != by_email.end()) {
        by_number.try_emplace(last_id(worksheet->cell(r, id)), found->second);
        unknown.erase(found->second);
      }
  tell_unknown();
  for (std::size_t r = 1; r < rows.size(); ++r) {
    CsvRow& row = rows[r];  // what Moodle wrote, it gets back as it is
    const auto student = by_number.find(last_id(worksheet->cell(r, id)));
    if (student == by_number.end()) continue;
    const Grade* grade = report.find(student->second->id, lab.id);
    if (maximum_at) maximum = number_in(worksheet->cell(r, maximum_at));
    if (grade && grade->points) {
      row.resize(std::max(row.size(), rows[0].size()));
      row[*grade_at] = Scale(report, lab, maximum).text(*grade->points);
    }
    by_number.erase(student);
  }
  if (!Scale(report, lab, maximum).is_one()) upload.notes.push_back(scaled_note(lab, maximum));
  for (const auto& [number, student] : by_number)
    upload.notes.push_back(fmt::format("{} is not in it: {} has no participant {}", student->id,
                                       worksheet_name, number));
  upload.text = write_csv(rows, worksheet->delimiter);
  return upload;
}

}  // namespace labkit::course
