// The gradebook's side of what came in, and of what a teacher decides.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "base/text.h"
#include "course/gradebook_state.h"

namespace labkit::course {
namespace {

using nlohmann::json;

std::string list_text(const std::vector<std::string>& list) { return json_text(json(list)); }
std::vector<std::string> read_list(const std::string& text) {
  return json::parse(text).get<std::vector<std::string>>();
}

/// "present" is of the last intake alone.
void put_students(SQLite::Database& db, const std::vector<Student>& students) {
  db.exec("UPDATE student SET present = 0");
  SQLite::Statement put(
      db,
      "INSERT INTO student(id, name, keys, on_roster, present) VALUES(?, ?, ?, ?, 1) "
      "ON CONFLICT(id) DO UPDATE SET name = excluded.name, keys = excluded.keys, "
      "on_roster = excluded.on_roster, present = 1");
  for (const Student& student : students) {
    put.bind(1, student.id);
    put.bind(2, student.name);
    put.bind(3, json_text(json(student.keys)));
    put.bind(4, student.on_roster ? 1 : 0);
    put.exec();
    put.reset();
  }
}

void put_submissions(SQLite::Database& db, const std::vector<Submission>& submissions) {
  db.exec("UPDATE submission SET present = 0");
  SQLite::Statement put(
      db,
      "INSERT INTO submission(student, lab, path, source, source_sha256, late, submitted_at, "
      "lms_id, "
      "download, members, problem, notes, present) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1) "
      "ON CONFLICT(student, lab) DO UPDATE SET path = excluded.path, source = excluded.source, "
      // another source has no result yet
      "job = CASE WHEN source_sha256 = excluded.source_sha256 THEN job END, "
      "source_sha256 = excluded.source_sha256, late = excluded.late, submitted_at = "
      "excluded.submitted_at, "
      "lms_id = excluded.lms_id, download = excluded.download, members = excluded.members, "
      "problem = excluded.problem, notes = excluded.notes, present = 1");
  for (const Submission& one : submissions) {
    put.bind(1, one.student);
    put.bind(2, one.lab);
    put.bind(3, one.path);
    put.bind(4, static_cast<const void*>(one.source.data()), static_cast<int>(one.source.size()));
    put.bind(5, one.source_sha256);
    put.bind(6, one.late ? 1 : 0);
    if (one.submitted_at)
      put.bind(7, *one.submitted_at);
    else
      put.bind(7);
    put.bind(8, one.lms_id);
    put.bind(9, one.download);
    put.bind(10, list_text(one.group));
    put.bind(11, one.problem);
    put.bind(12, list_text(one.notes));
    put.exec();
    put.reset();
  }
}

const char* kind_name(Decision::Kind kind) {
  switch (kind) {
    case Decision::Kind::points:
      return "points";
    case Decision::Kind::late_days:
      return "late_days";
    case Decision::Kind::excused:
      return "excused";
    case Decision::Kind::withdrawn:
      return "withdrawn";
  }
  return "";
}

Decision::Kind kind_of(const std::string& name) {
  for (const auto kind :
       {Decision::Kind::points, Decision::Kind::late_days, Decision::Kind::excused})
    if (name == kind_name(kind)) return kind;
  return Decision::Kind::withdrawn;
}

}  // namespace

void Gradebook::put_class(const Intake& intake) {
  SQLite::Database& db = state_->db;
  state_->write("write", [&] {
    put_students(db, intake.students);
    put_submissions(db, intake.submissions);
    db.exec("DELETE FROM remark");
    SQLite::Statement remark(db,
                             "INSERT INTO remark(kind, path, student, text) VALUES(?, ?, ?, ?)");
    for (const Remark& one : intake.remarks) {
      remark.bind(1, static_cast<int>(one.kind));
      remark.bind(2, one.path);
      remark.bind(3, one.student);
      remark.bind(4, one.text);
      remark.exec();
      remark.reset();
    }
    db.exec("DELETE FROM download");
    SQLite::Statement download(db, "INSERT INTO download(format, label, lab) VALUES(?, ?, ?)");
    for (const Root& root : intake.roots) {
      download.bind(1, std::string(format_name(root.format)));
      download.bind(2, root.label);
      download.bind(3, root.lab);
      download.exec();
      download.reset();
    }
  });
}

std::vector<Student> Gradebook::students() const {
  return state_->read("read", [&] {
    std::vector<Student> students;
    SQLite::Statement all(
        state_->db, "SELECT id, name, keys, on_roster FROM student WHERE present ORDER BY id");
    while (all.executeStep())
      students.push_back(
          {all.getColumn(0).getString(), all.getColumn(1).getString(),
           json::parse(all.getColumn(2).getString()).get<std::map<std::string, std::string>>(),
           all.getColumn(3).getInt() != 0});
    return students;
  });
}

std::vector<Remark> Gradebook::remarks() const {
  return state_->read("read", [&] {
    std::vector<Remark> remarks;
    SQLite::Statement all(state_->db, "SELECT kind, path, student, text FROM remark ORDER BY id");
    while (all.executeStep())
      remarks.push_back({static_cast<Remark::Kind>(all.getColumn(0).getInt()),
                         all.getColumn(1).getString(), all.getColumn(2).getString(),
                         all.getColumn(3).getString()});
    return remarks;
  });
}

std::vector<Root> Gradebook::roots() const {
  return state_->read("read", [&] {
    std::vector<Root> roots;
    SQLite::Statement all(state_->db, "SELECT format, label, lab FROM download ORDER BY id");
    while (all.executeStep())
      roots.push_back({{},
                       format_from_name(all.getColumn(0).getString()).value_or(Format::plain),
                       all.getColumn(1).getString(),
                       all.getColumn(2).getString()});
    return roots;
  });
}

std::string Gradebook::source(const std::string& student, const std::string& lab) const {
  return state_->read("read", [&] {
    SQLite::Statement one(state_->db,
                          "SELECT source FROM submission WHERE student = ? AND lab = ?");
    one.bind(1, student);
    one.bind(2, lab);
    if (!one.executeStep()) return std::string();
    const SQLite::Column column = one.getColumn(0);
    return std::string(static_cast<const char*>(column.getBlob()),
                       static_cast<std::size_t>(column.getBytes()));
  });
}

void Gradebook::decide(const Decision& decision) {
  if (trim(decision.reason).empty())
    throw std::invalid_argument("a decision needs a reason: it is kept beside the grade");
  if (!std::isfinite(decision.value) || decision.value < 0)
    throw std::invalid_argument("a decision's value must be a number of 0 or more");
  SQLite::Database& db = state_->db;
  state_->write("write", [&] {
    SQLite::Statement known(db, "SELECT count(*) FROM student WHERE id = ? AND present");
    known.bind(1, decision.student);
    known.executeStep();
    if (known.getColumn(0).getInt() == 0)
      throw std::invalid_argument(fmt::format("there is no student '{}'", decision.student));
    SQLite::Statement lab(db, "SELECT count(*) FROM submission WHERE lab = ?");
    lab.bind(1, decision.lab);
    lab.executeStep();
    if (lab.getColumn(0).getInt() == 0)
      throw std::invalid_argument(fmt::format("nobody handed anything in for '{}'", decision.lab));
    SQLite::Statement put(
        db,
        "INSERT INTO decision(student, lab, kind, value, reason, made_by, made_at, note) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    put.bind(1, decision.student);
    put.bind(2, decision.lab);
    put.bind(3, std::string(kind_name(decision.kind)));
    put.bind(4, decision.value);
    put.bind(5, std::string(trim(decision.reason)));
    put.bind(6, decision.by);
    put.bind(7, decision.at);
    put.bind(8, std::string(trim(decision.note)));
    put.exec();
  });
}

namespace {

Submission submission_of(SQLite::Statement& row) {
  Submission one;
  one.student = row.getColumn("student").getString();
  one.lab = row.getColumn("lab").getString();
  one.path = row.getColumn("path").getString();
  one.source_sha256 = row.getColumn("source_sha256").getString();
  one.late = row.getColumn("late").getInt() != 0;
  if (!row.getColumn("submitted_at").isNull())
    one.submitted_at = row.getColumn("submitted_at").getInt64();
  one.lms_id = row.getColumn("lms_id").getString();
  one.download = row.getColumn("download").getString();
  one.group = read_list(row.getColumn("members").getString());
  one.problem = row.getColumn("problem").getString();
  one.notes = read_list(row.getColumn("notes").getString());
  return one;
}

Job job_of(SQLite::Statement& row) {
  Job job;
  job.id = row.getColumn("job").getInt64();
  job.student = row.getColumn("student").getString();
  job.lab = row.getColumn("lab").getString();
  job.source_sha256 = row.getColumn("source_sha256").getString();
  job.kit = row.getColumn("kit").getString();
  job.lab_hash = row.getColumn("lab_hash").getString();
  job.device = row.getColumn("device").getString();
  job.seed = static_cast<std::uint64_t>(row.getColumn("seed").getInt64());
  const std::string state = row.getColumn("state").getString();
  for (const JobState each :
       {JobState::waiting, JobState::running, JobState::done, JobState::failed})
    if (state == state_name(each)) job.state = each;
  job.attempts = row.getColumn("attempts").getUInt();
  job.message = row.getColumn("message").getString();
  return job;
}

}  // namespace

std::vector<Entry> Gradebook::entries() const {
  SQLite::Database& db = state_->db;
  return state_->read("read", [&] {
    std::map<std::pair<std::string, std::string>, Entry> entries;
    SQLite::Statement pairs(
        db,
        "SELECT id, lab FROM student, (SELECT DISTINCT lab FROM submission WHERE present) "
        "WHERE present");
    while (pairs.executeStep()) {
      Entry entry;
      entry.student = pairs.getColumn(0).getString();
      entry.lab = pairs.getColumn(1).getString();
      entries[{entry.student, entry.lab}] = entry;
    }
    const auto entry_of = [&](SQLite::Statement& row) -> Entry* {
      const auto found =
          entries.find({row.getColumn("student").getString(), row.getColumn("lab").getString()});
      return found == entries.end() ? nullptr : &found->second;
    };
    SQLite::Statement submissions(
        db,
        "SELECT s.student, s.lab, s.path, s.source_sha256, s.late, s.submitted_at, s.lms_id, "
        "s.download, "
        "s.members, s.problem, s.notes, s.job, j.kit, j.lab_hash, j.device, j.seed, j.state, "
        "j.attempts, "
        "j.message FROM submission s LEFT JOIN job j ON j.id = s.job WHERE s.present");
    while (submissions.executeStep()) {
      Entry* entry = entry_of(submissions);
      if (!entry) continue;
      entry->submitted = true;
      entry->submission = submission_of(submissions);
      if (!submissions.getColumn("job").isNull()) entry->job = job_of(submissions);
    }
    SQLite::Statement results(
        db,
        "SELECT s.student, s.lab, r.verdict, r.points, r.max_points, r.bonus, r.max_bonus, "
        "r.undecided, "
        "n.scoring_hash AS n_hash, n.verdict AS n_verdict, n.points AS n_points, n.max_points AS "
        "n_max, "
        "n.bonus AS n_bonus, n.max_bonus AS n_max_bonus, n.undecided AS n_undecided, n.note AS "
        "n_note "
        "FROM submission s JOIN result r ON r.job = s.job LEFT JOIN rescored n ON n.job = s.job "
        "WHERE s.present");
    while (results.executeStep()) {
      Entry* entry = entry_of(results);
      if (!entry) continue;
      entry->graded = true;
      entry->verdict = results.getColumn("verdict").getString();
      entry->points = results.getColumn("points").getDouble();
      entry->max_points = results.getColumn("max_points").getDouble();
      entry->bonus = results.getColumn("bonus").getDouble();
      entry->max_bonus = results.getColumn("max_bonus").getDouble();
      entry->undecided = results.getColumn("undecided").getDouble();
      if (results.getColumn("n_hash").isNull()) continue;
      entry->rescored = Rescored{results.getColumn("n_hash").getString(),
                                 results.getColumn("n_verdict").getString(),
                                 results.getColumn("n_points").getDouble(),
                                 results.getColumn("n_max").getDouble(),
                                 results.getColumn("n_bonus").getDouble(),
                                 results.getColumn("n_max_bonus").getDouble(),
                                 results.getColumn("n_undecided").getDouble(),
                                 results.getColumn("n_note").getString()};
    }
    SQLite::Statement decisions(
        db,
        "SELECT id, student, lab, kind, value, reason, made_by, made_at, note FROM decision "
        "ORDER BY id");
    while (decisions.executeStep()) {
      Entry* entry = entry_of(decisions);
      if (!entry) continue;
      entry->decisions.push_back(
          {decisions.getColumn(0).getInt64(), entry->student, entry->lab,
           kind_of(decisions.getColumn("kind").getString()),
           decisions.getColumn("value").getDouble(), decisions.getColumn("reason").getString(),
           decisions.getColumn("made_by").getString(), decisions.getColumn("made_at").getInt64(),
           decisions.getColumn("note").getString()});
    }
    std::vector<Entry> list;
    list.reserve(entries.size());
    for (auto& [key, entry] : entries) list.push_back(std::move(entry));
    return list;
  });
}

std::optional<Outcome> Gradebook::outcome(std::int64_t job) const {
  return state_->read("read", [&]() -> std::optional<Outcome> {
    SQLite::Statement one(state_->db, "SELECT json, receipt FROM result WHERE job = ?");
    one.bind(1, job);
    if (!one.executeStep()) return std::nullopt;
    return Outcome{one.getColumn(0).getString(), one.getColumn(1).getString()};
  });
}

void Gradebook::put_setting(const std::string& name, const std::string& value) {
  state_->write("write", [&] {
    SQLite::Statement put(state_->db,
                          "INSERT INTO setting(name, value) VALUES(?, ?) "
                          "ON CONFLICT(name) DO UPDATE SET value = excluded.value");
    put.bind(1, name);
    put.bind(2, value);
    put.exec();
  });
}

std::string Gradebook::setting(const std::string& name) const {
  return state_->read("read", [&] {
    SQLite::Statement one(state_->db, "SELECT value FROM setting WHERE name = ?");
    one.bind(1, name);
    return one.executeStep() ? one.getColumn(0).getString() : std::string();
  });
}

}  // namespace labkit::course
