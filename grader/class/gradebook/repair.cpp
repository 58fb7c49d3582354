// What becomes of damaged rows (gradebook_seals.h): what another part of the gradebook still tells is
// read from there, a result that nothing confirms is graded again, and what only a teacher can know is
// told as it reads now. Nothing is guessed.
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "class/gradebook/checksums.h"
#include "class/gradebook/state.h"
#include "class/grading/receipt.h"

namespace labkit::course {
namespace {

class Repairer {
 public:
  explicit Repairer(SQLite::Database& db) : db_(db) {}

  std::vector<std::string> repair(const std::vector<DamagedRow>& rows) {
    for (const DamagedRow& row : rows)
      if (row.table == "job") drop_job(row);
    for (const DamagedRow& row : rows)
      if (row.table == "result")
        repair_result(row);
      else if (row.table == "rescored")
        drop_score(row);
      else if (row.table == "source")
        repair_source(row);
      else if (row.table != "job")
        keep(row);
    drop_orphans();
    return std::move(lines_);
  }

 private:
  void say_dropped(const DamagedRow& row) {
    if (row.student.empty())
      lines_.push_back(fmt::format("{}: dropped", row.text));
    else if (again_.insert({row.student, row.lab}).second)
      lines_.push_back(
          fmt::format("{}: dropped; `{} class grade` grades it again", row.text, command_name()));
  }

  void drop_result(std::int64_t job) {
    run(db_, "DELETE FROM rescored WHERE job = ?", job);
    run(db_, "DELETE FROM result WHERE job = ?", job);
    run(db_, "UPDATE job SET state = 'waiting', message = '' WHERE id = ?", job);
  }

  /// What it stood for cannot be told any more; another is made of the same submission.
  void drop_job(const DamagedRow& row) {
    drop_result(row.rowid);
    run(db_, "DELETE FROM job WHERE id = ?", row.rowid);
    say_dropped(row);
  }

  void repair_result(const DamagedRow& row) {
    const std::string checksum = checksum_of(db_, "result", row.rowid);
    SQLite::Statement one = query(db_, "SELECT json, receipt FROM result WHERE job = ?", row.rowid);
    if (!one.executeStep()) return;  // gone with its job
    const std::string json = one.getColumn(0).getString(), receipt = one.getColumn(1).getString();
    one.reset();
    try {
      const Score score = score_in(json);
      put_score(db_, row.rowid, score);  // which writes its checksum
      if (checksum == checksum_of(db_, "result", row.rowid) ||
          (checksum.empty() && has_hash_of(receipt, json))) {
        lines_.push_back(
            fmt::format("{}: its verdict and points are read from what it holds: {}, {:g}",
                        row.text, to_valid_utf8(score.verdict), score.points));
        return;
      }
    } catch (const Error&) {  // it is none any more
    }
    drop_result(row.rowid);
    say_dropped(row);
  }

  static bool has_hash_of(const std::string& receipt, const std::string& json) {
    const auto parsed = nlohmann::json::parse(receipt, nullptr, false);
    const auto hash = parsed.is_object() ? parsed.find("result_sha256") : parsed.end();
    return parsed.is_object() && hash != parsed.end() && *hash == sha256_hex(comparable(json));
  }

  /// Made anew from the result, which rescore_all() does.
  void drop_score(const DamagedRow& row) {
    if (run(db_, "DELETE FROM rescored WHERE job = ?", row.rowid) > 0)
      lines_.push_back(fmt::format("{}: made anew", row.text));
  }

  /// A source that is not what was submitted must not be graded.
  void repair_source(const DamagedRow& row) {
    SQLite::Statement one =
        query(db_, "SELECT bytes, sha256 FROM source WHERE rowid = ?", row.rowid);
    if (!one.executeStep()) return;
    const std::string sha256 = one.getColumn(1).getString();
    const bool whole = sha256_hex(one.getColumn(0).getString()) == sha256;
    one.reset();
    if (whole) {
      write_checksum(db_, "source", row.rowid);
      lines_.push_back(row.text + ": is what was submitted");
      return;
    }
    // what it came with can be imported again
    run(db_, "DELETE FROM source WHERE rowid = ?", row.rowid);
    SQLite::Statement whose =
        query(db_, "SELECT DISTINCT student, lab FROM submission WHERE source_sha256 = ?", sha256);
    while (whose.executeStep())
      lines_.push_back(fmt::format(
          "what {} submitted for {}: name its download again to `{} class grade`; until then it is "
          "not graded",
          to_valid_utf8(whose.getColumn(0).getString()),
          to_valid_utf8(whose.getColumn(1).getString()), command_name()));
    whose.reset();
    run(db_, "DELETE FROM submission WHERE source_sha256 = ? AND problem = ''", sha256);
  }

