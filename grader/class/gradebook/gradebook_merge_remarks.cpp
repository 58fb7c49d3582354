// What is told of an intake, and how long it stays. A step of the Merger.
#include <fmt/format.h>

#include "class/gradebook/gradebook_merger.h"

namespace labkit::course {

namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

/// Remarks and downloads of which nothing listed comes any more. What could not be read stays until its download is
/// here again: a newer hand-in of all the others does not make it readable.
void Merger::forget_intakes() {
  std::set<std::string> here;
  for (const Root& root : intake_.roots) here.insert(download_key(root.label));
  std::set<std::int64_t> unread, others;
  SQLite::Statement before(
      db_,
      "SELECT DISTINCT intake FROM remark WHERE kind IN (?, ?) AND intake NOT IN (SELECT "
      "intake FROM submission WHERE present)");
  before.bind(1, static_cast<int>(Remark::Kind::refused));
  before.bind(2, static_cast<int>(Remark::Kind::unread));
  while (before.executeStep()) unread.insert(before.getColumn(0).getInt64());
  std::map<std::int64_t, std::set<std::string>> downloads_of;  // by intake
  SQLite::Statement downloads(db_, "SELECT intake, label FROM download WHERE intake <> ?");
  downloads.bind(1, id_);
  while (downloads.executeStep()) {
    const std::string key = download_key(downloads.getColumn(1).getString());
    downloads_of[downloads.getColumn(0).getInt64()].insert(key);
    if (!here.contains(key)) others.insert(downloads.getColumn(0).getInt64());
  }
  std::string kept = "SELECT intake FROM submission WHERE present";
  for (const std::int64_t intake : unread)
    if (others.contains(intake)) kept += fmt::format(" UNION SELECT {}", intake);
  exec("DELETE FROM download WHERE intake NOT IN (" + kept + ")");
  exec("DELETE FROM remark WHERE intake NOT IN (" + kept + ")");
  exec(fmt::format(
      "DELETE FROM remark WHERE kind NOT IN ({}, {}) AND intake NOT IN (SELECT intake FROM "
      "submission WHERE present)",
      static_cast<int>(Remark::Kind::refused), static_cast<int>(Remark::Kind::unread)));
  // A download that was broken and is whole now; a file of the same download that can be read now.
  std::map<std::pair<std::string, std::string>, std::string> readable;  // student, path -> download
  for (const Submission& one : intake_.submissions)
    if (one.problem.empty()) readable[{one.student, one.path}] = download_key(last_part(one.input));
  SQLite::Statement refused(
      db_,
      "SELECT id, kind, student, path, intake FROM remark WHERE kind IN (?, ?) AND intake <> ?");
  refused.bind(1, static_cast<int>(Remark::Kind::refused));
  refused.bind(2, static_cast<int>(Remark::Kind::unread));
  refused.bind(3, id_);
  std::vector<std::int64_t> mended;
  while (refused.executeStep()) {
    const std::string path = refused.getColumn(3).getString();
    if (refused.getColumn(1).getInt() == static_cast<int>(Remark::Kind::unread)) {
      if (here.contains(download_key(last_part(path))))
        mended.push_back(refused.getColumn(0).getInt64());
      continue;
    }
    const auto now = readable.find({refused.getColumn(2).getString(), path});
    if (now != readable.end() &&
        downloads_of[refused.getColumn(4).getInt64()].contains(now->second))
      mended.push_back(refused.getColumn(0).getInt64());
  }
  for (const std::int64_t id : mended) exec(fmt::format("DELETE FROM remark WHERE id = {}", id));
}

void Merger::put_remarks() {
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

}  // namespace labkit::course
