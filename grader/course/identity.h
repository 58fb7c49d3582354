// Which owners are one student? Private to intake.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "course/intake.h"

namespace labkit::course {

/// Gathers owners from all downloads into students, by the keys that they share and by the roster.
class Identities {
 public:
  explicit Identities(std::vector<RosterEntry> roster);

  /// To be called for every owner of a download before any is resolved: a name that two of Moodle's
  /// participants share joins nobody.
  void note(const Owner& owner, std::size_t root);

  /// The student's place in students(); the same for every owner that is this student.
  std::size_t resolve(const Owner& owner, std::size_t root);
  /// Everybody of a group that the roster knows; empty if it knows none of that name.
  std::vector<std::size_t> group_members(const std::string& group);
  /// Adds all who are on the roster, and gives everybody an id.
  void finish();

  const std::vector<Student>& students() const { return students_; }
  std::vector<Student>& students() { return students_; }
  const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  std::vector<std::string> keys_of(const Owner& owner, std::size_t root) const;
  std::optional<std::size_t> roster_entry(const Owner& owner);
  std::size_t student_of_entry(std::size_t entry);
  /// The name of who has this owner's student number already, if that is somebody else.
  std::optional<std::string> has_anothers_number(const Owner& owner) const;
  bool shares_name(const Owner& owner, std::size_t root) const;

  std::vector<RosterEntry> roster_;
  std::map<std::string, std::vector<std::size_t>> roster_index_;  ///< key -> entries
  std::map<std::size_t, std::size_t> student_of_entry_;
  std::map<std::string, std::size_t> student_of_key_;
  std::map<std::string, std::map<std::string, bool>> moodle_ids_of_name_;  ///< of one root
  std::set<std::string> same_number_;                                      ///< told already
  std::vector<Student> students_;
  std::vector<std::string> id_wish_;  ///< parallel to students_
  std::vector<Remark> remarks_;
};

}  // namespace labkit::course
