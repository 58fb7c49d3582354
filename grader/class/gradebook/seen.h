// The submissions that a gradebook has seen. Private to the gradebook.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "class/intake/attempt_order.h"
#include "class/intake/intake.h"

namespace labkit::course {

/// All of one student's lab, by the hash of their sources.
class SeenAttempts {
 public:
  struct Seen {
    Attempt attempt;
    std::string superseded_by;
    bool put_aside = false;
  };
  const Seen* find(const std::string& source_sha256) const;
  /// What competes with the one that counts, by no more than weak evidence; nothing that a teacher put
  /// aside.
  std::vector<Attempt> rivals_of(const std::string& source_sha256) const {
    return beside(source_sha256, course::rivals_of);
  }
  /// What cannot be read and may be newer than the one that counts (unread_after()).
  std::vector<Attempt> unread_after(const std::string& source_sha256) const {
    return beside(source_sha256, course::unread_after);
  }
  /// Its download is here again, with `attempt` where these were: what could not be read is not there any more, but for
  /// `still_there`.
  void replace_unread(const Attempt& attempt, const std::vector<Attempt>& still_there);
  /// The first of `source_sha256` keeps what it was seen with, unless `anew`. What cannot be read is all of one hash: the
  /// newest of it is kept.
  void put(const Attempt& attempt, bool anew);
  /// `source_sha256` counts, and all others do not.
  void let_count(const std::string& source_sha256);

 private:
  friend std::map<std::pair<std::string, std::string>, SeenAttempts> read_attempts(
      SQLite::Database& db);
  friend void write_attempts(SQLite::Database& db, const std::string& student,
                             const std::string& lab, const SeenAttempts& attempts);
  /// Of all the others, but what a teacher put aside.
  std::vector<Attempt> beside(const std::string& source_sha256,
                              std::vector<Attempt> (*which)(const Attempt&,
                                                            const std::vector<Attempt>&)) const;
  std::map<std::string, Seen> all_;
};

/// By student and lab.
std::map<std::pair<std::string, std::string>, SeenAttempts> read_attempts(SQLite::Database& db);
void write_attempts(SQLite::Database& db, const std::string& student, const std::string& lab,
                    const SeenAttempts& attempts);

/// Of each that is listed, can be read, and has an unread_after(): the newest of these, and a sentence.
struct UnreadSince {
  std::string path, text;
};
std::map<std::pair<std::string, std::string>, UnreadSince> unread_since(SQLite::Database& db);
/// "what came with week2.zip (2026-11-09 12:00) cannot be read; the one from week1.zip counts".
std::string unread_text(const Attempt& counts, const Attempt& unread);

/// A line for each that is listed and has rivals, and about whose grade no teacher has decided.
std::vector<Remark> rival_remarks(SQLite::Database& db);

}  // namespace labkit::course
