// The gradebook's side of what came in, and of what a teacher decides.
#include <fmt/format.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "base/text.h"
#include "class/gradebook/seen.h"
#include "class/gradebook/state.h"

namespace labkit::course {
namespace {

using nlohmann::json;

std::vector<std::string> read_list(const std::string& text) {
  return json::parse(text).get<std::vector<std::string>>();
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
    for (Remark& one : rival_remarks(state_->db)) remarks.push_back(std::move(one));
    return remarks;
  });
}

std::vector<Root> Gradebook::roots() const {
  return state_->read("read", [&] {
    std::vector<Root> roots;
    // Older ones are kept for what could not be read in them: nothing that counts came with them.
    SQLite::Statement all(state_->db,
                          "SELECT format, label, lab FROM download WHERE intake IN (SELECT intake "
                          "FROM submission) OR intake = (SELECT MAX(id) FROM intake) ORDER BY id");
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
    SQLite::Statement one =
        query(state_->db,
              "SELECT CASE WHEN e.source IS NULL THEN s.source ELSE e.source END "
              "FROM submission s LEFT JOIN job c ON c.id = s.counts LEFT JOIN earlier "
              "e ON e.student = s.student AND e.lab = s.lab AND e.source_sha256 = "
              "c.source_sha256 AND c.source_sha256 <> s.source_sha256 "
              "WHERE s.student = ? AND s.lab = ?",
              student, lab);
    return one.executeStep() ? one.getColumn(0).getString() : std::string();
  });
}

std::optional<std::string> Gradebook::source(const std::string& student, const std::string& lab,
                                             const std::string& sha256) const {
  return state_->read("read", [&]() -> std::optional<std::string> {
    SQLite::Statement one = query(
        state_->db,
        "SELECT source FROM submission WHERE student = ?1 AND lab = ?2 AND source_sha256 = ?3 "
        "UNION ALL "
        "SELECT source FROM earlier WHERE student = ?1 AND lab = ?2 AND source_sha256 = ?3",
        student, lab, sha256);
    if (!one.executeStep()) return std::nullopt;
    return one.getColumn(0).getString();
  });
}

void Gradebook::decide(const Decision& decision) {
  if (trim(decision.reason).empty())
    throw std::invalid_argument("a decision needs a reason: it is kept beside the grade");
  if (!std::isfinite(decision.value) || decision.value < 0)
    throw std::invalid_argument("a decision's value must be a number of 0 or more");
  SQLite::Database& db = state_->db;
  state_->write("write", [&] {
    if (!query(db, "SELECT 1 FROM student WHERE id = ? AND present", decision.student)
             .executeStep())
      throw std::invalid_argument(fmt::format("there is no student '{}'", decision.student));
    if (!query(db, "SELECT 1 FROM submission WHERE lab = ?", decision.lab).executeStep())
      throw std::invalid_argument(fmt::format("nobody submitted anything for '{}'", decision.lab));
    run(db,
        "INSERT INTO decision(student, lab, kind, value, reason, made_by, made_at, note) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        decision.student, decision.lab, kind_name(decision.kind), decision.value,
        trim(decision.reason), decision.by, decision.at, trim(decision.note));
  });
}

