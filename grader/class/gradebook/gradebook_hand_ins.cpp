#include "class/gradebook/gradebook_hand_ins.h"

#include <fmt/format.h>

#include <algorithm>

namespace labkit::course {
namespace {

std::optional<std::int64_t> time_of(const SQLite::Column& column) {
  if (column.isNull()) return std::nullopt;
  return column.getInt64();
}

void bind_time(SQLite::Statement& statement, int at, const std::optional<std::int64_t>& time) {
  if (time)
    statement.bind(at, *time);
  else
    statement.bind(at);
}

}  // namespace

const SeenHandIns::Seen* SeenHandIns::find(const std::string& source_sha256) const {
  const auto found = all_.find(source_sha256);
  return found == all_.end() ? nullptr : &found->second;
}

std::vector<HandIn> SeenHandIns::rivals_of(const std::string& source_sha256) const {
  const Seen* counts = find(source_sha256);
  std::vector<HandIn> others;
  for (const auto& [hash, seen] : all_)
    if (hash != source_sha256 && !seen.put_aside) others.push_back(seen.hand_in);
  return counts ? course::rivals_of(counts->hand_in, others) : std::vector<HandIn>();
}

std::vector<HandIn> SeenHandIns::unread_after(const std::string& source_sha256) const {
  const Seen* counts = find(source_sha256);
  std::vector<HandIn> others;
  for (const auto& [hash, seen] : all_)
    if (hash != source_sha256 && !seen.put_aside) others.push_back(seen.hand_in);
  return counts ? course::unread_after(counts->hand_in, others) : std::vector<HandIn>();
}

void SeenHandIns::replace_unread(const HandIn& hand_in, const std::vector<HandIn>& still_there) {
  for (auto& [hash, seen] : all_) {
    const HandIn& one = seen.hand_in;
    const auto is_this = [&](const HandIn& other) {
      return other.source_sha256 == one.source_sha256;
    };
    if (!one.readable && hand_in.readable && !one.download_key.empty() &&
        one.download_key == hand_in.download_key && order_in_time(one, hand_in) <= 0 &&
        std::none_of(still_there.begin(), still_there.end(), is_this))
      seen.put_aside = true;
  }
}

void SeenHandIns::put(const HandIn& hand_in, bool anew) {
  const auto [at, is_new] = all_.try_emplace(hand_in.source_sha256);
  const int newer = is_new ? 1 : order_in_time(hand_in, at->second.hand_in);
  // Of another download and without a time, it may be the newest of all.
  const bool unknown = newer == 0 && !hand_in.submitted_at && !hand_in.file_time &&
                       hand_in.download_key != at->second.hand_in.download_key;
  if (!hand_in.readable && (newer != 0 || unknown)) {
    if (newer >= 0) at->second = {hand_in, {}, false};
    return;
  }
  if (is_new || anew)
    at->second.hand_in = hand_in;
  else  // where it lies now, to know what is gone from there
    at->second.hand_in.download_key = hand_in.download_key;
}

void SeenHandIns::let_count(const std::string& source_sha256, bool by_teacher) {
  for (auto& [hash, seen] : all_) {
    if (hash == source_sha256) {
      seen.superseded_by.clear();
      seen.put_aside = false;
      continue;
    }
    if (seen.superseded_by.empty()) seen.superseded_by = source_sha256;
    seen.put_aside |= by_teacher;
  }
}

std::map<std::pair<std::string, std::string>, SeenHandIns> read_hand_ins(SQLite::Database& db) {
  std::map<std::pair<std::string, std::string>, SeenHandIns> hand_ins;
  SQLite::Statement all(
      db,
      "SELECT student, lab, source_sha256, path, input, download_key, submitted_at, attempt, "
      "file_time, readable, untouched, superseded_by, put_aside FROM hand_in");
  while (all.executeStep()) {
    SeenHandIns::Seen seen;
    seen.hand_in.source_sha256 = all.getColumn(2).getString();
    seen.hand_in.path = all.getColumn(3).getString();
    seen.hand_in.input = all.getColumn(4).getString();
    seen.hand_in.download_key = all.getColumn(5).getString();
    seen.hand_in.submitted_at = time_of(all.getColumn(6));
    seen.hand_in.attempt = static_cast<std::uint64_t>(all.getColumn(7).getInt64());
    seen.hand_in.file_time = time_of(all.getColumn(8));
    seen.hand_in.readable = all.getColumn(9).getInt() != 0;
    seen.hand_in.untouched = all.getColumn(10).getInt() != 0;
    seen.superseded_by = all.getColumn(11).getString();
    seen.put_aside = all.getColumn(12).getInt() != 0;
    SeenHandIns& of = hand_ins[{all.getColumn(0).getString(), all.getColumn(1).getString()}];
    of.all_[seen.hand_in.source_sha256] = std::move(seen);
  }
  return hand_ins;
}

void write_hand_ins(SQLite::Database& db, const std::string& student, const std::string& lab,
                    const SeenHandIns& hand_ins) {
  SQLite::Statement put(db,
                        "INSERT OR REPLACE INTO hand_in(student, lab, source_sha256, path, input, "
                        "download_key, submitted_at, attempt, file_time, readable, untouched, "
                        "superseded_by, put_aside) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const auto& [hash, seen] : hand_ins.all_) {
    const HandIn& one = seen.hand_in;
    put.bind(1, student);
    put.bind(2, lab);
    put.bind(3, hash);
    put.bind(4, one.path);
    put.bind(5, one.input);
    put.bind(6, one.download_key);
    bind_time(put, 7, one.submitted_at);
    put.bind(8, static_cast<std::int64_t>(one.attempt));
    bind_time(put, 9, one.file_time);
    put.bind(10, one.readable ? 1 : 0);
    put.bind(11, one.untouched ? 1 : 0);
    put.bind(12, seen.superseded_by);
    put.bind(13, seen.put_aside ? 1 : 0);
    put.exec();
    put.reset();
  }
}

std::string unread_text(const HandIn& counts, const HandIn& unread) {
  const auto [lost, graded] = hand_in_texts(unread, counts, Order::By::file_times);
  return order_in_time(unread, counts) > 0
             ? fmt::format(
                   "what was handed in since, with {}, cannot be read; the one from {} counts",
                   lost, graded)
             : fmt::format(
                   "what came with {} cannot be read, and nothing says that it is the older; the "
                   "one "
                   "from {} counts",
                   lost, graded);
}

std::map<std::pair<std::string, std::string>, UnreadSince> unread_since(SQLite::Database& db) {
  std::map<std::pair<std::string, std::string>, UnreadSince> unread;
  SQLite::Statement any(db, "SELECT 1 FROM hand_in WHERE NOT readable LIMIT 1");
  if (!any.executeStep()) return unread;
  const auto hand_ins = read_hand_ins(db);
  SQLite::Statement listed(
      db, "SELECT student, lab, source_sha256 FROM submission WHERE present AND problem = ''");
  SQLite::Statement reason(db,
                           "SELECT text FROM remark WHERE kind = ? AND path = ? AND student = ?");
  while (listed.executeStep()) {
    const std::string hash = listed.getColumn(2).getString();
    const std::pair key(listed.getColumn(0).getString(), listed.getColumn(1).getString());
    const auto of = hand_ins.find(key);
    if (of == hand_ins.end()) continue;
    const std::vector<HandIn> lost = of->second.unread_after(hash);
    if (lost.empty()) continue;
    const HandIn& one = lost.front();
    reason.bind(1, static_cast<int>(Remark::Kind::refused));
    reason.bind(2, one.path);
    reason.bind(3, key.first);
    // A remark may say more after it.
    std::string why = reason.executeStep() ? reason.getColumn(0).getString() : std::string();
    why = why.substr(0, why.find(';'));
    reason.reset();
    unread[key] = {one.path, fmt::format("{}: {}{}", one.path,
                                         unread_text(of->second.find(hash)->hand_in, one),
                                         why.empty() ? "" : fmt::format(" ({})", why))};
  }
  return unread;
}

std::vector<Remark> rival_remarks(SQLite::Database& db) {
  const auto hand_ins = read_hand_ins(db);
  std::vector<Remark> remarks;
  SQLite::Statement listed(
      db,
      "SELECT student, lab, source_sha256, path FROM submission s WHERE present AND NOT EXISTS("
      "SELECT 1 FROM decision d WHERE d.student = s.student AND d.lab = s.lab AND d.kind IN "
      "('points', 'excused') AND NOT EXISTS(SELECT 1 FROM decision w WHERE w.student = s.student "
      "AND w.lab = s.lab AND w.kind = 'withdrawn' AND w.id > d.id)) ORDER BY student, lab");
  while (listed.executeStep()) {
    const std::string student = listed.getColumn(0).getString();
    const std::string lab = listed.getColumn(1).getString();
    const std::string hash = listed.getColumn(2).getString();
    const auto of = hand_ins.find({student, lab});
    if (of == hand_ins.end()) continue;
    const std::vector<HandIn> rivals = of->second.rivals_of(hash);
    if (rivals.empty()) continue;
    remarks.push_back(
        {Remark::Kind::rivals, listed.getColumn(3).getString(), student,
         fmt::format("{}: {}", lab, rivals_text(of->second.find(hash)->hand_in, rivals))});
  }
  return remarks;
}

}  // namespace labkit::course
