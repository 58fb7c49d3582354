// Which owners are one student? Private to intake.
#pragma once
#include <cstddef>
#include <string>
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

/// A download, and what it says of one file.
struct Claimed {
  const Root* root;
  const Claim* claim;
};
struct Identified {
  std::vector<Student> students;
  std::vector<Remark> remarks;                     ///< about the roster
  std::vector<std::vector<std::size_t>> of_claim;  ///< by claim, places in `students`
};
/// Gathers owners from all downloads into students, by the keys that they share and by the roster; everybody on the roster
/// is one of them.
///
/// What an LMS calls somebody is stronger than a name: two of Canvas's numbers, of Gradescope's SIDs or
/// of one download's participants are never one student because of a name. A name leads to a line of the
/// roster only where ids cannot be compared, and only if nobody else claims that line.
Identified identify(const std::vector<Claimed>& claims, std::vector<RosterEntry> roster);

}  // namespace labkit::course
