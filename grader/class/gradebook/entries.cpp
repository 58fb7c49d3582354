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

constexpr std::pair<Decision::Kind, const char*> kKinds[] = {
    {Decision::Kind::points, "points"},
    {Decision::Kind::late_days, "late_days"},
    {Decision::Kind::excused, "excused"},
    {Decision::Kind::withdrawn, "withdrawn"}};

const char* kind_name(Decision::Kind wanted) {
  for (const auto& [kind, name] : kKinds)
    if (kind == wanted) return name;
  return "";
}

Decision::Kind kind_of(const std::string& wanted) {
  for (const auto& [kind, name] : kKinds)
    if (name == wanted) return kind;
  return Decision::Kind::withdrawn;
}

}  // namespace

std::vector<Student> Gradebook::students() const {
  return state_->read("read", [&] {
    std::vector<Student> students;
    SQLite::Statement all(
        state_->db, "SELECT id, name, keys, on_roster FROM student WHERE present ORDER BY id");
    while (all.executeStep()) {
      Student& one = students.emplace_back();
      read_row(all, 0, one.id, one.name, one.keys, one.on_roster);
    }
    return students;
  });
}

std::vector<Remark> Gradebook::remarks() const {
  return state_->read("read", [&] {
    std::vector<Remark> remarks;
    SQLite::Statement all(state_->db, "SELECT kind, path, student, text FROM remark ORDER BY id");
    while (all.executeStep()) {
      Remark& one = remarks.emplace_back();
      read_row(all, 0, one.kind, one.path, one.student, one.text);
    }
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
    while (all.executeStep()) {
      Root& one = roots.emplace_back();
      std::string format;
      read_row(all, 0, format, one.label, one.lab);
      one.format = format_from_name(format).value_or(Format::plain);
    }
    return roots;
  });
}

std::string Gradebook::source(const std::string& student, const std::string& lab) const {
  return state_->read("read", [&] {
    SQLite::Statement one =
        query(state_->db,
              "SELECT CASE WHEN e.source IS NULL THEN s.source ELSE e.source END FROM submission s "
              "LEFT JOIN job c ON c.id = s.counts LEFT JOIN earlier e ON e.student = s.student AND "
              "e.lab = s.lab AND e.source_sha256 = c.source_sha256 AND c.source_sha256 <> "
              "s.source_sha256 WHERE s.student = ? AND s.lab = ?",
              student, lab);
    return one.executeStep() ? one.getColumn(0).getString() : std::string();
  });
}

std::optional<std::string> Gradebook::source(const std::string& student, const std::string& lab,
                                             const std::string& sha256) const {
  return state_->read("read", [&]() -> std::optional<std::string> {
    SQLite::Statement one = query(state_->db,
                                  "SELECT source FROM submission WHERE student = ?1 AND lab = ?2 "
                                  "AND source_sha256 = ?3 UNION ALL SELECT source FROM earlier "
                                  "WHERE student = ?1 AND lab = ?2 AND source_sha256 = ?3",
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
        "INSERT INTO decision(student, lab, kind, value, reason, made_by, made_at, note) VALUES(?, "
        "?, ?, ?, ?, ?, ?, ?)",
        decision.student, decision.lab, kind_name(decision.kind), decision.value,
        trim(decision.reason), decision.by, decision.at, trim(decision.note));
  });
}