namespace {

/// Columns of a submission, with `p` before each name.
Submission submission_of(SQLite::Statement& row, const std::string& p) {
  const auto column = [&](const char* name) { return row.getColumn((p + name).c_str()); };
  Submission one;
  one.student = row.getColumn("student").getString();
  one.lab = row.getColumn("lab").getString();
  one.path = column("path").getString();
  one.source_sha256 = column("source_sha256").getString();
  one.late = column("late").getInt() != 0;
  if (!column("submitted_at").isNull()) one.submitted_at = column("submitted_at").getInt64();
  one.lms_id = column("lms_id").getString();
  one.download = column("download").getString();
  one.group = read_list(column("members").getString());
  one.problem = column("problem").getString();
  one.notes = read_list(column("notes").getString());
  return one;
}

/// Columns of a job, with `p` before each name; none if there is no such job.
std::optional<Job> job_of(SQLite::Statement& row, const std::string& p) {
  const auto column = [&](const char* name) { return row.getColumn((p + name).c_str()); };
  if (column("id").isNull()) return std::nullopt;
  Job job;
  job.id = column("id").getInt64();
  job.student = row.getColumn("student").getString();
  job.lab = row.getColumn("lab").getString();
  job.source_sha256 = column("sha256").getString();
  job.kit = column("kit").getString();
  job.lab_hash = column("lab_hash").getString();
  job.device = column("device").getString();
  job.seed = static_cast<std::uint64_t>(column("seed").getInt64());
  const std::string state = column("state").getString();
  for (const JobState each :
       {JobState::waiting, JobState::running, JobState::done, JobState::failed})
    if (state == state_name(each)) job.state = each;
  job.attempts = column("attempts").getUInt();
  job.message = column("message").getString();
  return job;
}

/// "s.path AS s_path, ..." of a table that is called `t`.
std::string hand_in_columns(const std::string& t) {
  std::string text;
  for (const char* name : {"path", "source_sha256", "late", "submitted_at", "lms_id", "download",
                           "members", "problem", "notes"})
    text += fmt::format("{0}.{1} AS {0}_{1}, ", t, name);
  return text;
}
std::string job_columns(const std::string& t) {
  std::string text = fmt::format("{0}.source_sha256 AS {0}_sha256", t);
  for (const char* name :
       {"id", "kit", "lab_hash", "device", "seed", "state", "attempts", "message"})
    text += fmt::format(", {0}.{1} AS {0}_{1}", t, name);
  return text;
}

/// A submission with the job that is to be done (j), the one that counts (c), and the earlier submission
/// that it was of (e), if it was another.
void fill(Entry& entry, SQLite::Statement& row) {
  entry.submitted = true;
  entry.submission = submission_of(row, "s_");
  entry.job = job_of(row, "j_");
  std::optional<Job> counts = job_of(row, "c_");
  if (!counts) return;
  entry.graded = true;
  const bool same_source = counts->source_sha256 == entry.submission.source_sha256;
  const bool same_job = entry.job && entry.job->id == counts->id;
  const bool another = same_source ? entry.job && (!same_job || entry.job->state != JobState::done)
                                   : !row.getColumn("e_path").isNull();
  if (another) entry.newer = Entry::Newer{entry.submission, entry.job};
  if (another && !same_source) entry.submission = submission_of(row, "e_");
  counts->state = JobState::done;
  entry.job = std::move(counts);
}

}  // namespace

