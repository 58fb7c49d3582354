// How a class comes into the gradebook by and by: what of the new intake is new, what takes the place
// of what, what is gone.
#include <fmt/format.h>

#include <chrono>
#include <set>
#include <tuple>

#include "course/gradebook_state.h"
#include "course/known_students.h"

namespace labkit::course {
namespace {

using nlohmann::json;
using Key = std::pair<std::string, std::string>;  // student, lab

std::string list_text(const std::vector<std::string>& list) { return json_text(json(list)); }

/// A hand-in that is listed already.
struct Known {
  std::int64_t intake = 0;
  std::optional<std::int64_t> submitted_at;
  std::string path, download;
  bool gone = false, readable = false;
};

class Merger {
 public:
  Merger(SQLite::Database& db, Intake& intake, Gradebook::Gone gone)
      : db_(db), intake_(intake), drop_(gone == Gradebook::Gone::drop) {}

  Merged run() {
    use_known_ids(intake_, all_students());
    begin_intake();
    read_known();
    put_students();
    for (const Submission& one : intake_.submissions)
      if (!is_older(one)) put(one);
    find_gone();
    leave_out_students();
    put_remarks();
    put_downloads();
    return std::move(merged_);
  }

 private:
  std::vector<Student> all_students();
  void begin_intake();
  void read_known();
  void put_students();
  bool is_older(const Submission& one);
  void put(const Submission& one);
  void find_gone();
  void tell_gone(const Key& key, const Known& known);
  void leave_out_students();
  void put_remarks();
  void put_downloads();
  void exec(const std::string& sql, const std::vector<std::string>& texts = {});

