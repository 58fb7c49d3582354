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

/// The labs of the last wish to grade all again, a JSON array.
constexpr const char* kAgainSetting = "graded again";

std::size_t count_again(SQLite::Database& db) {
  return static_cast<std::size_t>(
      db.execAndGet("SELECT count(*) FROM job WHERE again AND wanted").getInt64());
}

/// Exactly one row must have changed: a job that runs.
void require_running(int changed, std::int64_t job) {
  if (changed != 1)
    throw Error(fmt::format("job {} is not running", job), "report this: it is a fault of the kit");
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

Gradebook::Plan Gradebook::plan(const Conditions& conditions) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] {
    // Whoever ran them is gone (GradingLock), and did not count an attempt.
    db.exec("UPDATE job SET state = 'waiting' WHERE state = 'running'");
    db.exec("UPDATE job SET state = 'waiting', attempts = 0 WHERE state = 'failed'");
    db.exec("UPDATE job SET wanted = 0 WHERE wanted");
    SQLite::Statement want(
        db,
        "INSERT INTO job(student, lab, source_sha256, kit, lab_hash, device, seed, state, wanted) "
        "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'waiting', 1 WHERE EXISTS(SELECT 1 FROM student WHERE "
        "id "
        "= ?1 AND present) ON CONFLICT DO UPDATE SET wanted = 1");
    for (const auto& [key, counts] : counting(db, View::with_pending)) {
      const auto lab = conditions.labs.find(key.second);
      if (!counts.submission.problem.empty() || lab == conditions.labs.end()) continue;
      bind_all(want, key.first, key.second, counts.submission.source_sha256, conditions.kit,
               lab->second, conditions.device, conditions.seed);
      want.exec();
    }
    Plan plan;
    SQLite::Statement sum(
        db, "SELECT count(*), coalesce(sum(state <> 'done'), 0) FROM job WHERE wanted");
    sum.executeStep();
    read_row(sum, 0, plan.jobs, plan.to_do);
    return plan;
  });
}

std::optional<Job> Gradebook::begin_next(const std::vector<std::string>& labs) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&]() -> std::optional<Job> {
    SQLite::Statement next =
        query(db,
              "UPDATE job SET state = 'running' WHERE id = (SELECT j.id FROM job j WHERE "
              "j.wanted AND j.state = 'waiting' AND (?1 = 'null' OR j.lab IN (SELECT value FROM "
              "json_each(?1))) ORDER BY j.attempts, j.student, j.lab, j.id LIMIT 1) RETURNING id, "
              "student, lab, source_sha256, kit, lab_hash, device, seed, attempts, message",
              labs.empty() ? "null" : json_text(labs));
    if (!next.executeStep()) return std::nullopt;
    Job job;
    job.state = JobState::running;
    read_row(next, 0, job.id, job.student, job.lab, job.source_sha256, job.kit, job.lab_hash,
             job.device, job.seed, job.attempts, job.message);
    while (next.executeStep()) {
    }
    return job;
  });
}

void Gradebook::finish(std::int64_t job, const Outcome& outcome) {
  const Score score = score_in(outcome.json);
  SQLite::Database& db = state_->db;
  state_->write("write", [&] {
    require_running(run(db,
                        "UPDATE job SET state = 'done', message = '', finished_at = ?, again = 0 "
                        "WHERE id = ? AND state = 'running'",
                        now(), job),
                    job);
    run(db,
        "INSERT OR REPLACE INTO result(job, json, receipt, verdict, points, max_points, bonus, "
        "max_bonus, undecided) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
        job, outcome.json, outcome.receipt, score.verdict, score.points, score.max_points,
        score.bonus, score.max_bonus, score.undecided);
    run(db, "DELETE FROM rescored WHERE job = ?", job);
  });
}

JobState Gradebook::fail(std::int64_t job, const std::string& message, unsigned max_attempts) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] {
    SQLite::Statement put =
        query(db,
              "UPDATE job SET attempts = attempts + 1, message = ?1, finished_at = ?2, state = "
              "CASE WHEN attempts + 1 >= ?3 THEN 'failed' ELSE 'waiting' END, again = again AND "
              "attempts + 1 < ?3 WHERE id = ?4 AND state = 'running' RETURNING state",
              message, now(), max_attempts, job);
    require_running(put.executeStep() ? 1 : 0, job);
    const bool failed = put.getColumn(0).getString() == "failed";
    while (put.executeStep()) {
    }
    return failed ? JobState::failed : JobState::waiting;
  });
}

void Gradebook::give_back(std::int64_t job) {
  state_->write("write", [&] {
    require_running(
        run(state_->db, "UPDATE job SET state = 'waiting' WHERE id = ? AND state = 'running'", job),
        job);
  });
}

void Gradebook::grade_again(const std::string& student, const std::string& lab) {
  state_->write("write", [&] {
    run(state_->db,
        "UPDATE job SET state = 'waiting', attempts = 0, message = '' WHERE wanted AND student = ? "
        "AND lab = ?",
        student, lab);
  });
}

std::size_t Gradebook::grade_again(const std::vector<std::string>& labs) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] {
    std::vector<std::string> wish;
    if (count_again(db) > 0) {
      SQLite::Statement kept = query(db, "SELECT value FROM setting WHERE name = ?", kAgainSetting);
      if (kept.executeStep()) wish = json::parse(kept.getColumn(0).getString());
    }
    std::vector<std::string> more;
    for (const std::string& lab : labs)
      if (std::find(wish.begin(), wish.end(), lab) == wish.end()) more.push_back(lab);
    wish.insert(wish.end(), more.begin(), more.end());
    const int count =
        run(db,
            "UPDATE job SET state = 'waiting', attempts = 0, message = '', again = 1 WHERE state = "
            "'done' AND lab IN (SELECT value FROM json_each(?)) AND wanted",
            more);
    run(db, kPutSetting, kAgainSetting, wish);
    return static_cast<std::size_t>(count);
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
      (state == "waiting"   ? progress.waiting
       : state == "running" ? progress.running
       : state == "done"    ? progress.done
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
