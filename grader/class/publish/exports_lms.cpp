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
#include "class/intake/names.h"
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

/// Points as the LMS counts them: its maximum may be another than the lab's, with room for the bonus or not; 0: it says none.
double scale_to(double maximum, const grade::Manifest& lab) {
  const bool is_as_here = maximum <= 0 || maximum == lab.max_points() + lab.bonus_points();
  return is_as_here ? 1 : maximum / lab.max_points();
}

void tell_scaled(Upload& upload, const grade::Manifest& lab, double maximum) {
  if (scale_to(maximum, lab) != 1)
    upload.notes.push_back(fmt::format("{}: {} points of the kit are {} of the LMS; scaled", lab.id,
                                       points_text(lab.max_points(), 4), points_text(maximum, 4)));
}

/// Headers of Moodle's worksheet in some languages it is used in ("Grade" and "Maximum grade").
const std::vector<std::string_view> kGradeHeaders = {
    "Grade",     "Bewertung", "Note",  "Calificación", "Valutazione", "Nota",
    "Avaliação", "Cijfer",    "Betyg", "Karakter",     "Arvosana",    "Ocena",
    "Známka",    "评分",      "成绩",  "成績",         "評点",        "Оценка"};
const std::vector<std::string_view> kMaximumHeaders = {
    "Maximum grade",       "Maximum Grade",       "Bestwertung", "Note maximale",
    "Calificación máxima", "Valutazione massima", "Nota máxima", "Maximumcijfer"};
/// Its plugin for comments; Moodle takes such a column where the assignment has it (importgradeslib.php).
const std::vector<std::string_view> kCommentHeaders = {
    "Feedback comments", "Feedback als Kommentar", "Comentarios de retroalimentación",
    "Commentaires de feedback"};
const std::vector<std::string_view> kIdentifierHeaders = {
    "Identifier", "ID", "Identificador", "Identifiant", "Identificativo", "Identificatie"};

/// The least that Canvas takes: those whose Canvas ID is known, without grades.
Csv canvas_sheet(const Report& report, const std::vector<const grade::Manifest*>& labs) {
  Csv sheet;
  sheet.rows = {{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"},
                {"    Points Possible", "", "", "", ""}};
  for (const Student& student : report.students)
    if (const std::string id = student.key("canvas_id"); !id.empty())
      sheet.rows.push_back({student.name, id, student.key("sid"), student.key("login"), ""});
  for (CsvRow& row : sheet.rows) row.resize(row.size() + labs.size());
  const std::size_t first = sheet.rows[0].size() - labs.size();
  for (std::size_t i = 0; i < labs.size(); ++i) {
    sheet.rows[0][first + i] = fmt::format("Lab {}: {}", last_number(labs[i]->id), labs[i]->title);
    sheet.rows[1][first + i] = points_text(labs[i]->max_points(), 4);
  }
  return sheet;
}

}  // namespace

