// What Canvas and Moodle take back. Canvas finds a student by ID, and a column by its assignment's title and number; Moodle finds a
// student by the participant's number at the end of the identifier column (mod/assign/feedback/offline/importgradeslib.php).
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "base/command_text.h"
#include "base/error.h"
#include "base/text.h"
#include "base/unicode.h"
#include "base/worded_time.h"
#include "class/intake/lab_names.h"
#include "class/publish/exports.h"

namespace labkit::course {
namespace {

struct Column {
  std::vector<const grade::Manifest*> labs;  ///< of which it has the sum
  std::size_t at;
  double maximum = 0;    ///< of the LMS; 0: it says none
  bool is_bare = false;  ///< "Lab 3 (1)", which is sooner the lab's than "Lab 3 quiz (2)"
  std::string name() const {
    std::vector<std::string> ids;
    for (const grade::Manifest* lab : labs) ids.push_back(lab->id);
    return joined(ids, "+");
  }
  double points(bool with_bonus) const {
    double sum = 0;
    for (const grade::Manifest* lab : labs)
      sum += lab->max_points() + (with_bonus ? lab->bonus_points() : 0);
    return sum;
  }
  /// Points as the LMS counts them: its maximum may be another than the lab's, with room for the bonus or not.
  double scale() const {
    return maximum <= 0 || maximum == points(true) ? 1 : maximum / points(false);
  }
};

/// What a student has of the labs of a column.
struct Sum {
  std::optional<double> points;
  std::string
      blank;  ///< the first lab that has none yet, or is excused while others are not: a sum would count it as 0
  bool is_excused = true;
  std::vector<std::string> comments;
};
std::optional<Sum> sum_of(const Report& report, const Student& student, const Column& column) {
  Sum sum;
  std::vector<const Grade*> grades;
  for (const grade::Manifest* lab : column.labs)
    if (const Grade* grade = report.find(student.id, lab->id))
      grades.push_back(grade);
    else
      sum.blank = lab->id + " is not set yet";
  for (const Grade* grade : grades) {
    const bool is_excused = grade->state == Grade::State::excused;
    sum.is_excused &= is_excused;
    if (grade->points) sum.points = sum.points.value_or(0) + *grade->points;
    if (!grade->points &&
        (grade->submitted || grade->review || is_excused ||
         grade->state == Grade::State::maybe_missing) &&
        sum.blank.empty())
      sum.blank = fmt::format("{} is {}", grade->lab, grade->verdict);
    if (!grade->comment.empty()) sum.comments.push_back(grade->comment);
  }
  return grades.empty() ? std::nullopt : std::optional(sum);
}

struct Sheet {
  Csv csv;
  std::vector<Column> columns = {};
  std::optional<std::size_t> comment_at = {};
  std::map<std::size_t, const Student*> student_of = {};  ///< by row
  std::string excused = {};  ///< what its cells say of that; "": nothing
  /// It passes over a grade above the maximum, and says nothing (process_import_grades() of mod/assign/feedback/offline).
  bool is_capped = false;
  bool others_stay_out = false;  ///< rows and columns of what is not this class's
};

/// Of Canvas's sheet: who it is, up to the section, and the labs that were set. What else is in it is as old as the export, and
/// would be set back.
std::vector<std::size_t> upload_columns(const Sheet& sheet) {
  const std::size_t who = sheet.csv.column({"Section", "ID"}).value_or(0);
  std::vector<std::size_t> columns;
  for (std::size_t at = 0; at < sheet.csv.rows[0].size(); ++at)
    if (at <= who || std::ranges::count(sheet.columns, at, &Column::at)) columns.push_back(at);
  return columns;
}

/// What is blank here stays as it stands there. `missing`: why somebody who has a grade is not in it.
Upload fill(Sheet sheet, const Report& report,
            const std::function<std::string(const Student&)>& missing) {
  Upload upload;
  std::set<const Student*> is_in;
  std::map<const Column*, std::vector<std::string>> capped;
  for (const auto& [r, student] : sheet.student_of) {
    CsvRow& row = sheet.csv.rows[r];
    row.resize(std::max(row.size(), sheet.csv.rows[0].size()));
    is_in.insert(student);
    for (const Column& column : sheet.columns) {
      const std::optional<Sum> sum = sum_of(report, *student, column);
      if (!sum) continue;
      std::string& cell = row[column.at];
      const bool is_excused_there = !sheet.excused.empty() && trim(cell) == sheet.excused;
      for (const grade::Manifest* lab : column.labs)
        upload.excused[{student->id, lab->id}] = is_excused_there;
      if (sheet.comment_at && !sum->comments.empty())
        row[*sheet.comment_at] = guard_formula(joined(sum->comments, "; "));
      if (sum->is_excused) {
        if (!sheet.excused.empty()) cell = sheet.excused;
      } else if (is_excused_there) {
        if (sum->points)
          upload.notes.push_back(
              fmt::format("{}, {}: excused in Canvas, and stays so", student->id, column.name()));
      } else if (sum->points && !sum->blank.empty()) {
        upload.notes.push_back(
            fmt::format("{}, {}: no sum, because {}", student->id, column.name(), sum->blank));
      } else if (sum->points) {
        double points = *sum->points * column.scale();
        if (sheet.is_capped && column.maximum > 0 && points > column.maximum) {
          points = column.maximum;
          capped[&column].push_back(student->id);
        }
        cell = points_text(points);
      }
    }
  }
  for (const auto& [column, students] : capped)
    upload.notes.push_back(
        fmt::format("{}: what is above {} is left out for {}: Moodle takes no more than its "
                    "maximum; with a maximum of {} there is room for the bonus",
                    column->name(), points_text(column->maximum, 4), joined(students),
                    points_text(column->points(true), 4)));
  for (const Student& student : report.students)
    if (!is_in.contains(&student) && std::ranges::any_of(sheet.columns, [&](const Column& column) {
          const std::optional<Sum> sum = sum_of(report, student, column);
          return sum && sum->points;
        }))
      upload.notes.push_back(fmt::format("{} is not in it: {}", student.id, missing(student)));
  upload.columns = sheet.columns.size();
  std::vector<CsvRow> rows;
  for (std::size_t r = 0; r < sheet.csv.rows.size() && sheet.others_stay_out; ++r)
    if (CsvRow& all = sheet.csv.rows[r];
        sheet.student_of.contains(r) || r == 0 || trim(all[0]) == "Points Possible") {
      all.resize(sheet.csv.rows[0].size());
      for (CsvRow& row = rows.emplace_back(); const std::size_t at : upload_columns(sheet))
        row.push_back(all[at]);
    }
  if (sheet.others_stay_out) sheet.csv.rows = rows;
  upload.text = write_csv(sheet.csv.rows, sheet.csv.delimiter);
  return upload;
}

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

/// Moodle's own words are those of the site's language. But it writes the maximum, one number for all, behind the grade
/// (mod/assign/gradingtable.php). Nullopt too where several columns look so.
std::optional<std::size_t> maximum_in(const Csv& sheet) {
  if (const auto named = sheet.column({"Maximum grade"})) return named;
  const auto all_of = [&](std::size_t at, const auto& is) {
    for (std::size_t row = 1; row < sheet.rows.size(); ++row)
      if (!is(sheet.cell(row, at))) return false;
    return sheet.rows.size() > 1 && at > 0;
  };
  const auto is_grade = [](const std::string& cell) { return csv_number("1" + cell) > 0; };
  const auto grade = sheet.column({"Grade"});
  std::vector<std::size_t> found;
  for (std::size_t at = 2; at < (sheet.rows.empty() ? 0 : sheet.rows[0].size()); ++at)
    if ((grade ? at == *grade + 1 : all_of(at - 1, is_grade)) &&
        all_of(at, [&, most = csv_number(sheet.cell(1, at))](const std::string& cell) {
          return most > 0 && csv_number(cell) == most;
        }))
      found.push_back(at);
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

/// Whom each row is about, "Participant 4711" in the site's language; nullopt if the first column does not say it.
std::optional<std::size_t> participant_in(const Csv& sheet) {
  static const std::regex form(R"(\D+\d+)");
  if (const auto named = sheet.column({"Identifier"})) return named;
  for (std::size_t row = 1; row < sheet.rows.size(); ++row)
    if (!std::regex_match(cut_utf8(sheet.cell(row, 0), 200), form)) return std::nullopt;
  return 0;
}

/// By the number of the participant, which is of one assignment: what this one's downloads said, else what a roster did, if
/// no other assignment's have that number.
std::map<std::string, const Student*> participants(const Report& report, const std::string& lab) {
  std::set<std::string> of_downloads;
  for (const Student& student : report.students)
    for (const auto& [key, number] : student.keys)
      if (key.starts_with(moodle_key(""))) of_downloads.insert(number);
  std::map<std::string, const Student*> all;
  for (const Student& student : report.students) {
    std::string number = student.key(moodle_key(lab));
    if (const std::string other = student.key("moodle_id");
        number.empty() && !of_downloads.contains(other))
      number = other;
    if (!number.empty()) all[number] = &student;
  }
  return all;
}

}  // namespace

std::vector<const grade::Manifest*> labs_named(const std::vector<grade::Manifest>& labs,
                                               const std::string& name) {
  std::vector<const grade::Manifest*> named;
  for (const std::string& id : LabNames(labs).labs_of(name))
    named.push_back(&*std::ranges::find(labs, id, &grade::Manifest::id));
  return named;
}

Upload canvas_csv(const Report& report, const std::vector<grade::Manifest>& all_labs,
                  const std::optional<Csv>& exported, const std::string& exported_name) {
  const auto labs = report.labs(all_labs);
  Sheet sheet{.csv = exported ? *exported : canvas_sheet(report, labs),
              .excused = "EX",
              .others_stay_out = true};
  std::vector<CsvRow>& rows = sheet.csv.rows;
  const auto id = sheet.csv.column({"ID"});
  if (!id || !sheet.csv.column({"Student", "LastName"}))
    throw Error(fmt::format("{} is not what Canvas exports: it has no columns Student and ID",
                            exported_name),
                "In Canvas: Grades, Export, Export Entire Gradebook.");
  std::vector<std::string> notes;
  for (std::size_t i = 0; !exported && i < labs.size(); ++i)
    sheet.columns.push_back({{labs[i]}, rows[0].size() - labs.size() + i});
  for (std::size_t at = 0; exported && at < rows[0].size(); ++at) {
    // "Lab 3 (12345)"; Canvas's own sums are called "Labs Final Points" and the like
    const std::string& title = rows[0][at];
    const std::string name = title.substr(0, title.find_last_of('('));
    if (title.ends_with(')'))
      if (const auto named = labs_named(all_labs, name); !named.empty())
        sheet.columns.push_back({named, at, 0, LabNames(all_labs).without_lab(name).empty()});
  }
  std::erase_if(sheet.columns, [&](const Column& column) {
    return !column.is_bare && std::ranges::any_of(sheet.columns, [&](const Column& other) {
      return other.is_bare && other.labs == column.labs;
    });
  });
  std::map<const grade::Manifest*, std::size_t> columns;
  for (const Column& column : sheet.columns)
    for (const grade::Manifest* lab : column.labs) ++columns[lab];
  for (const grade::Manifest* lab : labs)
    if (columns[lab] != 1)
      notes.push_back(fmt::format("{} is not in it: {} has {} for it", lab->id, exported_name,
                                  columns[lab] == 0 ? "no column" : "several columns"));
  std::erase_if(sheet.columns, [&](const Column& column) {
    return std::ranges::any_of(column.labs, [&](const auto* lab) { return columns[lab] > 1; }) ||
           std::ranges::find_first_of(column.labs, labs) == column.labs.end();
  });
  std::map<std::string, const Student*> by_id;
  for (const Student& student : report.students) by_id[student.key("canvas_id")] = &student;
  by_id.erase("");
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (rows[r].empty()) continue;
    if (trim(rows[r][0]) == "Points Possible")
      for (Column& column : sheet.columns)
        column.maximum = csv_number(sheet.csv.cell(r, column.at));
    rows[r][0] = guard_formula(rows[r][0]);
    if (const auto student = by_id.find(sheet.csv.cell(r, id)); student != by_id.end())
      sheet.student_of[r] = student->second;
  }
  Upload upload = fill(std::move(sheet), report, [&](const Student& student) {
    return student.key("canvas_id").empty() ? "the Canvas ID is not known"
                                            : "no such ID in " + exported_name;
  });
  upload.notes.insert(upload.notes.begin(), notes.begin(), notes.end());
  return upload;
}

MoodleTimes moodle_times(const Csv& worksheet) {
  static const std::regex looks(R"([^]*\d{4}\D[^]*\d[:.]\d\d[^]*)");
  const auto id = participant_in(worksheet);
  auto column = worksheet.column({"Last modified (submission)"});
  const auto graded = worksheet.column({"Last modified (grade)"});
  // in another language: the first column of times behind the maximum, which is left of that of the grade
  std::size_t first = ~std::size_t{0};
  const std::size_t behind = maximum_in(worksheet).value_or(0) + 1;
  for (std::size_t row = 1; row < worksheet.rows.size() && !column; ++row)
    for (std::size_t at = behind; at < std::min(first, worksheet.rows[row].size()); ++at)
      if (at != graded && std::regex_match(cut_utf8(worksheet.cell(row, at), 100), looks))
        first = at;
  if (first != ~std::size_t{0}) column = first;
  MoodleTimes times;
  for (std::size_t row = 1; row < worksheet.rows.size(); ++row) {
    const std::string cell = worksheet.cell(row, column),
                      participant = last_number(worksheet.cell(row, id));
    if (const auto time = parse_worded_time(cell))
      times.submitted_at[participant] = *time;
    else if (cell.size() > 1)
      times.unread = cell;
    // "Submitted for grading - Extension granted until: ...": the only time between the name and the maximum
    for (std::size_t at = 1; at < std::min(behind, worksheet.rows[row].size()); ++at)
      if (const std::string status = worksheet.cell(row, at); status.rfind(": ") != status.npos)
        if (const auto time = parse_worded_time(status.substr(status.rfind(": ") + 2)))
          times.extended_to[participant] = *time;
  }
  return times;
}

Upload moodle_csv(const Report& report, const std::vector<const grade::Manifest*>& labs,
                  const std::optional<Csv>& worksheet, const std::string& worksheet_name) {
  const std::map<std::string, const Student*> by_number = participants(report, labs.at(0)->id);
  Sheet sheet{.csv = worksheet.value_or(Csv{}), .is_capped = true};
  std::vector<CsvRow>& rows = sheet.csv.rows;
  if (!worksheet) {
    rows = {{"Identifier", "Full name", "Grade", "Maximum grade", "Last modified (grade)"}};
    for (const auto& [number, student] : by_number)
      if (const auto sum = sum_of(report, *student, {labs, 0}); sum && sum->points)
        rows.push_back({"Participant " + number, guard_formula(student->name), "",
                        points_text(Column{labs, 0}.points(false), 4), "-"});
  }
  const auto maximum_at = maximum_in(sheet.csv), id = participant_in(sheet.csv);
  auto grade_at = sheet.csv.column({"Grade"});
  if (!grade_at && maximum_at) grade_at = *maximum_at - 1;
  if (!grade_at || !id)
    throw Error(fmt::format("{}: which column has {} cannot be told", worksheet_name,
                            id ? "the grades" : "the participants"),
                "Give it as Moodle wrote it, with no columns moved or added.");
  const double maximum = rows.size() > 1 ? csv_number(sheet.csv.cell(1, maximum_at)) : 0;
  sheet.columns = {{labs, *grade_at, maximum}};
  // Its plugin for comments; Moodle takes such a column where the assignment has it (importgradeslib.php).
  sheet.comment_at =
      sheet.csv.column({"Feedback comments", "Feedback als Kommentar",
                        "Comentarios de retroalimentación", "Commentaires de feedback"});
  std::map<std::string, const Student*> by_email;  // of those whose number is not known
  for (const Student& student : report.students)
    if (std::ranges::none_of(by_number, [&](const auto& one) { return one.second == &student; }))
      by_email[to_lower(student.key("email"))] = &student;
  by_email.erase("");
  for (std::size_t r = 1; r < rows.size(); ++r) {
    if (const auto found = by_number.find(last_number(sheet.csv.cell(r, id)));
        found != by_number.end()) {
      sheet.student_of[r] = found->second;
      continue;
    }
    for (const std::string& cell : rows[r])
      if (const auto found = by_email.find(to_lower(cell)); found != by_email.end())
        sheet.student_of[r] = found->second;
  }
  Upload upload = fill(std::move(sheet), report, [&](const Student& student) {
    for (const auto& [number, one] : by_number)
      if (one == &student) return fmt::format("{} has no participant {}", worksheet_name, number);
    return std::string("Moodle's number of the participant is not known");
  });
  if (const std::string unread = worksheet ? moodle_times(*worksheet).unread : ""; !unread.empty())
    upload.notes.push_back(fmt::format(
        "{}: \"{}\" is no time that the kit can read: a submission of such a time is not late",
        worksheet_name, cut_utf8(unread, 60)));
  if (!worksheet)
    upload.notes.push_back(
        "made without Moodle's worksheet: it takes Moodle in English and \"Allow updating "
        "records\"");
  return upload;
}

}  // namespace labkit::course
