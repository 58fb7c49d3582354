// What of a new intake takes the place of what is there.
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <mutex>
#include <set>

#include "class/gradebook/seen.h"
#include "class/gradebook/state.h"
#include "class/intake/students.h"

namespace labkit::course {
namespace {

using nlohmann::json;

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// How an import goes into the gradebook, step by step: who is who, what replaces what, what is reported and for how long.
class Merger {
 public:
  Merger(SQLite::Database& db, Intake& intake) : db_(db), intake_(intake) {}

  Merged run() {
    course::run(db_, "INSERT INTO intake(at) VALUES(?)", std::time(nullptr));
    id_ = db_.getLastInsertRowid();
    know_students();
    read_known();
    put_students();
    for (const Submission& one : intake_.submissions) merge(one);
    leave_out_students();
    forget_intakes();
    put_remarks();
    put_downloads();
    return std::move(merged_);
  }

 private:
  using Key = std::pair<std::string, std::string>;  // student, lab

  void read_known() {
    SQLite::Statement all(db_, "SELECT student, lab, source_sha256 FROM submission");
    while (all.executeStep()) {
      Key key;
      std::string source;
      read_row(all, 0, key.first, key.second, source);
      listed_[key] = source;
    }
    attempts_ = read_attempts(db_);
    std::set<Key> here;
    for (const Submission& one : intake_.submissions) here.insert({one.student, one.lab});
    for (const auto& [key, source] : listed_)
      if (!here.contains(key)) ++merged_.kept[key.second];
  }

  /// Why `one` does not replace `known`, which is listed; "" if it does.
  std::string why_older(const Attempt& one, const SeenAttempts& seen, const Attempt& known,
                        bool& is_sure) const {
    Order order = order_of(one, known);
    if (!one.readable && known.readable) {  // reported as submitted since, if it was
      Attempt readable = one;
      readable.readable = true;
      order = order_of(readable, known);
    }
    is_sure = order.is_sure();
    const auto [mine, counts] = attempt_texts(one, known, order.by);
    const SeenAttempts::Seen* before = seen.find(one.source_sha256);
    if (before && before->put_aside) {
      is_sure = true;
      return fmt::format("the one from {} cannot be read; the one from {} counts", mine, counts);
    }
    if (order.sign > 0) return {};
    if (order.sign < 0 && order.by == Order::By::contents)
      return fmt::format("the one from {} is the unchanged stub; the one from {} counts", mine,
                         counts);
    if (order.sign < 0)
      return fmt::format("the one from {} is older than the one from {}, which counts", mine,
                         counts);
    if (before && !before->superseded_by.empty() && order.by == Order::By::nothing)
      return fmt::format("the one from {} was here before the one from {}, which counts", mine,
                         counts);
    return {};
  }

  void keep_out(const Submission& one, const std::string& why, bool is_sure) {
    merged_.older.push_back({one.student, one.lab, why});
    if (is_sure)
      intake_.remarks.push_back(
          {Remark::Kind::not_chosen, one.path, one.student, one.lab + ": " + why});
    stay(one);
  }

  /// What is listed stays.
  void stay(const Submission& one) {
    course::run(db_, "UPDATE submission SET intake = ? WHERE student = ? AND lab = ?", id_,
                one.student, one.lab);
  }

