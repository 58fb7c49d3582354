// What of a new intake takes the place of what is there. A step of the Merger.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <stdexcept>

#include "class/gradebook/gradebook_merger.h"
#include "class/gradebook/gradebook_state.h"

namespace labkit::course {
namespace {

std::string list_text(const std::vector<std::string>& list) {
  return json_text(nlohmann::json(list));
}

}  // namespace

/// The intake's number is ?1 wherever it is asked for.
void Merger::exec(const std::string& sql, const std::vector<std::string>& texts) {
  SQLite::Statement statement(db_, sql);
  if (statement.getBindParameterCount() > 0) statement.bind(1, id_);
  for (std::size_t i = 0; i < texts.size(); ++i) statement.bind(static_cast<int>(i) + 2, texts[i]);
  statement.exec();
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
      db_, "SELECT student, lab, path, source_sha256, lms_id, gone FROM submission WHERE present");
  while (all.executeStep())
    known_[{all.getColumn(0).getString(), all.getColumn(1).getString()}] = {
        all.getColumn(2).getString(), all.getColumn(3).getString(), all.getColumn(4).getString(),
        static_cast<Gone>(all.getColumn(5).getInt())};
  hand_ins_ = read_hand_ins(db_);
  for (const auto& [key, known] : known_)
    if (const SeenHandIns::Seen* seen = hand_ins_[key].find(known.source_sha256))
      counts_[key] = seen->hand_in;
}

/// By a teacher, as "student/lab", "student" or "all".
bool Merger::is_named(const std::vector<std::string>& names, const Key& key) {
  bool is = false;
  for (const std::string& name : names)
    if (name == "all" || name == key.first || name == key.first + "/" + key.second) {
      used_.insert(name);
      is = true;
    }
  return is;
}

void Merger::require_named() const {
  const auto require = [&](const std::vector<std::string>& names, const char* of) {
    for (const std::string& name : names)
      if (!used_.contains(name))
        throw std::invalid_argument(fmt::format(
            "nothing of what {} is \"{}\": name a student and a lab, as in alice/lab3", of, name));
  };
  require(take_, "came in");
  require(keep_, "is gone");
}

/// Whatever a download is called now, one of an LMS is known by what is in it: Canvas's numbers of files are
/// of one file, Moodle's of participants of one assignment.
void Merger::know_downloads() {
  std::set<std::string> known;
  for (const auto& [key, hand_in] : counts_) known.insert(hand_in.download_key);
  std::map<std::string, std::set<std::string>> same;  // key now -> keys known
  const auto is_of = [](const HandIn& hand_in, Format format) {
    return hand_in.download_key.starts_with(std::string(format_name(format)) + " ");
  };
  for (const Submission& one : intake_.submissions) {
    const HandIn hand_in = hand_in_of(one);
    const Key key(one.student, one.lab);
    const auto counts = counts_.find(key);
    if (known.contains(hand_in.download_key) || counts == counts_.end()) continue;
    const HandIn& before = counts->second;
    if ((is_of(hand_in, Format::canvas) && is_of(before, Format::canvas) && hand_in.attempt > 0 &&
         hand_in.attempt == before.attempt) ||
        (is_of(hand_in, Format::moodle) && is_of(before, Format::moodle) && !one.lms_id.empty() &&
         one.lms_id == known_.at(key).lms_id))
      same[hand_in.download_key].insert(before.download_key);
  }
  const auto rename = [&](std::string& name) {
    if (const auto found = same.find(name); found != same.end() && found->second.size() == 1)
      name = *found->second.begin();
  };
  for (Submission& one : intake_.submissions) {
    rename(one.download_key);
    for (HandIn& other : one.others) rename(other.download_key);
    for (HandIn& copy : one.copies) rename(copy.download_key);
  }
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
    if (!one.readable)
      return fmt::format("the one from {} cannot be read; the one from {} counts", mine, counts);
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
  stay(one);
}

/// What is listed stays, and is in no download that it is gone from.
void Merger::stay(const Submission& one) {
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

  const bool taken = is_named(take_, key);
  if (taken) taken_.insert(key);
  const bool same = counts_before && counts_before->source_sha256 == one.source_sha256;
  bool is_sure = false;
  std::string why;
  // What cannot be read takes no place; the end of this tells of it, unless it is the older.
  const bool unread = counts_before && counts_before->readable && !hand_in.readable && !taken;
  if (counts_before && !same && !taken) why = why_older(hand_in, seen, *counts_before, is_sure);
  for (const HandIn& other : one.others) seen.put(other, false);
  seen.replace_unread(hand_in, one.others);
  // The same bytes again are the same hand-in, which keeps its latest time.
  const Order order = same ? order_of(hand_in, *counts_before) : Order{};
  seen.put(hand_in, why.empty() && order.sign >= 0);
  if (!why.empty())
    keep_out(one, why, is_sure);
  else if (unread || (same && order.sign < 0 && order.is_sure()))
    stay(one);
  else
    put(one);
  const std::string& counts =
      why.empty() && !unread ? one.source_sha256 : counts_before->source_sha256;
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
  const std::vector<HandIn> lost = seen.unread_after(counts);
  if (!lost.empty())
    merged_.unread.push_back(
        {one.student, one.lab, unread_text(seen.find(counts)->hand_in, lost.front())});
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

Merged Gradebook::put_class(Intake intake, Gone gone, const std::vector<std::string>& take,
                            const std::vector<std::string>& keep) {
  SQLite::Database& db = state_->db;
  return state_->write("write", [&] { return Merger(db, intake, gone, take, keep).run(); });
}

std::filesystem::path Gradebook::keep_copy(const std::string& name) const {
  for (unsigned number = 1;; ++number) {
    const std::string copy = fmt::format("{}.{}-{}", state_->file.string(), name, number);
    std::error_code unknown;
    if (std::filesystem::exists(copy, unknown)) continue;
    const std::lock_guard<std::mutex> lock(state_->mutex);
    try {
      SQLite::Statement into(state_->db, "VACUUM INTO ?");
      into.bind(1, copy);
      into.exec();
    } catch (const SQLite::Exception& error) {
      state_->rethrow("copy", error);
    }
    return copy;
  }
}

}  // namespace labkit::course
