// How a class comes into the gradebook by and by: what of the new intake is new, what takes the place
// of what, what is gone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "course/download_copies.h"
#include "course/gradebook_hand_ins.h"
#include "course/gradebook_state.h"
#include "course/known_students.h"

namespace labkit::course {
namespace {

using nlohmann::json;
using Key = std::pair<std::string, std::string>;  // student, lab

std::string list_text(const std::vector<std::string>& list) { return json_text(json(list)); }

/// A hand-in that is listed already.
struct Known {
  std::string path, source_sha256;
  bool gone = false;  ///< from the download it came with
};

class Merger {
 public:
  Merger(SQLite::Database& db, Intake& intake, Gradebook::Gone gone,
         const std::vector<std::string>& take)
      : db_(db), intake_(intake), drop_(gone == Gradebook::Gone::drop), take_(take) {}

  Merged run() {
    begin_intake();
    know_students();
    read_known();
    copies_.emplace(intake_.submissions, counts_);
    put_students();
    for (const Submission& one : intake_.submissions) merge(one);
    require_taken();
    find_gone();
    leave_out_students();
    put_remarks();
    put_downloads();
    return std::move(merged_);
  }

 private:
  std::vector<Student> all_students();
  void begin_intake();
  void know_students();
  void join(const SameStudent& same);
  void read_known();
  void put_students();
  void merge(const Submission& one);
  bool is_taken(const Submission& one);
  void require_taken() const;
  std::string why_older(const HandIn& one, const SeenHandIns& seen, const HandIn& known,
                        bool& is_sure) const;
  void keep_out(const Submission& one, const std::string& why, bool is_sure);
  void put(const Submission& one);
  void find_gone();
  void find_only_in_older();
  void tell_gone(const Key& key, const Known& known, const std::string& what);
  void leave_out_students();
  void put_remarks();
  void put_downloads();
  void exec(const std::string& sql, const std::vector<std::string>& texts = {});

