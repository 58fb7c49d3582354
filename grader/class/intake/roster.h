// People as a list speaks of them, and the roster: who is in the class, from any CSV that says so, the LMS's own (Canvas's
// gradebook, Moodle's grading worksheet, Gradescope's roster) or one made by hand.
#pragma once
#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"

namespace labkit::course {

/// Keys of a Student that are not for exports: what the downloads themselves say, whatever the roster does.
inline constexpr const char *kLmsSid = "lms_sid", *kLmsEmail = "lms_email";
/// Of the participant's number, which is of one assignment of Moodle's.
inline std::string moodle_key(const std::string& lab) { return "moodle_id of " + lab; }
/// The name, folded, of somebody who may be another of that name: no id says which.
inline constexpr const char* kNamesake = "namesake";

/// Under which a student is on the class's board; who has none is not on it.
inline constexpr const char* kNickname = "nickname";

/// Of a download or a roster only what that says: no id.
struct Student {
  std::string id = {};    ///< stable between intakes; letters and digits of any script, '-'
  std::string name = {};  ///< to show
  /// As far as the input or the roster says so: "canvas_id", "moodle_id" (the number of "Participant 123"), "sid" (the
  /// university's number), "email", "login", "anonymous_id", "folder", "group". None is "".
  std::map<std::string, std::string> keys = {};
  bool on_roster = false;

  /// "ana (García, Ana)"
  std::string shown() const { return name.empty() || name == id ? id : id + " (" + name + ")"; }
  /// "" if it has no such key.
  std::string key(const std::string& name) const {
    const auto found = keys.find(name);
    return found == keys.end() ? std::string() : found->second;
  }
  void set(const std::string& name, const std::string& value) {
    if (!value.empty()) keys[name] = value;
  }
  friend auto operator<=>(const Student&, const Student&) = default;
};

std::string local_part(const std::string& email);
/// Every way in which a name may be squashed or turned around: two that share one of these are one ("libo", "Li, Bo").
/// Canvas writes "Garcia, Ana" as "garciaana".
std::vector<std::string> name_keys(const std::string& name);
/// As lists of people spell them: numbers, logins, addresses, and these before their "@"; some are "".
std::vector<std::string> ids_of(const Student& student);

/// "" if all are.
std::string first_of(const std::vector<std::string>& texts);

/// A file as people save it: also UTF-16 with a byte order mark, and text that is not UTF-8 (taken for Windows-1252).
Csv read_sheet(std::string_view bytes, const std::string& name);

/// Reads the columns it knows by their headers (also "First name" and "Last name"; case does not matter) and leaves the
/// rest. Canvas's rows that are no students (points possible, posting, the test student) are left out. Throws labkit::Error
/// naming the file (`name`): no header with a student's name, ID, login or e-mail; a broken quote; two lines
/// of one number, login or address that differ (of those that are the same, one counts).
std::vector<Student> parse_roster(std::string_view text, const std::string& name);

/// The one student whose id is `named`; else whose name (in any order of its words, with or without
/// accents), e-mail, login or number it is; else whose name has all its words. Throws
/// std::invalid_argument, listing who comes near, for nobody and for several.
const Student& find_student(const std::vector<Student>& students, std::string_view named);

}  // namespace labkit::course