Upload canvas_csv(const Report& report, const std::vector<grade::Manifest>& all_labs,
                  const std::optional<Csv>& exported, const std::string& exported_name) {
  Upload upload;
  const auto labs = report.labs(all_labs);
  Csv sheet = exported ? *exported : canvas_sheet(report, labs);
  const auto id = sheet.column({"ID"});
  if (!id || !sheet.column({"Student"}))
    throw Error(fmt::format("{} is not what Canvas exports: it has no columns Student and ID",
                            exported_name),
                "In Canvas: Grades, Export, Export Entire Gradebook.");
  const LabNames names(all_labs);
  std::map<std::size_t, const grade::Manifest*> column_of;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    const grade::Manifest* lab = labs[i];
    std::vector<std::size_t> columns;
    if (!exported) columns = {sheet.rows[0].size() - labs.size() + i};
    for (std::size_t at = 0; exported && at < sheet.rows[0].size(); ++at) {
      // "Lab 3 (12345)"; Canvas's own sums are called "Labs Final Points" and the like
      const std::string& title = sheet.rows[0][at];
      if (title.ends_with(')') && names.lab_of(title.substr(0, title.find_last_of('('))) == lab->id)
        columns.push_back(at);
    }
    if (columns.size() == 1)
      column_of[columns.front()] = lab;
    else
      upload.notes.push_back(fmt::format("{} is not in it: {} has {} columns that speak of it",
                                         lab->id, exported_name, columns.size()));
  }
  if (exported && column_of.empty())
    throw Error(fmt::format("{} has no column of a lab", exported_name),
                "An assignment's title must name its lab, as in \"Lab 3 (12345)\".");
  std::map<std::string, const Student*> by_id;
  for (const Student& student : report.students)
    if (const std::string known = student.key("canvas_id"); !known.empty()) by_id[known] = &student;
  std::map<std::size_t, double> maximum;
  for (std::size_t r = 1; r < sheet.rows.size(); ++r) {
    CsvRow& row = sheet.rows[r];
    if (!row.empty() && trim(row[0]) == "Points Possible")
      for (const auto& [column, lab] : column_of)
        maximum[column] = number_in(sheet.cell(r, column));
    const auto student = by_id.find(sheet.cell(r, id));
    if (!row.empty()) row[0] = guard_formula(row[0]);
    if (student == by_id.end()) continue;
    row.resize(std::max(row.size(), sheet.rows[0].size()));
    for (const auto& [column, lab] : column_of) {
      const Grade* grade = report.find(student->second->id, lab->id);
      const bool is_excused = grade && grade->state == Grade::State::excused;
      if (!is_excused && grade && trim(row[column]) == "EX")
        upload.excused.emplace_back(grade->student, grade->lab);
      if (!is_excused && (!grade || !grade->points)) continue;  // what is there stays
      if (is_excused)
        row[column] = "EX";
      else if (trim(row[column]) == "EX")
        upload.notes.push_back(
            fmt::format("{}, {}: excused in Canvas, and stays so", student->second->id, lab->id));
      else
        row[column] =
            points_text(*grade->points * scale_to(maximum[column], *lab), report.policy.decimals);
    }
    by_id.erase(student);
  }
  for (const auto& [column, lab] : column_of) tell_scaled(upload, *lab, maximum[column]);
  for (const auto& [key, student] : by_id)
    upload.notes.push_back(
        fmt::format("{} is not in it: no such ID in {}", student->id, exported_name));
  for (const Student& student : report.students)
    if (student.key("canvas_id").empty())
      upload.notes.push_back(
          fmt::format("{} is not in it: the Canvas ID is not known", student.id));
  upload.text = write_csv(sheet.rows, sheet.delimiter);
  return upload;
}

