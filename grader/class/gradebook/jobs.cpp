// The gradebook's side of grading: which jobs there are, whose turn it is, what came out.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "base/error.h"
#include "class/gradebook/counting.h"
#include "class/gradebook/state.h"

namespace labkit::course {
namespace {

using nlohmann::json;

std::int64_t now() { return std::time(nullptr); }

std::size_t count_again(SQLite::Database& db) {
  return static_cast<std::size_t>(
      db.execAndGet("SELECT count(*) FROM job WHERE again AND wanted").getInt64());
}

}  // namespace

Score score_in(const std::string& text) {
  try {
    const json result = json::parse(text);
    const auto number = [&](const char* key) {
      const json& value = result.at(key);
      return value.is_null() ? 0.0 : value.get<double>();
    };
    return {result.at("verdict").get<std::string>(),
            number("points"),
            number("max_points"),
            number("bonus"),
            number("max_bonus"),
            result.value("undecided_points", 0.0) + result.value("undecided_bonus", 0.0)};
  } catch (const json::exception& error) {
    throw Error(fmt::format("a job gave no lab result: {}", error.what()),
                "report this: it is a fault of the kit");
  }
}

void put_score(SQLite::Database& db, std::int64_t job, const Score& score) {
  run(db,
      "UPDATE result SET verdict = ?, points = ?, max_points = ?, bonus = ?, max_bonus = ?, "
      "undecided = ? WHERE job = ?",
      score.verdict, score.points, score.max_points, score.bonus, score.max_bonus, score.undecided,
      job);
}

std::size_t Gradebook::plan(const Conditions& conditions) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] {
    db.exec("UPDATE job SET state = 'waiting' WHERE state = 'failed'");
    db.exec("UPDATE job SET wanted = 0 WHERE wanted");
    SQLite::Statement want(
        db,
        "INSERT INTO job(student, lab, source_sha256, kit, lab_hash, device, seed, state, wanted) "
        "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'waiting', 1 WHERE EXISTS(SELECT 1 FROM student WHERE "
        "id = ?1 AND present) ON CONFLICT DO UPDATE SET wanted = 1");
    for (const auto& [key, counts] : counting(db, View::with_pending)) {
      const auto lab = conditions.labs.find(key.second);
      if (!counts.submission.problem.empty() || lab == conditions.labs.end()) continue;
      bind_all(want, key.first, key.second, counts.submission.source_sha256, conditions.kit,
               lab->second, conditions.device, conditions.seed);
      want.exec();
    }
    return static_cast<std::size_t>(
        db.execAndGet("SELECT count(*) FROM job WHERE wanted AND state <> 'done'").getInt64());
  });
}

std::vector<Job> Gradebook::to_do() const {
  SQLite::Database& db = state_->db;
  return state_->read("read", [&] {
    const auto counts = counting(db, View::with_pending);
    std::vector<Job> jobs;
    SQLite::Statement all(
        db,
        "SELECT id, student, lab, source_sha256, kit, lab_hash, device, seed FROM job WHERE wanted "
        "AND state <> 'done' ORDER BY student, lab, id");
    while (all.executeStep()) {
      Job& job = jobs.emplace_back();
      read_row(all, 0, job.id, job.student, job.lab, job.source_sha256, job.kit, job.lab_hash,
               job.device, job.seed);
      job.path = counts.at({job.student, job.lab}).submission.path;
    }
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
      const Score score = score_in(outcome.json);
      require_open(run(db,
                       "UPDATE job SET state = 'done', message = '', finished_at = ?, again = 0 "
                       "WHERE id = ? AND state <> 'done'",
                       now(), job),
                   job);
      run(db,
          "INSERT OR REPLACE INTO result(job, json, receipt, verdict, points, max_points, bonus, "
          "max_bonus, undecided) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
          job, outcome.json, outcome.receipt, score.verdict, score.points, score.max_points,
          score.bonus, score.max_bonus, score.undecided);
      run(db, "DELETE FROM rescored WHERE job = ?", job);
    }
  });
}

void Gradebook::fail(std::int64_t job, const std::string& message) {
  state_->write("write", [&] {
    require_open(run(state_->db,
                     "UPDATE job SET state = 'failed', message = ?, finished_at = ?, again = 0 "
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

std::size_t Gradebook::grade_all_again() {
  return state_->write("write", [&] {
    return static_cast<std::size_t>(run(state_->db,
                                        "UPDATE job SET state = 'waiting', message = '', again = 1 "
                                        "WHERE state = 'done' AND wanted"));
  });
}

std::size_t Gradebook::waiting_again() const {
  return state_->read("read", [&] { return count_again(state_->db); });
}

Progress Gradebook::progress() const {
  SQLite::Database& db = state_->db;
  return state_->read("read", [&] {
    Progress progress;
    SQLite::Statement states(db,
                             "SELECT state, count(*), max(finished_at) FROM job WHERE wanted GROUP "
                             "BY state");
    while (states.executeStep()) {
      std::string state;
      std::size_t count = 0;
      std::int64_t finished_at = 0;
      read_row(states, 0, state, count, finished_at);
      progress.total += count;
      (state == "waiting" ? progress.waiting
       : state == "done"  ? progress.done
                          : progress.failed) = count;
      progress.last_finished_at = std::max(progress.last_finished_at, finished_at);
    }
    SQLite::Statement verdicts(
        db,
        "SELECT r.verdict, count(*) FROM job j JOIN result r ON r.job = j.id "
        "WHERE j.wanted GROUP BY r.verdict");
    while (verdicts.executeStep())
      progress.verdicts[verdicts.getColumn(0).getString()] =
          static_cast<std::size_t>(verdicts.getColumn(1).getInt64());
    return progress;
  });
}

void Gradebook::put_rescored(std::int64_t job, const Rescored& score) {
  state_->write("write", [&] {
    run(state_->db,
        "INSERT OR REPLACE INTO rescored(job, scoring_hash, verdict, points, max_points, bonus, "
        "max_bonus, undecided, note) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        job, score.scoring_hash, score.verdict, score.points, score.max_points, score.bonus,
        score.max_bonus, score.undecided, score.note);
  });
}

void Gradebook::drop_rescored(std::int64_t job) {
  state_->write("write", [&] { run(state_->db, "DELETE FROM rescored WHERE job = ?", job); });
}

}  // namespace labkit::course
