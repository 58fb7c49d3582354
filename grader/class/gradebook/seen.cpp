#include "class/gradebook/seen.h"

#include <fmt/format.h>

#include <algorithm>

#include "class/gradebook/state.h"

namespace labkit::course {
const SeenAttempts::Seen* SeenAttempts::find(const std::string& source_sha256) const {
  const auto found = all_.find(source_sha256);
  return found == all_.end() ? nullptr : &found->second;
}

std::vector<Attempt> SeenAttempts::beside(
    const std::string& source_sha256,
    std::vector<Attempt> (*which)(const Attempt&, const std::vector<Attempt>&)) const {
  const Seen* counts = find(source_sha256);
  std::vector<Attempt> others;
  for (const auto& [hash, seen] : all_)
    if (hash != source_sha256 && !seen.put_aside) others.push_back(seen.attempt);
  return counts ? which(counts->attempt, others) : std::vector<Attempt>();
}

void SeenAttempts::replace_unread(const Attempt& attempt, const std::vector<Attempt>& still_there) {
  for (auto& [hash, seen] : all_) {
    const Attempt& one = seen.attempt;
    const auto is_this = [&](const Attempt& other) {
      return other.source_sha256 == one.source_sha256;
    };
    if (!one.readable && attempt.readable && !one.download_key.empty() &&
        one.download_key == attempt.download_key && order_in_time(one, attempt) <= 0 &&
        std::none_of(still_there.begin(), still_there.end(), is_this))
      seen.put_aside = true;
  }
}

void SeenAttempts::put(const Attempt& attempt, bool anew) {
  const auto [at, is_new] = all_.try_emplace(attempt.source_sha256);
  const int newer = is_new ? 1 : order_in_time(attempt, at->second.attempt);
  // Of another download and without a time, it may be the newest of all.
  const bool unknown = newer == 0 && !attempt.submitted_at && !attempt.file_time &&
                       attempt.download_key != at->second.attempt.download_key;
  if (!attempt.readable && (newer != 0 || unknown)) {
    if (newer >= 0) at->second = {attempt, {}, false};
    return;
  }
  if (is_new || anew)
    at->second.attempt = attempt;
  else  // where it lies now, to know what is gone from there
    at->second.attempt.download_key = attempt.download_key;
}

void SeenAttempts::let_count(const std::string& source_sha256) {
  for (auto& [hash, seen] : all_) {
    if (hash == source_sha256) {
      seen.superseded_by.clear();
      seen.put_aside = false;
      continue;
    }
    if (seen.superseded_by.empty()) seen.superseded_by = source_sha256;
  }
}

std::map<std::pair<std::string, std::string>, SeenAttempts> read_attempts(SQLite::Database& db) {
  std::map<std::pair<std::string, std::string>, SeenAttempts> attempts;
  SQLite::Statement all(
      db,
      "SELECT student, lab, source_sha256, path, input, download_key, submitted_at, lms_order, "
      "file_time, readable, untouched, superseded_by, put_aside FROM attempt");
  while (all.executeStep()) {
    SeenAttempts::Seen seen;
    Attempt& one = seen.attempt;
    std::pair<std::string, std::string> key;
    read_row(all, 0, key.first, key.second, one.source_sha256, one.path, one.input,
             one.download_key, one.submitted_at, one.lms_order, one.file_time, one.readable,
             one.untouched, seen.superseded_by, seen.put_aside);
    attempts[key].all_.insert_or_assign(one.source_sha256, seen);
  }
  return attempts;
}

void write_attempts(SQLite::Database& db, const std::string& student, const std::string& lab,
                    const SeenAttempts& attempts) {
  SQLite::Statement put(db,
                        "INSERT OR REPLACE INTO attempt(student, lab, source_sha256, path, input, "
                        "download_key, submitted_at, lms_order, file_time, readable, untouched, "
                        "superseded_by, put_aside) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const auto& [hash, seen] : attempts.all_) {
    const Attempt& one = seen.attempt;
    bind_all(put, student, lab, hash, one.path, one.input, one.download_key, one.submitted_at,
             one.lms_order, one.file_time, one.readable, one.untouched, seen.superseded_by,
             seen.put_aside);
    put.exec();
  }
}

std::string unread_text(const Attempt& counts, const Attempt& unread) {
  const auto [lost, graded] = attempt_texts(unread, counts, Order::By::file_times);
  return order_in_time(unread, counts) > 0
             ? fmt::format(
                   "what was submitted since, with {}, cannot be read; the one from {} counts",
                   lost, graded)
             : fmt::format(
                   "what came with {} cannot be read; the dates do not decide which is newer; the "
                   "one from {} counts",
                   lost, graded);
}

std::map<std::pair<std::string, std::string>, UnreadSince> unread_since(SQLite::Database& db) {
  std::map<std::pair<std::string, std::string>, UnreadSince> unread;
  SQLite::Statement any(db, "SELECT 1 FROM attempt WHERE NOT readable LIMIT 1");
  if (!any.executeStep()) return unread;
  const auto attempts = read_attempts(db);
  SQLite::Statement listed(db,
                           "SELECT student, lab, source_sha256 FROM submission WHERE problem = ''");
  SQLite::Statement reason(db,
                           "SELECT text FROM remark WHERE kind = ? AND path = ? AND student = ?");
  while (listed.executeStep()) {
    std::pair<std::string, std::string> key;
    std::string hash;
    read_row(listed, 0, key.first, key.second, hash);
    const auto of = attempts.find(key);
    if (of == attempts.end()) continue;
    const std::vector<Attempt> lost = of->second.unread_after(hash);
    if (lost.empty()) continue;
    const Attempt& one = lost.front();
    bind_all(reason, Remark::Kind::refused, one.path, key.first);
    // A remark may say more after it.
    std::string why = reason.executeStep() ? reason.getColumn(0).getString() : std::string();
    why = why.substr(0, why.find(';'));
    unread[key] = {one.path, fmt::format("{}: {}{}", one.path,
                                         unread_text(of->second.find(hash)->attempt, one),
                                         why.empty() ? "" : fmt::format(" ({})", why))};
  }
  return unread;
}

std::vector<Remark> rival_remarks(SQLite::Database& db) {
  const auto attempts = read_attempts(db);
  std::vector<Remark> remarks;
  SQLite::Statement listed(
      db,
      "SELECT student, lab, source_sha256, path FROM submission s WHERE NOT EXISTS("
      "SELECT 1 FROM decision d WHERE d.student = s.student AND d.lab = s.lab AND d.kind IN "
      "('points', 'excused') AND NOT EXISTS(SELECT 1 FROM decision w WHERE w.student = s.student "
      "AND w.lab = s.lab AND w.kind = 'withdrawn' AND w.id > d.id)) ORDER BY student, lab");
  while (listed.executeStep()) {
    std::string student, lab, hash, path;
    read_row(listed, 0, student, lab, hash, path);
    const auto of = attempts.find({student, lab});
    if (of == attempts.end()) continue;
    const std::vector<Attempt> rivals = of->second.rivals_of(hash);
    if (rivals.empty()) continue;
    remarks.push_back(
        {Remark::Kind::rivals, path, student,
         fmt::format("{}: {}", lab, rivals_text(of->second.find(hash)->attempt, rivals))});
  }
  return remarks;
}

}  // namespace labkit::course