  /// As it reads now; a teacher has to look.
  void keep(const DamagedRow& row) {
    write_checksum(db_, row.table, row.rowid);
    std::string line = row.text + ": stays as it reads now, to be checked";
    if (row.table == "decision") {
      SQLite::Statement one =
          query(db_, "SELECT kind, value, reason, made_by FROM decision WHERE id = ?", row.rowid);
      if (one.executeStep())
        line +=
            fmt::format(": {} {:g}, \"{}\" by {}; decide again if it is wrong",
                        to_valid_utf8(one.getColumn(0).getString()), one.getColumn(1).getDouble(),
                        to_valid_utf8(one.getColumn(2).getString()),
                        to_valid_utf8(one.getColumn(3).getString()));
    } else if (row.table == "setting") {
      line += "; name it again if it is wrong (a policy, a roster, a worksheet)";
    } else if (row.table == "student" || row.table == "submission" || row.table == "seen") {
      line += "; the download or roster that it came with, named again, sets it right";
    }
    lines_.push_back(line);
  }

  /// What damaged numbers led to.
  void drop_orphans() {
    SQLite::Statement lost(
        db_,
        "SELECT student, lab FROM job WHERE state = 'done' AND id NOT IN (SELECT job FROM result)");
    while (lost.executeStep())
      say_dropped({"result", 0, lost.getColumn(0).getString(), lost.getColumn(1).getString(),
                   fmt::format("the result of {}, {}", lost.getColumn(0).getString(),
                               lost.getColumn(1).getString())});
    lost.reset();
    db_.exec("DELETE FROM rescored WHERE job NOT IN (SELECT id FROM job)");
    db_.exec("DELETE FROM result WHERE job NOT IN (SELECT id FROM job)");
    db_.exec(
        "UPDATE job SET state = 'waiting' WHERE state = 'done' AND id NOT IN (SELECT "
        "job FROM result)");
  }

  SQLite::Database& db_;
  std::vector<std::string> lines_;
  std::set<std::pair<std::string, std::string>> again_;
};

}  // namespace

void Gradebook::State::copy_aside() {
  std::string copy = file.string() + ".damaged";
  for (int number = 2; std::filesystem::exists(copy); ++number)
    copy = fmt::format("{}.damaged-{}", file.string(), number);
  run(db, "VACUUM INTO ?", copy);
}

void Gradebook::State::require_sound() {
  if (const std::string damage = structural_damage(db); !damage.empty())
    throw GradebookFault(fmt::format("the gradebook {} is damaged: {}", file.string(), damage),
                         repair_text());
  const std::vector<DamagedRow> rows = damaged_rows(db);
  if (rows.empty()) return;
  constexpr std::size_t kMost = 5;
  std::string list;
  for (std::size_t i = 0; i < std::min(rows.size(), kMost); ++i)
    list += (i == 0 ? "" : "; ") + rows[i].text;
  if (rows.size() > kMost) list += fmt::format("; and {} more", rows.size() - kMost);
  throw GradebookFault(
      fmt::format("the gradebook {} is damaged: not as it was written: {}", file.string(), list),
      repair_text());
}

std::string Gradebook::State::repair_text() const {
  return fmt::format(
      "Restore it from a backup, or run `{} class rescore {}`: it reads again what the gradebook "
      "still tells, drops results that nothing confirms (`class grade` grades them again), and "
      "names what you have to check.",
      command_name(), file.parent_path().string());
}

std::vector<std::string> Gradebook::repair() {
  try {
    const bool broken = !structural_damage(state_->db).empty();
    if (!broken && damaged_rows(state_->db).empty()) return {};
    const GradingLock lock(state_->file);
    state_->copy_aside();
    std::vector<std::string> lines;
    if (broken) {
      state_->db.exec("REINDEX");
      if (const std::string still = structural_damage(state_->db); !still.empty())
        throw SQLite::Exception(still, SQLITE_CORRUPT);
      lines.emplace_back("its indexes: made anew");
    }
    std::vector<std::string> rows = state_->write(
        "repair", [&] { return Repairer(state_->db).repair(damaged_rows(state_->db)); });
    lines.insert(lines.end(), rows.begin(), rows.end());
    state_->require_sound();
    return lines;
  } catch (const SQLite::Exception& error) {
    state_->rethrow("repair", error);
  }
}

}  // namespace labkit::course
