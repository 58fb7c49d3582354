// How a class comes into the gradebook by and by, step by step. Private to the gradebook: the steps are in
// gradebook_merge.cpp (what takes the place of what), gradebook_merge_students.cpp (who is who), gradebook_merge_gone.cpp
// (what is not there any more) and gradebook_merge_remarks.cpp (what is told, and for how long).
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
#include "class/gradebook/gradebook_hand_ins.h"
#include "class/intake/download_copies.h"
#include "class/intake/known_students.h"

namespace labkit::course {

class Merger {
 public:
  Merger(SQLite::Database& db, Intake& intake, Gradebook::Gone gone,
         const std::vector<std::string>& take, const std::vector<std::string>& keep)
      : db_(db), intake_(intake), drop_(gone == Gradebook::Gone::drop), take_(take), keep_(keep) {}

  Merged run() {
    begin_intake();
    know_students();
    read_known();
    know_downloads();
    copies_.emplace(intake_.submissions, counts_);
    put_students();
    for (const Submission& one : intake_.submissions) merge(one);
    find_gone();
    require_named();
    leave_out_students();
    forget_intakes();
    put_remarks();
    put_downloads();
    return std::move(merged_);
  }

 private:
  using Key = std::pair<std::string, std::string>;  // student, lab
  /// From the download it came with; as in the table `submission`.
  enum class Gone : std::uint8_t { no, yes, kept_by_teacher };
  /// A hand-in that is listed already.
  struct Known {
    std::string path, source_sha256;
    std::string lms_id;
    Gone gone = Gone::no;
  };

  std::vector<Student> all_students();
  void begin_intake();
  void know_students();
  void join(const SameStudent& same);
  void read_known();
  void know_downloads();
  void put_students();
  void merge(const Submission& one);
  bool is_named(const std::vector<std::string>& names, const Key& key);
  void require_named() const;
  std::string why_older(const HandIn& one, const SeenHandIns& seen, const HandIn& known,
                        bool& is_sure) const;
  void keep_out(const Submission& one, const std::string& why, bool is_sure);
  void stay(const Submission& one);
  void put(const Submission& one);
  void find_gone();
  void find_only_in_older();
  void tell_gone(const Key& key, const Known& known, const std::string& what);
  void leave_out_students();
  void forget_intakes();
  void put_remarks();
  void put_downloads();
  void exec(const std::string& sql, const std::vector<std::string>& texts = {});

  SQLite::Database& db_;
  Intake& intake_;
  bool drop_;
  const std::vector<std::string>& take_;
  const std::vector<std::string>& keep_;
  std::set<std::string> used_;  ///< of take_ and keep_
  std::int64_t id_ = 0;
  std::map<Key, Known> known_;           ///< listed before
  std::map<Key, SeenHandIns> hand_ins_;  ///< as they become
  std::map<Key, HandIn> counts_;         ///< before this intake
  std::set<Key> taken_;                  ///< a teacher named them
  std::optional<DownloadCopies> copies_;
  Merged merged_;
};

}  // namespace labkit::course
