// Who is in the class, from any CSV that says so: the LMS's own (Canvas's gradebook, Moodle's grading
// worksheet, Gradescope's roster) or one made by hand.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace labkit::course {

struct RosterEntry {
  std::string name;   ///< as written
  std::string id;     ///< the university's number: Canvas's SIS User ID, Gradescope's SID
  std::string login;  ///< SIS Login ID, user name
  std::string email;
  std::string canvas_id;  ///< Canvas's own ID
  std::string moodle_id;  ///< the number of Moodle's "Participant 123"
  std::string group;
};

/// Reads the columns it knows by their headers (also "First name" and "Last name"; case does not
/// matter) and leaves the rest. Canvas's rows that are no students (points possible, posting,
/// the test student) are left out. Throws labkit::Error naming the file (`name`): no header with a student's
/// name, ID, login or e-mail; a broken quote.
std::vector<RosterEntry> parse_roster(std::string_view text, const std::string& name);

}  // namespace labkit::course
