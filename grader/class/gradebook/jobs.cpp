// The gradebook's side of grading: which jobs there are, whose turn it is, what came out.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/error.h"
#include "class/gradebook/state.h"

namespace labkit::course {
namespace {

std::int64_t now() { return std::time(nullptr); }

}  // namespace

std::size_t Gradebook::plan(const Conditions& conditions) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] {
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
  return state_->read("read", [&] {
    const auto counts = counting(db, View::with_pending);
    auto jobs =
        select_all<Job>(db,
                        "SELECT id, student, lab, source_sha256, kit, lab_hash, device, seed, '' "
                        "FROM job WHERE wanted AND state <> 'done' ORDER BY student, lab, id");
    for (Job& job : jobs) job.path = counts.at({job.student, job.lab}).path;
    return jobs;
  });
}

namespace {

/// Exactly one row must have changed: a job without a result.
void require_open(int changed, std::int64_t job) {
  if (changed != 1)
    throw Error(fmt::format("job {} has a result already", job),
                "report this: it is a fault of the kit");
}

}  // namespace

void Gradebook::finish(const std::vector<std::pair<std::int64_t, Outcome>>& outcomes) {
  SQLite::Database& db = state_->db;
  state_->write("write", [&] {
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
  state_->write("write", [&] {
    require_open(run(state_->db,
                     "UPDATE job SET state = 'failed', message = ?, finished_at = ? "
                     "WHERE id = ? AND state <> 'done'",
                     message, now(), job),
                 job);
  });
}

void Gradebook::grade_again(const std::string& student, const std::string& lab) {
  state_->write("write", [&] {
    run(state_->db,
        "UPDATE job SET state = 'waiting', message = '' WHERE wanted AND student = ? AND lab = ?",
        student, lab);
  });
}

void Gradebook::rescore(std::int64_t job, const std::string& json) {
  state_->write("write",
                [&] { run(state_->db, "UPDATE result SET json = ? WHERE job = ?", json, job); });
}

}  // namespace labkit::course
