// The gradebook's side of what came in, and of what a teacher decides.
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <map>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/unicode.h"
#include "class/gradebook/state.h"

namespace labkit::course {

std::vector<Student> Gradebook::students(bool also_taken_back) const {
  return state_->read([&] {
    return select_all<Student>(
        state_->db,
        "SELECT id, CASE WHEN present THEN name ELSE '' END, keys, on_roster FROM "
        "student WHERE present OR ? ORDER BY id",
        also_taken_back);
  });
}

std::vector<Remark> Gradebook::remarks() const {
  return state_->read([&] {
    const auto all = remarks_that_hold(state_->db, View::with_pending);
    return std::vector<Remark>(all.begin(), all.end());
  });
}

std::vector<Root> Gradebook::roots() const {
  return state_->read([&] {
    return select_all<Root>(
        state_->db,
        "SELECT format, label, labs, label, asked <> '[]' FROM download WHERE id IN (SELECT "
        "max(id) FROM download "
        "WHERE (import IN (SELECT import FROM submission) OR import = (SELECT max(id) FROM "
        "import)) AND " +
            imports_of(View::applied) + " GROUP BY label) ORDER BY id");
  });
}

std::optional<std::string> Gradebook::source(const std::string& sha256) const {
  return state_->read([&]() -> std::optional<std::string> {
    const auto found =
        select_column(state_->db, "SELECT bytes FROM source WHERE sha256 = ?", sha256);
    if (found.empty()) return std::nullopt;
    if (sha256_hex(found.front()) != sha256)
      throw Error(fmt::format("the gradebook {} is damaged: a source is not as it was imported",
                              state_->file.string()),
                  restore_text(state_->file));
    return found.front();
  });
}

namespace {

/// That were set for a download, or that something was submitted for.
std::set<std::string> labs_set(SQLite::Database& db, View view) {
  const auto labs = select_column(
      db, "SELECT value FROM download, json_each(download.labs) WHERE " + imports_of(view) +
              " UNION SELECT lab FROM submission WHERE " + imports_of(view));
  const auto assigned = select_column(
      db, "SELECT key FROM setting s, json_each(s.value) WHERE name = ?", kAssignedSetting);
  std::set<std::string> set(labs.begin(), labs.end());
  if (!assigned.empty())  // one that was taken out of assignments.toml is not set any more
    std::erase_if(set, [&](const std::string& lab) {
      return std::ranges::find(assigned, lab) == assigned.end();
    });
  return set;
}

using Key = std::pair<std::string, std::string>;  // student, lab

struct KnownJob {
  Job job;
  bool is_wanted = false, has_result = false;
  Score score;
};

constexpr const char* kJobs =
    "SELECT j.id, j.student, j.lab, j.source_sha256, j.kit, j.lab_hash, j.device, j.seed, j.state, "
    "j.message, j.finished_at, j.wanted, r.job IS NOT NULL, r.verdict, r.points, "
    "r.max_points, r.bonus, r.max_bonus, r.undecided FROM job j LEFT JOIN result r ON r.job = j.id";

auto fields(KnownJob& one) {
  Job& job = one.job;
  Score& score = one.score;
  return std::tie(job.id, job.student, job.lab, job.source_sha256, job.kit, job.lab_hash,
                  job.device, job.seed, job.state, job.message, job.finished_at, one.is_wanted,
                  one.has_result, score.verdict, score.points, score.max_points, score.bonus,
                  score.max_bonus, score.undecided);
}

/// The job that is wanted, and the one whose result counts: its own, else the latest of the same source.
void take_jobs(Entry& entry, const std::vector<KnownJob>& jobs) {
  const KnownJob *wanted = nullptr, *counts = nullptr;
  for (const KnownJob& one : jobs) {
    if (one.job.source_sha256 != entry.submission.source_sha256) continue;
    if (one.is_wanted) wanted = &one;
    if (one.has_result && (!counts || one.job.finished_at >= counts->job.finished_at))
      counts = &one;
  }
  if (wanted && wanted->has_result) counts = wanted;
  if (wanted) entry.job = wanted->job;
  if (!counts) return;
  entry.graded = true;
  static_cast<Score&>(entry) = counts->score;
  if (wanted && (wanted != counts || wanted->job.state != JobState::done))
    entry.again = wanted->job;
  entry.job = counts->job;
  entry.job->state = JobState::done;
}

std::int64_t now() { return std::time(nullptr); }

/// Exactly one row must have changed: a job without a result.
void require_open(int changed, std::int64_t job) {
  if (changed != 1)
    throw Error(fmt::format("job {} has a result already", job),
                "report this: it is a fault of the kit");
}

}  // namespace

void Gradebook::decide(const Decision& decision) {
  if (trim(decision.reason).empty() && decision.kind != Decision::Kind::comment)
    throw std::invalid_argument("a decision needs a reason: it is kept beside the grade");
  if (!std::isfinite(decision.value) || decision.value < 0)
    throw std::invalid_argument("a decision's value must be a number of 0 or more");
  SQLite::Database& db = state_->db;
  state_->write([&] {
    if (select_column(db, "SELECT id FROM student WHERE id = ? AND present", decision.student)
            .empty())
      throw std::invalid_argument(fmt::format("there is no student '{}'", decision.student));
    if (!labs_set(db, View::with_pending).contains(decision.lab))
      throw std::invalid_argument(fmt::format(
          "{} was not set for this class: no download of an assignment that names it was graded",
          decision.lab));
    insert(db, "decision(student, lab, kind, value, reason, made_by, made_at)", decision.student,
           decision.lab, decision.kind, decision.value, trim(decision.reason), decision.by,
           decision.at);
  });
}

std::vector<Entry> Gradebook::entries(View view) const {
  SQLite::Database& db = state_->db;
  return state_->read([&] {
    std::map<Key, Entry> entries;
    const std::set<std::string> labs = labs_set(db, view);
    const bool has_roster =
        db.execAndGet("SELECT count(*) FROM student WHERE on_roster").getInt() > 0;
    std::map<std::string, std::set<std::string>> names;  // of students, folded
    std::map<std::string, std::string> namesakes;        // who may be another, and their name
    for (const Student& student :
         select_all<Student>(db, "SELECT id, name, keys, on_roster FROM student WHERE present")) {
      names[student.id] = {fold_words(student.name), student.key(kNamesake)};
      if (const std::string name = student.key(kNamesake); !name.empty())
        namesakes[student.id] = name;
      for (const std::string& lab : labs) {
        Entry entry;
        entry.student = student.id;
        entry.lab = lab;
        entry.is_nobodys = has_roster && !student.on_roster;
        entries.emplace(Key(entry.student, lab), std::move(entry));
      }
    }
    const auto entry_of = [&](const Key& key) -> Entry* {
      const auto found = entries.find(key);
      return found == entries.end() ? nullptr : &found->second;
    };
    std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> came_at;
    using Came = std::tuple<std::string, std::string, std::string, std::int64_t>;
    for (auto& [student, lab, sha256, at] :
         select_all<Came>(db,
                          "SELECT student, lab, source_sha256, min(at) FROM submission JOIN import "
                          "ON import.id = import GROUP BY student, lab, source_sha256"))
      came_at[{student, lab, sha256}] = at;
    for (auto& [key, counts] : counting(db, view)) {
      Entry* entry = entry_of(key);
      if (!entry) continue;
      entry->submitted = true;
      entry->came_at = came_at.at({counts.student, counts.lab, counts.source_sha256});
      entry->submission = std::move(counts);
    }
    if (view == View::shown)
      for (const auto& [key, waits] : counting(db, View::with_pending))
        if (Entry* entry = entry_of(key); entry && !entry->submitted)
          entry->perhaps = waits.path + " waits to be applied";
    std::map<Key, std::vector<KnownJob>> jobs;
    for (KnownJob& one : select_all<KnownJob>(db, kJobs))
      jobs[{one.job.student, one.job.lab}].push_back(std::move(one));
    for (const auto& [key, known] : jobs)
      if (Entry* entry = entry_of(key); entry && entry->submitted) take_jobs(*entry, known);
    // what cannot be read may be for any lab that was set for its download
    std::map<std::string, std::set<std::string>> unread;                          // student -> labs
    std::vector<std::pair<std::string, std::set<std::string>>> unread_downloads;  // why, labs
    for (const KeptRemark& one : remarks_that_hold(db, view)) {
      auto set = nlohmann::json::parse(one.labs).get<std::set<std::string>>();
      if (set.empty()) set = labs;
      if (one.kind == Remark::Kind::unread)
        unread_downloads.emplace_back(one.path + ": " + one.text,
                                      one.lab.empty() ? set : std::set{one.lab});
      else if (one.kind == Remark::Kind::refused || one.kind == Remark::Kind::no_lab)
        unread[one.student].insert(set.begin(), set.end());
    }
    std::map<Key, std::string> submitted_by;  // name and lab -> one who may be another
    for (const auto& [student, name] : namesakes)
      for (const std::string& lab : labs)
        if (entries.at({student, lab}).submitted) submitted_by[{name, lab}] = student;
    for (auto& [key, entry] : entries) {
      if (entry.submitted) continue;
      if (const auto of = unread.find(entry.student);
          of != unread.end() && of->second.contains(entry.lab))
        entry.perhaps = "something that was submitted cannot be read or is for no lab that was set";
      for (const auto& [why, of_download] : unread_downloads)
        if (of_download.contains(entry.lab)) entry.perhaps = why;
      for (const std::string& name : names.at(entry.student))
        if (const auto by = submitted_by.find({name, entry.lab}); by != submitted_by.end())
          entry.perhaps = by->second + ", of the same name, submitted it";
    }
    for (Decision& one :
         select_all<Decision>(db,
                              "SELECT id, student, lab, kind, value, reason, made_by, made_at FROM "
                              "decision ORDER BY id"))
      if (Entry* entry = entry_of({one.student, one.lab}))
        entry->decisions.push_back(std::move(one));
    std::vector<Entry> list;
    list.reserve(entries.size());
    for (auto& [key, entry] : entries) list.push_back(std::move(entry));
    return list;
  });
}

std::optional<Outcome> Gradebook::outcome(std::int64_t job) const {
  return state_->read([&] {
    return select_one<Outcome>(state_->db, "SELECT json, receipt FROM result WHERE job = ?", job);
  });
}

std::optional<Job> Gradebook::job_of_receipt(const std::string& receipt) const {
  return state_->read([&] {
    return select_one<Job>(
        state_->db,
        "SELECT id, student, lab, source_sha256, kit, lab_hash, device, seed, receipt "
        "->> '$.path' FROM job JOIN result ON job = id WHERE receipt = ?",
        receipt);
  });
}

void Gradebook::put_setting(const std::string& name, const std::string& value) {
  state_->write([&] { run(state_->db, "REPLACE INTO setting VALUES(?, ?)", name, value); });
}

std::string Gradebook::setting(const std::string& name) const {
  return state_->read([&] {
    return joined(select_column(state_->db, "SELECT value FROM setting WHERE name = ?", name));
  });
}

std::size_t Gradebook::plan(const Conditions& conditions) {
  SQLite::Database& db = state_->db;
  return state_->write([&] {
    db.exec("UPDATE job SET state = 'waiting' WHERE state = 'failed'");
    db.exec("UPDATE job SET wanted = 0 WHERE wanted");
    for (const auto& [key, counts] : counting(db, View::with_pending)) {
      const auto lab = conditions.labs.find(key.second);
      if (!counts.problem.empty() || lab == conditions.labs.end()) continue;
      run(db,
          "INSERT INTO job(student, lab, source_sha256, kit, lab_hash, device, seed, state, "
          "wanted) "
          "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'waiting', 1 WHERE EXISTS(SELECT 1 FROM student "
          "WHERE id = ?1 AND present) ON CONFLICT DO UPDATE SET wanted = 1",
          key.first, key.second, counts.source_sha256, conditions.kit, lab->second,
          conditions.device, conditions.seed);
    }
    return static_cast<std::size_t>(
        db.execAndGet("SELECT count(*) FROM job WHERE wanted AND state <> 'done'").getInt64());
  });
}

std::vector<Job> Gradebook::to_do() const {
  SQLite::Database& db = state_->db;
  return state_->read([&] {
    const auto counts = counting(db, View::with_pending);
    auto jobs =
        select_all<Job>(db,
                        "SELECT id, student, lab, source_sha256, kit, lab_hash, device, seed, '' "
                        "FROM job WHERE wanted AND state <> 'done' ORDER BY student, lab, id");
    for (Job& job : jobs) job.path = counts.at({job.student, job.lab}).path;
    return jobs;
  });
}

void Gradebook::finish(const std::vector<std::pair<std::int64_t, Outcome>>& outcomes) {
  SQLite::Database& db = state_->db;
  state_->write([&] {
    for (const auto& [job, outcome] : outcomes) {
      require_open(run(db,
                       "UPDATE job SET state = 'done', message = '', finished_at = ? "
                       "WHERE id = ? AND state <> 'done'",
                       now(), job),
                   job);
      run(db, "INSERT OR REPLACE INTO result(job, json, receipt) VALUES(?, ?, ?)", job,
          outcome.json, outcome.receipt);
    }
  });
}

void Gradebook::fail(std::int64_t job, const std::string& message) {
  state_->write([&] {
    require_open(run(state_->db,
                     "UPDATE job SET state = 'failed', message = ?, finished_at = ? "
                     "WHERE id = ? AND state <> 'done'",
                     message, now(), job),
                 job);
  });
}

void Gradebook::grade_again(const std::string& student, const std::string& lab) {
  state_->write([&] {
    run(state_->db,
        "UPDATE job SET state = 'waiting', message = '' WHERE wanted AND student = ? AND lab = ?",
        student, lab);
  });
}

void Gradebook::rescore(std::int64_t job, const std::string& json) {
  state_->write([&] { run(state_->db, "UPDATE result SET json = ? WHERE job = ?", json, job); });
}

}  // namespace labkit::course
