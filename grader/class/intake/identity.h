// Which owners are one student? Private to intake.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "class/intake/intake.h"

namespace labkit::course {

/// Every way in which a name may be squashed or turned around: two that share one of these are one ("libo", "Li, Bo").
std::vector<std::string> name_keys(const std::string& name);

/// Keys of a Student that are not for exports. What the downloads themselves call a student, whatever
/// the roster says:
inline constexpr const char* kLmsCanvas = "lms_canvas_id";
inline constexpr const char* kLmsSid = "lms_sid";
inline constexpr const char* kLmsEmail = "lms_email";
/// The name alone led to the line of the roster. Only in an Intake, never in a gradebook.
inline constexpr const char* kByName = "by_name";
/// Called like somebody on the roster, and another by an id.
inline constexpr const char* kKeptApart = "kept_apart";
bool is_internal_key(const std::string& key);

/// Gathers owners from all downloads into students, by the keys that they share and by the roster.
///
/// What an LMS calls somebody is stronger than a name: two of Canvas's numbers, of Gradescope's SIDs or
/// of one download's participants are never one student because of a name. A name leads to a line of the
/// roster only where ids cannot be compared, and only if nobody else claims that line.
class Identities {
 public:
  explicit Identities(std::vector<RosterEntry> roster);

  /// To be called for every owner of all downloads, then compare_claims(), before any is resolved: who else claims a
  /// line of the roster, and which ids can be compared with its columns.
  void note(const Owner& owner, const Root* root);
  void compare_claims();

  /// The student's place in students(); the same for every owner that is this student.
  std::size_t resolve(Owner owner, const Root* root);
  /// Everybody of a group that the roster knows; empty if it knows none of that name.
  std::set<std::size_t> group_members(const std::string& group);
  /// Adds all who are on the roster, and gives everybody an id.
  void finish();

  const std::vector<Student>& students() const { return students_; }
  const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  using Noted = std::pair<const Root*, Owner>;
  using Lines = std::vector<std::size_t>;  ///< of the roster

  /// About the roster.
  void remark(const std::string& path, std::string text, std::string student = {}) {
    remarks_.push_back({Remark::Kind::roster, path, std::move(student), std::move(text)});
  }
  std::vector<std::string> keys_of(const Owner& owner) const;
  /// Of the first key that any line has.
  Lines lines_with(const std::vector<std::string>& keys) const;
  /// By one of the LMS's ids, or by a plain folder's name.
  Lines lines_by_id(const Owner& owner) const;
  Lines lines_by_name(const Owner& owner) const;
  /// Why the name alone must not lead there; "" if it may.
  std::string speaks_against(const Noted& one, std::size_t line) const;
  bool is_apart(const Noted& one, const RosterEntry& line) const;
  static bool is_other(const Noted& a, const Noted& b);
  std::size_t student_of_line(std::size_t line);
  std::size_t add_student(const Owner& owner, const Root* root);
  std::size_t add_student(Student student, std::string id_wish);
  /// The name of who has this owner's student number already, if that is somebody else.
  std::optional<std::string> has_anothers_number(const Owner& owner) const;
  /// Two of the name in one of Moodle's downloads are two of the name in all.
  bool shares_name(const Owner& owner) const;

  std::vector<RosterEntry> roster_;
  std::map<std::string, Lines> roster_index_;  ///< by key
  std::map<std::size_t, std::size_t> student_of_line_;
  std::map<std::string, std::size_t> student_of_key_;
  std::map<std::pair<const Root*, std::string>, std::set<std::string>> moodle_ids_of_name_;
  std::set<std::string> shared_names_;
  std::set<Noted> noted_;
  std::map<std::size_t, std::vector<Noted>> claims_of_line_;
  /// Root, kind of id and column of the roster where one was found to be the other.
  std::set<std::tuple<const Root*, std::string, std::string>> comparable_;
  std::set<std::size_t> by_id_, by_name_;  ///< students on the roster: what led there
  std::set<std::pair<std::string, std::string>> same_number_;  ///< told already
  /// Of those on the roster, by root and student: the plain folders that are theirs.
  std::map<std::pair<const Root*, std::size_t>, std::vector<std::string>> folders_of_;
  std::vector<Student> students_;
  std::vector<std::string> id_wish_;  ///< parallel to students_
  std::vector<Remark> remarks_;
};

}  // namespace labkit::course
