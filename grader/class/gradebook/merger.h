// How an import goes into the gradebook, step by step. Private to the gradebook: the steps are in merge.cpp: who is who,
// what replaces what, what is reported and for how long.
#pragma once
#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/gradebook/seen.h"
#include "class/intake/students.h"

namespace labkit::course {

class Merger {
 public:
  Merger(SQLite::Database& db, Intake& intake) : db_(db), intake_(intake) {}

  Merged run() {
    begin_intake();
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

  std::vector<Student> all_students();
  void begin_intake();
  void know_students();
  void join(const SameStudent& same);
  void read_known();
  void put_students();
  void merge(const Submission& one);
  std::string why_older(const Attempt& one, const SeenAttempts& seen, const Attempt& known,
                        bool& is_sure) const;
  void keep_out(const Submission& one, const std::string& why, bool is_sure);
  void stay(const Submission& one);
  void put(const Submission& one);
  void leave_out_students();
  void forget_intakes();
  void put_remarks();
  void put_downloads();

  SQLite::Database& db_;
  Intake& intake_;
  std::int64_t id_ = 0;                   ///< of this import
  std::map<Key, std::string> listed_;     ///< before this import: the source's hash
  std::map<Key, SeenAttempts> attempts_;  ///< as they become
  Merged merged_;
};

}  // namespace labkit::course