std::vector<Entry> Gradebook::entries() const {
  SQLite::Database& db = state_->db;
  return state_->read("read", [&] {
    std::map<std::pair<std::string, std::string>, Entry> entries;
    SQLite::Statement pairs(
        db, "SELECT id, lab FROM student, (SELECT DISTINCT lab FROM submission) WHERE present");
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
        db, "SELECT s.student AS student, s.lab AS lab, " + hand_in_columns("s") +
                hand_in_columns("e") + job_columns("j") + ", " + job_columns("c") +
                " FROM submission s LEFT JOIN job j ON j.id = s.job "
                "LEFT JOIN job c ON c.id = s.counts "
                "LEFT JOIN earlier e ON e.student = s.student AND e.lab = s.lab "
                "AND e.source_sha256 = c.source_sha256");
    while (submissions.executeStep())
      if (Entry* entry = entry_of(submissions)) fill(*entry, submissions);
    SQLite::Statement results(
        db,
        "SELECT s.student AS student, s.lab AS lab, r.verdict AS verdict, r.points AS points, "
        "r.max_points AS max_points, r.bonus AS bonus, r.max_bonus AS max_bonus, r.undecided AS "
        "undecided, n.scoring_hash AS n_hash, n.verdict AS n_verdict, n.points AS n_points, "
        "n.max_points AS n_max, n.bonus AS n_bonus, n.max_bonus AS n_max_bonus, n.undecided AS "
        "n_undecided, n.note AS n_note FROM submission s JOIN result r ON r.job = s.counts LEFT "
        "JOIN rescored n ON n.job = s.counts");
    while (results.executeStep()) {
      Entry* entry = entry_of(results);
      if (!entry) continue;
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
    std::set<std::string> unread;
    SQLite::Statement refused(db, "SELECT DISTINCT student FROM remark WHERE kind = ?");
    refused.bind(1, static_cast<int>(Remark::Kind::refused));
    while (refused.executeStep()) unread.insert(refused.getColumn(0).getString());
    SQLite::Statement downloads(db, "SELECT path, text FROM remark WHERE kind = ? ORDER BY id");
    downloads.bind(1, static_cast<int>(Remark::Kind::unread));
    std::vector<std::pair<std::string, std::string>> unread_downloads;
    while (downloads.executeStep())
      unread_downloads.emplace_back(downloads.getColumn(0).getString(),
                                    downloads.getColumn(1).getString());
    for (auto& [key, entry] : entries) {
      entry.something_unread = unread.contains(entry.student);
      if (entry.submitted) continue;
      for (const auto& [path, text] : unread_downloads) {
        const std::string lab = text.substr(0, text.find(": "));  // or a sentence
        if (lab == entry.lab || lab.find(' ') != std::string::npos) entry.unread_download = path;
      }
      entry.something_unread |= !entry.unread_download.empty();
    }
    for (auto& [key, one] : unread_since(db))
      if (const auto found = entries.find(key); found != entries.end()) {
        found->second.unread_newer = std::move(one.text);
        found->second.unread_path = std::move(one.path);
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

std::vector<Job> Gradebook::earlier(const std::string& student, const std::string& lab) const {
  return state_->read("read", [&] {
    SQLite::Statement all(
        state_->db,
        "SELECT s.student AS student, s.lab AS lab, " + job_columns("j") +
            " FROM submission s JOIN earlier e ON e.student = s.student AND e.lab = s.lab "
            "JOIN job j ON j.id = (SELECT max(id) FROM job WHERE student = s.student AND lab = "
            "s.lab AND source_sha256 = e.source_sha256 AND id IN (SELECT job FROM result)) "
            "LEFT JOIN job c ON c.id = s.counts WHERE s.student = ? AND s.lab = ? AND "
            "e.source_sha256 <> s.source_sha256 AND e.source_sha256 IS NOT c.source_sha256 "
            "ORDER BY j.finished_at, j.id");
    all.bind(1, student);
    all.bind(2, lab);
    std::vector<Job> jobs;
    while (all.executeStep())
      if (std::optional<Job> job = job_of(all, "j_")) jobs.push_back(std::move(*job));
    return jobs;
  });
}

std::optional<Outcome> Gradebook::outcome(std::int64_t job) const {
  return state_->read("read", [&]() -> std::optional<Outcome> {
    SQLite::Statement one =
        query(state_->db, "SELECT json, receipt FROM result WHERE job = ?", job);
    if (!one.executeStep()) return std::nullopt;
    return Outcome{one.getColumn(0).getString(), one.getColumn(1).getString()};
  });
}

void Gradebook::each_receipt(
    const std::function<void(std::int64_t, const std::string&)>& take) const {
  state_->read("read", [&] {
    SQLite::Statement all(state_->db, "SELECT job, receipt FROM result ORDER BY job");
    while (all.executeStep()) take(all.getColumn(0).getInt64(), all.getColumn(1).getString());
  });
}

void Gradebook::put_setting(const std::string& name, const std::string& value) {
  state_->write("write", [&] { run(state_->db, kPutSetting, name, value); });
}

std::string Gradebook::setting(const std::string& name) const {
  return state_->read("read", [&] {
    SQLite::Statement one = query(state_->db, "SELECT value FROM setting WHERE name = ?", name);
    return one.executeStep() ? one.getColumn(0).getString() : std::string();
  });
}

}  // namespace labkit::course