Upload moodle_csv(const Report& report, const grade::Manifest& lab,
                  const std::optional<Csv>& worksheet, const std::string& worksheet_name,
                  std::string_view grade_column) {
  Upload upload;
  const auto points_of = [&](const Student& student) -> std::optional<double> {
    const Grade* grade = report.find(student.id, lab.id);
    return grade ? grade->points : std::nullopt;
  };
  // The participant's number belongs to this assignment: what the submission came with, else what a
  // roster said, unless it is that of another assignment's download.
  std::set<std::string> of_others;
  for (const Submission& submission : report.submissions)
    if (submission.lab != lab.id) of_others.insert(submission.lms_id);
  std::map<std::string, const Student*> by_number, by_email;
  std::set<const Student*> unknown;
  for (const Student& student : report.students) {
    const Submission* submission = report.submission(student.id, lab.id);
    std::string number = submission ? submission->lms_id : "";
    const bool is_groups = submission && submission->group.size() > 1;
    if (number.empty() || number != last_number(number) || is_groups) {
      number = student.key("moodle_id");
      if (of_others.contains(number)) number.clear();
    }
    if (!number.empty()) {
      by_number[number] = &student;
      continue;
    }
    if (points_of(student)) unknown.insert(&student);
    if (const std::string email = student.key("email"); !email.empty())
      by_email[to_lower(std::string_view(email))] = &student;
  }
  Csv sheet = worksheet.value_or(Csv{});
  if (!worksheet) {
    sheet.rows = {{"Identifier", "Full name", "Grade", "Maximum grade", "Last modified (grade)"}};
    for (const auto& [number, student] : by_number)
      if (points_of(*student))
        sheet.rows.push_back({"Participant " + number, guard_formula(student->name), "",
                              points_text(lab.max_points(), 4), "-"});
  }
  std::optional<std::size_t> id = sheet.column(kIdentifierHeaders);
  if (!id && !sheet.rows.empty() && !sheet.rows[0].empty())
    id = 0;  // Moodle writes it first, in any language
  const auto grade_at =
      grade_column.empty() ? sheet.column(kGradeHeaders) : sheet.column({grade_column});
  if (!id || !grade_at)
    throw Error(fmt::format("{} has no column {}", worksheet_name,
                            grade_column.empty() ? "\"Grade\" in a language the kit knows"
                                                 : fmt::format("\"{}\"", grade_column)),
                "Name the column that the grades belong in.");
  // whose number is not known, by the address
  for (std::size_t r = 1; r < sheet.rows.size(); ++r)
    for (const std::string& cell : sheet.rows[r])
      if (const auto found = by_email.find(to_lower(std::string_view(cell)));
          found != by_email.end()) {
        by_number.try_emplace(last_number(sheet.cell(r, id)), found->second);
        unknown.erase(found->second);
      }
  for (const Student* student : unknown)
    upload.notes.push_back(fmt::format(
        "{} is not in it: Moodle's number of the participant is not known", student->id));
  const auto maximum_at = sheet.column(kMaximumHeaders);
  const auto comment_at = sheet.column(kCommentHeaders);
  double maximum = 0;
  std::vector<std::string> capped;
  for (std::size_t r = 1; r < sheet.rows.size(); ++r) {
    CsvRow& row = sheet.rows[r];  // what Moodle wrote, it gets back as it is
    const auto student = by_number.find(last_number(sheet.cell(r, id)));
    if (student == by_number.end()) continue;
    if (maximum_at) maximum = number_in(sheet.cell(r, maximum_at));
    row.resize(std::max(row.size(), sheet.rows[0].size()));
    if (const auto points = points_of(*student->second)) {
      double written = *points * scale_to(maximum, lab);
      if (maximum > 0 && written > maximum) {
        written = maximum;
        capped.push_back(student->second->id);
      }
      row[*grade_at] = points_text(written, report.policy.decimals);
    }
    const Grade* grade = report.find(student->second->id, lab.id);
    if (comment_at && grade && !grade->comment.empty())
      row[*comment_at] = guard_formula(grade->comment);
    by_number.erase(student);
  }
  tell_scaled(upload, lab, maximum);
  // Moodle passes over a grade above the maximum, and says nothing (process_import_grades() of mod/assign/feedback/offline).
  if (!capped.empty())
    upload.notes.push_back(fmt::format(
        "{}: what exceeds Moodle's maximum of {} is left out for {}, because Moodle takes no more. "
        "To "
        "give the bonus, make the assignment's maximum {} and download the worksheet again",
        lab.id, points_text(maximum, 4), joined(capped),
        points_text(lab.max_points() + lab.bonus_points(), 4)));
  if (!worksheet)
    upload.notes.push_back(
        "made without Moodle's worksheet: its headers are English, and Moodle must be told to "
        "allow updating records that were modified more recently");
  else
    for (const auto& [number, student] : by_number)
      upload.notes.push_back(fmt::format("{} is not in it: {} has no participant {}", student->id,
                                         worksheet_name, number));
  upload.text = write_csv(sheet.rows, sheet.delimiter);
  return upload;
}

}  // namespace labkit::course