namespace {

// Columns of a table that is called `t`, in the order in which they are read.
std::string columns(const std::string& t, std::initializer_list<const char*> names) {
  std::string text;
  for (const char* name : names) text += fmt::format(", {}.{}", t, name);
  return text;
}
std::string hand_in_columns(const std::string& t) {
  return columns(t, {"path", "source_sha256", "late", "submitted_at", "lms_id", "download",
                     "members", "problem", "notes"});
}
std::string job_columns(const std::string& t) {
  return columns(t, {"id", "source_sha256", "kit", "lab_hash", "device", "seed", "state",
                     "attempts", "message"});
}
constexpr int kHandInColumns = 9, kJobColumns = 9;

/// The first two columns are the student and the lab.
Submission submission_of(SQLite::Statement& row, int at) {
  Submission one;
  read_row(row, 0, one.student, one.lab);
  read_row(row, at, one.path, one.source_sha256, one.late, one.submitted_at, one.lms_id,
           one.download, one.group, one.problem, one.notes);
  return one;
}

/// None if there is no such job.
std::optional<Job> job_of(SQLite::Statement& row, int at) {
  if (row.getColumn(at).isNull()) return std::nullopt;
  Job job;
  std::string state;
  read_row(row, 0, job.student, job.lab);
  read_row(row, at, job.id, job.source_sha256, job.kit, job.lab_hash, job.device, job.seed, state,
           job.attempts, job.message);
  for (const JobState each :
       {JobState::waiting, JobState::running, JobState::done, JobState::failed})
    if (state == state_name(each)) job.state = each;
  return job;
}

/// A submission with the job that is to be done (j), the one that counts (c), and the earlier submission
/// that it was of (e), if it was another.
void fill(Entry& entry, SQLite::Statement& row) {
  entry.submitted = true;
  constexpr int kEarlier = 2 + kHandInColumns, kJob = kEarlier + kHandInColumns;
  entry.submission = submission_of(row, 2);
  entry.job = job_of(row, kJob);
  std::optional<Job> counts = job_of(row, kJob + kJobColumns);
  if (!counts) return;
  entry.graded = true;
  const bool same_source = counts->source_sha256 == entry.submission.source_sha256;
  const bool same_job = entry.job && entry.job->id == counts->id;
  const bool another = same_source ? entry.job && (!same_job || entry.job->state != JobState::done)
                                   : !row.getColumn(kEarlier).isNull();
  if (another) entry.newer = Entry::Newer{entry.submission, entry.job};
  if (another && !same_source) entry.submission = submission_of(row, kEarlier);
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
      read_row(pairs, 0, entry.student, entry.lab);
      entries[{entry.student, entry.lab}] = entry;
    }
    const auto entry_of = [&](SQLite::Statement& row) -> Entry* {
      const auto found = entries.find({row.getColumn(0).getString(), row.getColumn(1).getString()});
      return found == entries.end() ? nullptr : &found->second;
    };
    SQLite::Statement submissions(
        db, "SELECT s.student, s.lab" + hand_in_columns("s") + hand_in_columns("e") +
                job_columns("j") + job_columns("c") +
                " FROM submission s LEFT JOIN job j ON j.id = s.job LEFT JOIN job c ON c.id = "
                "s.counts LEFT JOIN earlier e ON e.student = s.student AND e.lab = s.lab AND "
                "e.source_sha256 = c.source_sha256");
    while (submissions.executeStep())
      if (Entry* entry = entry_of(submissions)) fill(*entry, submissions);
    SQLite::Statement results(
        db,
        "SELECT s.student, s.lab, r.verdict, r.points, r.max_points, r.bonus, r.max_bonus, "
        "r.undecided, n.scoring_hash, n.note, n.verdict, n.points, n.max_points, n.bonus, "
        "n.max_bonus, n.undecided FROM submission s JOIN result r ON r.job = s.counts LEFT JOIN "
        "rescored n ON n.job = s.counts");
    while (results.executeStep()) {
      Entry* entry = entry_of(results);
      if (!entry) continue;
      const int at = read_score(results, 2, *entry);
      if (results.getColumn(at).isNull()) continue;
      Rescored& now = entry->rescored.emplace();
      read_score(results, read_row(results, at, now.scoring_hash, now.note), now);
    }
    std::set<std::string> unread;
    SQLite::Statement refused =
        query(db, "SELECT DISTINCT student FROM remark WHERE kind = ?", Remark::Kind::refused);
    while (refused.executeStep()) unread.insert(refused.getColumn(0).getString());
    SQLite::Statement downloads =
        query(db, "SELECT path, text FROM remark WHERE kind = ? ORDER BY id", Remark::Kind::unread);
    std::vector<std::pair<std::string, std::string>> unread_downloads;
    while (downloads.executeStep()) {
      auto& [path, text] = unread_downloads.emplace_back();
      read_row(downloads, 0, path, text);
    }
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
        "SELECT student, lab, kind, id, value, reason, made_by, made_at, note FROM decision ORDER "
        "BY id");
    while (decisions.executeStep()) {
      Entry* entry = entry_of(decisions);
      if (!entry) continue;
      Decision& one = entry->decisions.emplace_back();
      std::string kind;
      read_row(decisions, 0, one.student, one.lab, kind, one.id, one.value, one.reason, one.by,
               one.at, one.note);
      one.kind = kind_of(kind);
    }
    std::vector<Entry> list;
    list.reserve(entries.size());
    for (auto& [key, entry] : entries) list.push_back(std::move(entry));
    return list;
  });
}

std::vector<Job> Gradebook::earlier(const std::string& student, const std::string& lab) const {
  return state_->read("read", [&] {
    SQLite::Statement all =
        query(state_->db,
              "SELECT s.student, s.lab" + job_columns("j") +
                  " FROM submission s JOIN earlier e ON e.student = s.student AND e.lab = "
                  "s.lab JOIN job j ON j.id = (SELECT max(id) FROM job WHERE student = "
                  "s.student AND lab = s.lab AND source_sha256 = e.source_sha256 AND id IN "
                  "(SELECT job FROM result)) LEFT JOIN job c ON c.id = s.counts WHERE "
                  "s.student = ? AND s.lab = ? AND e.source_sha256 <> s.source_sha256 AND "
                  "e.source_sha256 IS NOT c.source_sha256 ORDER BY j.finished_at, j.id",
              student, lab);
    std::vector<Job> jobs;
    while (all.executeStep())
      if (std::optional<Job> job = job_of(all, 2)) jobs.push_back(std::move(*job));
    return jobs;
  });
}

std::optional<Outcome> Gradebook::outcome(std::int64_t job) const {
  return state_->read("read", [&]() -> std::optional<Outcome> {
    SQLite::Statement one =
        query(state_->db, "SELECT json, receipt FROM result WHERE job = ?", job);
    if (!one.executeStep()) return std::nullopt;
    Outcome outcome;
    read_row(one, 0, outcome.json, outcome.receipt);
    return outcome;
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