  void merge(const Submission& one) {
    const Key key(one.student, one.lab);
    SeenAttempts& seen = attempts_[key];
    const Attempt attempt = attempt_of(one);
    const auto listed = listed_.find(key);
    const SeenAttempts::Seen* before =
        listed == listed_.end() ? nullptr : seen.find(listed->second);
    std::optional<Attempt> counts_before;
    if (before) counts_before = before->attempt;

    const bool same = counts_before && counts_before->source_sha256 == one.source_sha256;
    bool is_sure = false;
    std::string why;
    // What cannot be read replaces nothing; the end of this reports it, unless it is the older.
    const bool unread = counts_before && counts_before->readable && !attempt.readable;
    if (counts_before && !same) why = why_older(attempt, seen, *counts_before, is_sure);
    for (const Attempt& other : one.others) seen.put(other, false);
    seen.replace_unread(attempt, one.others);
    // The same bytes again are the same submission, which keeps its latest time.
    const Order order = same ? order_of(attempt, *counts_before) : Order{};
    seen.put(attempt, why.empty() && order.sign >= 0);
    if (!why.empty())
      keep_out(one, why, is_sure);
    else if (unread || (same && order.sign < 0 && order.is_sure()))
      stay(one);
    else
      put(one);
    const std::string& counts =
        why.empty() && !unread ? one.source_sha256 : counts_before->source_sha256;
    seen.let_count(counts);
    write_attempts(db_, one.student, one.lab, seen);
    const Attempt& counting = seen.find(counts)->attempt;
    if (why.empty())
      if (const std::vector<Attempt> rivals = seen.rivals_of(counts); !rivals.empty())
        merged_.rivals.push_back({one.student, one.lab, rivals_text(counting, rivals)});
    if (const std::vector<Attempt> lost = seen.unread_after(counts); !lost.empty())
      merged_.unread.push_back({one.student, one.lab, unread_text(counting, lost.front())});
  }

  void put(const Submission& one) {
    static const std::string columns =
        "student, lab, path, source, source_sha256, late, submitted_at, lms_id, download, members, "
        "problem, notes";
    // What a result is of stays, with all that a grade depends on.
    course::run(
        db_,
        "INSERT OR REPLACE INTO earlier(" + columns + ") SELECT " + columns +
            " FROM submission WHERE student = ? AND lab = ? AND source_sha256 <> ? AND "
            "EXISTS(SELECT "
            "1 FROM job JOIN result ON result.job = job.id WHERE job.student = submission.student "
            "AND job.lab = submission.lab AND job.source_sha256 = submission.source_sha256)",
        one.student, one.lab, one.source_sha256);
    course::run(
        db_,
        "INSERT INTO submission(" + columns +
            ", intake) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(student, lab) DO "
            "UPDATE SET path = excluded.path, source = excluded.source, "
            // another source has no result yet
            "job = CASE WHEN source_sha256 = excluded.source_sha256 THEN job END, source_sha256 = "
            "excluded.source_sha256, late = excluded.late, submitted_at = excluded.submitted_at, "
            "lms_id = excluded.lms_id, download = excluded.download, members = excluded.members, "
            "problem = excluded.problem, notes = excluded.notes, intake = excluded.intake",
        one.student, one.lab, one.path, Blob{one.source}, one.source_sha256, one.late,
        one.submitted_at, one.lms_id, one.download, one.group, one.problem, one.notes, id_);
  }

  /// Remarks and downloads of which nothing listed comes any more. What could not be read stays until its download is
  /// here again: a newer submission of all the others does not make it readable.
  void forget_intakes() {
    std::set<std::string> here;
    for (const Root& root : intake_.roots) here.insert(download_key(root.label));
    std::set<std::int64_t> unread, others;
    SQLite::Statement before = query(db_,
                                     "SELECT DISTINCT intake FROM remark WHERE kind IN (?, ?) AND "
                                     "intake NOT IN (SELECT intake FROM submission)",
                                     Remark::Kind::refused, Remark::Kind::unread);
    while (before.executeStep()) unread.insert(before.getColumn(0).getInt64());
    std::map<std::int64_t, std::set<std::string>> downloads_of;  // by intake
    SQLite::Statement downloads =
        query(db_, "SELECT intake, label FROM download WHERE intake <> ?", id_);
    while (downloads.executeStep()) {
      const std::string key = download_key(downloads.getColumn(1).getString());
      downloads_of[downloads.getColumn(0).getInt64()].insert(key);
      if (!here.contains(key)) others.insert(downloads.getColumn(0).getInt64());
    }
    std::string kept = "SELECT intake FROM submission";
    for (const std::int64_t intake : unread)
      if (others.contains(intake)) kept += fmt::format(" UNION SELECT {}", intake);
    db_.exec("DELETE FROM download WHERE intake NOT IN (" + kept + ")");
    db_.exec("DELETE FROM remark WHERE intake NOT IN (" + kept + ")");
    course::run(db_,
                "DELETE FROM remark WHERE kind NOT IN (?, ?) AND intake NOT IN (SELECT intake FROM "
                "submission)",
                Remark::Kind::refused, Remark::Kind::unread);
    // A download that was broken and is whole now; a file of the same download that can be read now.
    std::map<std::pair<std::string, std::string>, std::string>
        readable;  // student, path -> download
    for (const Submission& one : intake_.submissions)
      if (one.problem.empty())
        readable[{one.student, one.path}] = download_key(last_part(one.input));
    SQLite::Statement refused = query(
        db_,
        "SELECT id, kind, student, path, intake FROM remark WHERE kind IN (?, ?) AND intake <> ?",
        Remark::Kind::refused, Remark::Kind::unread, id_);
    std::vector<std::int64_t> readable_now;
    while (refused.executeStep()) {
      const std::string path = refused.getColumn(3).getString();
      if (refused.getColumn(1).getInt() == static_cast<int>(Remark::Kind::unread)) {
        if (here.contains(download_key(last_part(path))))
          readable_now.push_back(refused.getColumn(0).getInt64());
        continue;
      }
      const auto now = readable.find({refused.getColumn(2).getString(), path});
      if (now != readable.end() &&
          downloads_of[refused.getColumn(4).getInt64()].contains(now->second))
        readable_now.push_back(refused.getColumn(0).getInt64());
    }
    for (const std::int64_t id : readable_now)
      course::run(db_, "DELETE FROM remark WHERE id = ?", id);
  }