  SQLite::Database& db_;
  Intake& intake_;
  bool drop_;
  std::int64_t id_ = 0;
  std::map<Key, Known> known_;
  Merged merged_;
};

/// The intake's number is ?1 wherever it is asked for.
void Merger::exec(const std::string& sql, const std::vector<std::string>& texts) {
  SQLite::Statement statement(db_, sql);
  if (statement.getBindParameterCount() > 0) statement.bind(1, id_);
  for (std::size_t i = 0; i < texts.size(); ++i) statement.bind(static_cast<int>(i) + 2, texts[i]);
  statement.exec();
}

std::vector<Student> Merger::all_students() {
  std::vector<Student> students;
  SQLite::Statement all(db_, "SELECT id, name, keys FROM student ORDER BY id");
  while (all.executeStep())
    students.push_back(
        {all.getColumn(0).getString(), all.getColumn(1).getString(),
         json::parse(all.getColumn(2).getString()).get<std::map<std::string, std::string>>(),
         false});
  return students;
}

void Merger::begin_intake() {
  SQLite::Statement put(db_, "INSERT INTO intake(at) VALUES(?)");
  put.bind(1, static_cast<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(
                                            std::chrono::system_clock::now().time_since_epoch())
                                            .count()));
  put.exec();
  id_ = db_.getLastInsertRowid();
}

void Merger::read_known() {
  SQLite::Statement all(
      db_,
      "SELECT student, lab, intake, submitted_at, path, gone, problem, download FROM submission "
      "WHERE present");
  while (all.executeStep()) {
    const Key key(all.getColumn(0).getString(), all.getColumn(1).getString());
    Known& known = known_[key];
    known.intake = all.getColumn(2).getInt64();
    if (!all.getColumn(3).isNull()) known.submitted_at = all.getColumn(3).getInt64();
    known.path = all.getColumn(4).getString();
    known.gone = all.getColumn(5).getInt() != 0;
    known.readable = all.getColumn(6).getString().empty();
    known.download = all.getColumn(7).getString();
  }
}

/// One download knows what another does not: keys are added to those that are known.
void Merger::put_students() {
  bool roster = false;
  SQLite::Statement put(
      db_,
      "INSERT INTO student(id, name, keys, on_roster, present, intake) VALUES(?2, ?3, ?4, ?5, 1, "
      "?1) ON CONFLICT(id) DO UPDATE SET name = excluded.name, keys = json_patch(keys, "
      "excluded.keys), on_roster = excluded.on_roster, present = 1, intake = excluded.intake");
  for (const Student& student : intake_.students) {
    put.bind(1, id_);
    put.bind(2, student.id);
    put.bind(3, student.name);
    put.bind(4, json_text(json(student.keys)));
    put.bind(5, student.on_roster ? 1 : 0);
    put.exec();
    put.reset();
    roster |= student.on_roster;
  }
  if (roster) exec("UPDATE student SET on_roster = 0 WHERE intake <> ?1");
}

/// Only where both times are known; otherwise what comes later is the newer. To drop what is gone is to
/// take this download at its word.
bool Merger::is_older(const Submission& one) {
  const auto at = known_.find({one.student, one.lab});
  if (at == known_.end()) return false;
  const Known& known = at->second;
  if (drop_ || !known.readable || !one.submitted_at || !known.submitted_at ||
      *one.submitted_at >= *known.submitted_at)
    return false;
  const std::string why = fmt::format("was handed in before {}, which stays", known.path);
  merged_.older.push_back({one.student, one.lab, fmt::format("{} {}", one.path, why)});
  intake_.remarks.push_back({Remark::Kind::not_chosen, one.path, one.student, why});
  exec("UPDATE submission SET intake = ?1, gone = 0 WHERE student = ?2 AND lab = ?3",
       {one.student, one.lab});
  return true;
}

void Merger::put(const Submission& one) {
  static const std::string kHandIn =
      "student, lab, path, source, source_sha256, late, submitted_at, lms_id, download, members, "
      "problem, notes";
  // What a result is of stays, with all that a grade depends on.
  SQLite::Statement keep(
      db_, "INSERT OR REPLACE INTO earlier(" + kHandIn + ") SELECT " + kHandIn +
               " FROM submission WHERE student = ? AND lab = ? AND source_sha256 <> ? AND "
               "EXISTS(SELECT 1 FROM job JOIN result ON result.job = job.id WHERE job.student = "
               "submission.student AND job.lab = submission.lab AND job.source_sha256 = "
               "submission.source_sha256)");
  keep.bind(1, one.student);
  keep.bind(2, one.lab);
  keep.bind(3, one.source_sha256);
  keep.exec();
  SQLite::Statement put(
      db_, "INSERT INTO submission(" + kHandIn +
               ", present, intake) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?) "
               "ON CONFLICT(student, lab) DO UPDATE SET path = excluded.path, source = "
               "excluded.source, "
               // another source has no result yet
               "job = CASE WHEN source_sha256 = excluded.source_sha256 THEN job END, "
               "source_sha256 = excluded.source_sha256, late = excluded.late, submitted_at = "
               "excluded.submitted_at, lms_id = excluded.lms_id, download = excluded.download, "
               "members = excluded.members, problem = excluded.problem, notes = excluded.notes, "
               "present = 1, intake = excluded.intake, gone = 0");
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
  put.bind(13, id_);
  put.exec();
}

/// A download is here again where at least half of those are who handed in that lab with it: what is
/// missing then is gone from it. Fewer are another section that shares some, unless the teacher says
/// that it is not.
void Merger::find_gone() {
  std::set<Key> here;
  for (const Submission& one : intake_.submissions) here.insert({one.student, one.lab});
  const auto scope = [](const Key& key, const Known& known) {
    return std::tuple(known.intake, known.download, key.second);
  };
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::pair<std::size_t, std::size_t>>
      again;
  for (const auto& [key, known] : known_) {
    const auto of = scope(key, known);
    auto& [seen, all] = again[of];
    seen += here.contains(key);
    all += here.contains(key) || !known.gone;
  }
  for (const auto& [key, known] : known_) {
    if (here.contains(key)) continue;
    const auto of = scope(key, known);
    const auto& [seen, all] = again[of];
    if (seen > 0 && (drop_ || 2 * seen >= all))
      tell_gone(key, known);
    else
      ++merged_.kept[key.second];
  }
}

void Merger::tell_gone(const Key& key, const Known& known) {
  const auto& [student, lab] = key;
  bool unreadable = false;
  for (const Remark& remark : intake_.remarks)
    unreadable |= remark.kind == Remark::Kind::refused && remark.student == student;
  // What cannot be read is there, whatever the teacher says of what is gone.
  const bool drops = drop_ && !unreadable;
  const std::string why =
      unreadable ? "could not be read this time; what is known from before stays"
      : drops    ? "is not in the new download any more, and was dropped from the lists"
                 : "is not in the new download any more; what is known from before stays";
  merged_.gone.push_back({student, lab, why});
  intake_.remarks.push_back(
      {Remark::Kind::gone, known.path, student, fmt::format("{} {}", lab, why)});
  exec(drops ? "UPDATE submission SET present = 0, intake = ?1 WHERE student = ?2 AND lab = ?3"
             : "UPDATE submission SET gone = 1, intake = ?1 WHERE student = ?2 AND lab = ?3",
       {student, lab});
}

/// Whoever was only named by a download of which nothing is left, or by a roster that does not name
/// them any more.
void Merger::leave_out_students() {
  bool roster = false;
  for (const Student& student : intake_.students) roster |= student.on_roster;
  exec(fmt::format(
      "UPDATE student SET present = 0 WHERE intake <> ?1 AND id NOT IN (SELECT student "
      "FROM submission WHERE present){}",
      roster ? "" : " AND intake NOT IN (SELECT intake FROM submission WHERE present)"));
  if (drop_)  // all of theirs was dropped
    exec(
        "UPDATE student SET present = 0 WHERE intake <> ?1 AND id NOT IN (SELECT student FROM "
        "submission WHERE present) AND id IN (SELECT student FROM submission WHERE intake = ?1)");
}

void Merger::put_remarks() {
  exec("DELETE FROM remark WHERE intake NOT IN (SELECT intake FROM submission WHERE present)");
  SQLite::Statement put(
      db_, "INSERT INTO remark(kind, path, student, text, intake) VALUES(?2, ?3, ?4, ?5, ?1)");
  for (const Remark& one : intake_.remarks) {
    exec("DELETE FROM remark WHERE intake <> ?1 AND path = ?2 AND student = ?3",
         {one.path, one.student});
    put.bind(1, id_);
    put.bind(2, static_cast<int>(one.kind));
    put.bind(3, one.path);
    put.bind(4, one.student);
    put.bind(5, one.text);
    put.exec();
    put.reset();
  }
}

void Merger::put_downloads() {
  exec("DELETE FROM download WHERE intake NOT IN (SELECT intake FROM submission WHERE present)");
  SQLite::Statement put(db_,
                        "INSERT INTO download(format, label, lab, intake) VALUES(?2, ?3, ?4, ?1)");
  for (const Root& root : intake_.roots) {
    put.bind(1, id_);
    put.bind(2, std::string(format_name(root.format)));
    put.bind(3, root.label);
    put.bind(4, root.lab);
    put.exec();
    put.reset();
  }
}

}  // namespace

Merged Gradebook::put_class(Intake intake, Gone gone) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] { return Merger(db, intake, gone).run(); });
}

}  // namespace labkit::course