  SQLite::Database& db_;
  Intake& intake_;
  bool drop_;
  const std::vector<std::string>& take_;
  std::set<std::string> used_;  ///< of take_
  std::int64_t id_ = 0;
  std::map<Key, Known> known_;           ///< listed before
  std::map<Key, SeenHandIns> hand_ins_;  ///< as they become
  std::map<Key, HandIn> counts_;         ///< before this intake
  std::set<Key> taken_;                  ///< a teacher named them
  std::optional<DownloadCopies> copies_;
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
  SQLite::Statement all(
      db_, "SELECT id, CASE WHEN present THEN name ELSE '' END, keys FROM student ORDER BY id");
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

void Merger::know_students() {
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
void Merger::join(const SameStudent& same) {
  static const std::string tables[] = {"submission", "job", "decision", "hand_in", "earlier"};
  std::string labs;
  for (const std::string& table : tables)
    labs += fmt::format("{}SELECT student, lab FROM {}", labs.empty() ? "" : " UNION ", table);
  SQLite::Statement common(db_, fmt::format("SELECT group_concat(lab, ', ') FROM (SELECT lab FROM "
                                            "({0}) WHERE student = ?1 INTERSECT SELECT lab FROM "
                                            "({0}) WHERE student = ?2)",
                                            labs));
  common.bind(1, same.known);
  common.bind(2, same.to);
  if (common.executeStep() && !common.getColumn(0).isNull()) {
    intake_.remarks.push_back(
        {Remark::Kind::roster, same.known, same.to,
         fmt::format("{} and {} are one student by the name on the roster, but both have {}; left "
                     "as two",
                     same.known, same.to, common.getColumn(0).getString())});
    return;
  }
  for (const std::string& table : tables)
    exec("UPDATE " + table + " SET student = ?3 WHERE student = ?2", {same.known, same.to});
  exec("UPDATE remark SET student = ?3 WHERE student = ?2", {same.known, same.to});
  for (const std::string table : {"submission", "earlier"})
    exec("UPDATE " + table +
             " SET members = (SELECT json_group_array(CASE WHEN value = ?2 THEN ?3 ELSE value END) "
             "FROM json_each(members)) WHERE EXISTS(SELECT 1 FROM json_each(members) WHERE "
             "value = ?2)",
         {same.known, same.to});
  exec("DELETE FROM student WHERE id = ?2", {same.known});
  merged_.people.push_back(
      fmt::format("{} is {} of the roster, by the name alone: results and decisions are {}'s now",
                  same.known, same.to, same.to));
}

void Merger::read_known() {
  SQLite::Statement all(
      db_, "SELECT student, lab, path, source_sha256, gone FROM submission WHERE present");
  while (all.executeStep())
    known_[{all.getColumn(0).getString(), all.getColumn(1).getString()}] = {
        all.getColumn(2).getString(), all.getColumn(3).getString(), all.getColumn(4).getInt() != 0};
  hand_ins_ = read_hand_ins(db_);
  for (const auto& [key, known] : known_)
    if (const SeenHandIns::Seen* seen = hand_ins_[key].find(known.source_sha256))
      counts_[key] = seen->hand_in;
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

/// What a teacher named counts, whatever is newer.
bool Merger::is_taken(const Submission& one) {
  bool is = false;
  for (const std::string& name : take_)
    if (name == "all" || name == one.student || name == one.student + "/" + one.lab) {
      used_.insert(name);
      is = true;
    }
  return is;
}

void Merger::require_taken() const {
  for (const std::string& name : take_)
    if (!used_.contains(name))
      throw std::invalid_argument(fmt::format(
          "nothing of what came in is \"{}\": name a student and a lab, as in alice/lab3", name));
}

/// Why `one` does not take the place of `known`, which is listed; "" if it does.
std::string Merger::why_older(const HandIn& one, const SeenHandIns& seen, const HandIn& known,
                              bool& is_sure) const {
  Order order = order_of(one, known);
  if (!one.readable && known.readable) {  // told as what was handed in since, if it was
    HandIn readable = one;
    readable.readable = true;
    order = order_of(readable, known);
  }
  is_sure = order.is_sure();
  const auto [mine, counts] = hand_in_texts(one, known, order.by);
  const SeenHandIns::Seen* before = seen.find(one.source_sha256);
  if (before && before->put_aside) {
    is_sure = true;
    return fmt::format("you put the one from {} aside; the one from {} counts", mine, counts);
  }
  if (order.sign > 0) return {};
  if (order.sign < 0 && order.by == Order::By::contents)
    return fmt::format("the one from {} is the stub as it was handed out; the one from {} counts",
                       mine, counts);
  if (order.sign < 0)
    return fmt::format("the one from {} is older than the one from {}, which counts", mine, counts);
  if (before && !before->superseded_by.empty() && order.by == Order::By::nothing)
    return fmt::format("the one from {} was here before the one from {}, which counts", mine,
                       counts);
  return {};
}

void Merger::keep_out(const Submission& one, const std::string& why, bool is_sure) {
  merged_.older.push_back({one.student, one.lab, why});
  if (is_sure)
    intake_.remarks.push_back(
        {Remark::Kind::not_chosen, one.path, one.student, one.lab + ": " + why});
  exec("UPDATE submission SET intake = ?1, gone = 0 WHERE student = ?2 AND lab = ?3",
       {one.student, one.lab});
}

void Merger::merge(const Submission& one) {
  const Key key(one.student, one.lab);
  SeenHandIns& seen = hand_ins_[key];
  const HandIn hand_in = hand_in_of(one);
  const auto known = known_.find(key);
  const SeenHandIns::Seen* before =
      known == known_.end() ? nullptr : seen.find(known->second.source_sha256);
  std::optional<HandIn> counts_before;
  if (before) counts_before = before->hand_in;

  const bool taken = is_taken(one);
  if (taken) taken_.insert(key);
  const bool same = counts_before && counts_before->source_sha256 == one.source_sha256;
  bool is_sure = false;
  std::string why;
  if (counts_before && !same && !taken) why = why_older(hand_in, seen, *counts_before, is_sure);
  for (const HandIn& other : one.others) seen.put(other, false);
  // The same bytes again are the same hand-in, which keeps its latest time.
  const Order order = same ? order_of(hand_in, *counts_before) : Order{};
  seen.put(hand_in, why.empty() && order.sign >= 0);
  if (!why.empty())
    keep_out(one, why, is_sure);
  else if (same && order.sign < 0 && order.is_sure())
    exec("UPDATE submission SET intake = ?1, gone = 0 WHERE student = ?2 AND lab = ?3",
         {one.student, one.lab});
  else
    put(one);
  const std::string& counts = why.empty() ? one.source_sha256 : counts_before->source_sha256;
  seen.let_count(counts, taken);
  write_hand_ins(db_, one.student, one.lab, seen);
  if (taken) {
    const HandIn before_it = counts_before.value_or(hand_in);
    const auto [mine, other] = hand_in_texts(hand_in, before_it, Order::By::file_times);
    merged_.taken.push_back(
        {one.student, one.lab,
         same || !counts_before
             ? fmt::format("the one from {} counts", mine)
             : fmt::format("the one from {} counts, not the one from {}", mine, other)});
  } else if (why.empty()) {
    const std::vector<HandIn> rivals = seen.rivals_of(counts);
    if (!rivals.empty())
      merged_.rivals.push_back(
          {one.student, one.lab, rivals_text(seen.find(counts)->hand_in, rivals)});
  }
}

void Merger::put(const Submission& one) {
  static const std::string hand_in_columns =
      "student, lab, path, source, source_sha256, late, submitted_at, lms_id, download, members, "
      "problem, notes";
  // What a result is of stays, with all that a grade depends on.
  SQLite::Statement keep(
      db_, "INSERT OR REPLACE INTO earlier(" + hand_in_columns + ") SELECT " + hand_in_columns +
               " FROM submission WHERE student = ? AND lab = ? AND source_sha256 <> ? AND "
               "EXISTS(SELECT 1 FROM job JOIN result ON result.job = job.id WHERE job.student = "
               "submission.student AND job.lab = submission.lab AND job.source_sha256 = "
               "submission.source_sha256)");
  keep.bind(1, one.student);
  keep.bind(2, one.lab);
  keep.bind(3, one.source_sha256);
  keep.exec();
  SQLite::Statement put(
      db_, "INSERT INTO submission(" + hand_in_columns +
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

/// Of a download that is here again, in a copy that is no older.
void Merger::find_gone() {
  std::set<Key> here;
  for (const Submission& one : intake_.submissions) here.insert({one.student, one.lab});
  for (const auto& [key, known] : known_) {
    if (here.contains(key)) continue;
    const SeenHandIns::Seen* seen = hand_ins_[key].find(known.source_sha256);
    if (seen && !seen->hand_in.download_key.empty() &&
        copies_->is_here_again(seen->hand_in.download_key, key.second))
      tell_gone(key, known,
                fmt::format("was in {} before, and is not any more", seen->hand_in.input));
    else
      ++merged_.kept[key.second];
  }
  find_only_in_older();
}

/// Here, but only in a copy of its download that is older than another, which is here or was.
void Merger::find_only_in_older() {
  for (const Submission& one : intake_.submissions) {
    const Key key(one.student, one.lab);
    const DownloadCopies::OnlyIn where = copies_->where_is(one);
    if (where == DownloadCopies::OnlyIn::a_current || taken_.contains(key)) continue;
    if (const auto known = known_.find(key); known != known_.end()) {
      const auto counts = counts_.find(key);
      // What counts came with another download, or with the newer copy.
      if (counts == counts_.end() || counts->second.download_key != one.download_key ||
          (where == DownloadCopies::OnlyIn::older_than_known && !known->second.gone))
        continue;
    }
    tell_gone(key, {one.path, one.source_sha256},
              fmt::format("is in {}, and not in a newer copy of it", one.input));
  }
}

void Merger::tell_gone(const Key& key, const Known& known, const std::string& what) {
  const auto& [student, lab] = key;
  bool unreadable = false;
  for (const Remark& remark : intake_.remarks)
    unreadable |= remark.kind == Remark::Kind::refused && remark.student == student;
  // What cannot be read is there, whatever the teacher says of what is gone.
  const bool drops = drop_ && !unreadable;
  const std::string why =
      unreadable ? "could not be read this time; what is known from before stays"
      : drops    ? fmt::format(
                       "{}: dropped from the lists; its result is kept, and comes back with a "
                          "download that has it",
                       what)
              : what + "; it stays";
  (drops ? merged_.dropped : merged_.gone).push_back({student, lab, why});
  // What the teacher has dropped is no case to look at.
  intake_.remarks.push_back({drops ? Remark::Kind::not_chosen : Remark::Kind::gone, known.path,
                             student, fmt::format("{} {}", lab, why)});
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
        "UPDATE student SET present = 0 WHERE (intake <> ?1 OR NOT on_roster) AND id NOT IN "
        "(SELECT "
        "student FROM submission WHERE present) AND id IN (SELECT student FROM submission WHERE "
        "intake = ?1)");
}

void Merger::put_remarks() {
  exec("DELETE FROM remark WHERE intake NOT IN (SELECT intake FROM submission WHERE present)");
  SQLite::Statement put(
      db_, "INSERT INTO remark(kind, path, student, text, intake) VALUES(?2, ?3, ?4, ?5, ?1)");
  // Of other downloads: path, student. The table has no index, and may hold thousands.
  std::multimap<std::pair<std::string, std::string>, std::int64_t> before;
  SQLite::Statement others(db_, "SELECT path, student, id FROM remark WHERE intake <> ?1");
  others.bind(1, id_);
  while (others.executeStep())
    before.emplace(std::pair(others.getColumn(0).getString(), others.getColumn(1).getString()),
                   others.getColumn(2).getInt64());
  SQLite::Statement drop(db_, "DELETE FROM remark WHERE id = ?");
  for (const Remark& one : intake_.remarks) {
    const auto [first, last] = before.equal_range({one.path, one.student});
    for (auto at = first; at != last; ++at) {
      drop.bind(1, at->second);
      drop.exec();
      drop.reset();
    }
    before.erase(first, last);
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

Merged Gradebook::put_class(Intake intake, Gone gone, const std::vector<std::string>& take) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] { return Merger(db, intake, gone, take).run(); });
}

}  // namespace labkit::course