  void put_remarks() {
    // Of other downloads: path, student. The table has no index, and may hold thousands.
    std::multimap<std::pair<std::string, std::string>, std::int64_t> before;
    SQLite::Statement others =
        query(db_, "SELECT path, student, id FROM remark WHERE intake <> ?", id_);
    while (others.executeStep())
      before.emplace(std::pair(others.getColumn(0).getString(), others.getColumn(1).getString()),
                     others.getColumn(2).getInt64());
    SQLite::Statement drop(db_, "DELETE FROM remark WHERE id = ?");
    SQLite::Statement put(
        db_, "INSERT INTO remark(intake, kind, path, student, text) VALUES(?, ?, ?, ?, ?)");
    for (const Remark& one : intake_.remarks) {
      const auto [first, last] = before.equal_range({one.path, one.student});
      for (auto at = first; at != last; ++at) {
        bind_all(drop, at->second);
        drop.exec();
      }
      before.erase(first, last);
      bind_all(put, id_, one.kind, one.path, one.student, one.text);
      put.exec();
    }
  }

  void put_downloads() {
    for (const Root& root : intake_.roots)
      course::run(db_, "INSERT INTO download(intake, format, label, lab) VALUES(?, ?, ?, ?)", id_,
                  format_name(root.format), root.label, root.lab);
  }

  std::vector<Student> all_students() {
    std::vector<Student> students;
    SQLite::Statement all(
        db_, "SELECT id, CASE WHEN present THEN name ELSE '' END, keys FROM student ORDER BY id");
    while (all.executeStep()) {
      Student& one = students.emplace_back();
      read_row(all, 0, one.id, one.name, one.keys);
    }
    return students;
  }

  void know_students() {
    const std::size_t before = intake_.remarks.size();
    const std::vector<SameStudent> same = use_known_ids(intake_, all_students());
    for (const SameStudent& one : same)
      if (one.both_known)
        join(one);
      else
        merged_.people.push_back(
            fmt::format("{} is {} of the roster, by the name alone, and stays {} here", one.known,
                        one.to, one.known));
    for (std::size_t i = before; i < intake_.remarks.size(); ++i)
      merged_.people.push_back(intake_.remarks[i].text);
  }

  /// Results and decisions of what was known before the roster go to its student, unless one of them
  /// would hide another.
  void join(const SameStudent& same) {
    static const std::string tables[] = {"submission", "job", "decision", "attempt", "earlier"};
    std::string labs;
    for (const std::string& table : tables)
      labs += fmt::format("{}SELECT student, lab FROM {}", labs.empty() ? "" : " UNION ", table);
    SQLite::Statement common = query(
        db_,
        fmt::format("SELECT group_concat(lab, ', ') FROM (SELECT lab FROM ({0}) WHERE student "
                    "= ?1 INTERSECT SELECT lab FROM ({0}) WHERE student = ?2)",
                    labs),
        same.known, same.to);
    if (common.executeStep() && !common.getColumn(0).isNull()) {
      intake_.remarks.push_back(
          {Remark::Kind::roster, same.known, same.to,
           fmt::format(
               "{} and {} are one student by the name on the roster, but both have {}; left as two",
               same.known, same.to, common.getColumn(0).getString())});
      return;
    }
    const auto change = [&](const std::string& sql) { course::run(db_, sql, same.known, same.to); };
    for (const std::string& table : tables)
      change("UPDATE " + table + " SET student = ?2 WHERE student = ?1");
    change("UPDATE remark SET student = ?2 WHERE student = ?1");
    for (const std::string table : {"submission", "earlier"})
      change("UPDATE " + table +
             " SET members = (SELECT json_group_array(CASE WHEN value = ?1 THEN ?2 ELSE value END) "
             "FROM "
             "json_each(members)) WHERE EXISTS(SELECT 1 FROM json_each(members) WHERE value = ?1)");
    course::run(db_, "DELETE FROM student WHERE id = ?", same.known);
    merged_.people.push_back(
        fmt::format("{} is {} of the roster, by the name alone: results and decisions are {}'s now",
                    same.known, same.to, same.to));
  }

  /// One download knows what another does not: keys are added to those that are known.
  void put_students() {
    bool roster = false;
    SQLite::Statement put(
        db_,
        "INSERT INTO student(intake, id, name, keys, on_roster, present) VALUES(?, ?, ?, ?, ?, 1) "
        "ON "
        "CONFLICT(id) DO UPDATE SET name = excluded.name, keys = json_patch(keys, excluded.keys), "
        "on_roster = excluded.on_roster, present = 1, intake = excluded.intake");
    SQLite::Statement before(db_, "SELECT name FROM student WHERE id = ? AND on_roster");
    for (const Student& student : intake_.students) {
      bind_all(before, student.id);
      if (student.on_roster && before.executeStep()) {
        const std::string name = before.getColumn(0).getString();
        if (!name.empty() && !student.name.empty() && name != student.name)
          merged_.people.push_back(fmt::format("{} was {} on the roster before, and is {} now",
                                               student.id, name, student.name));
      }
      before.reset();
      bind_all(put, id_, student.id, student.name, student.keys, student.on_roster);
      put.exec();
      roster |= student.on_roster;
    }
    if (roster) course::run(db_, "UPDATE student SET on_roster = 0 WHERE intake <> ?", id_);
  }

  /// Whoever was only named by a download of which nothing is left, or by a roster that does not name
  /// them any more.
  void leave_out_students() {
    bool roster = false;
    for (const Student& student : intake_.students) roster |= student.on_roster;
    course::run(
        db_,
        fmt::format("UPDATE student SET present = 0 WHERE intake <> ?1 AND id NOT IN (SELECT "
                    "student FROM submission){}",
                    roster ? "" : " AND intake NOT IN (SELECT intake FROM submission)"),
        id_);
  }

  SQLite::Database& db_;
  Intake& intake_;
  std::int64_t id_ = 0;                   ///< of this import
  std::map<Key, std::string> listed_;     ///< before this import: the source's hash
  std::map<Key, SeenAttempts> attempts_;  ///< as they become
  Merged merged_;
};

}  // namespace

Merged Gradebook::put_class(Intake intake) {
  return state_->write("write", [&] { return Merger(state_->db, intake).run(); });
}

std::filesystem::path Gradebook::keep_copy(const std::string& name) const {
  for (unsigned number = 1;; ++number) {
    const std::string copy = fmt::format("{}.{}-{}", state_->file.string(), name, number);
    std::error_code unknown;
    if (std::filesystem::exists(copy, unknown)) continue;
    const std::lock_guard<std::mutex> lock(state_->mutex);
    try {
      run(state_->db, "VACUUM INTO ?", copy);
    } catch (const SQLite::Exception& error) {
      state_->rethrow("copy", error);
    }
    return copy;
  }
}

}  // namespace labkit::course
