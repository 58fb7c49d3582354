// What a class submitted, as plain data: students, for each student and lab the one source that is
// graded, and a line about everything that was not. Reads folders and archives, the bulk downloads
// of Canvas, Moodle and Gradescope among them; nothing is written to disk and nothing is run.
#pragma once
#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "class/intake/assignments.h"
#include "class/intake/collect.h"
#include "class/intake/owners.h"
#include "class/intake/roster.h"
#include "grade/manifest.h"

namespace labkit::course {

/// A known student who turns out to be one of the roster's, by the name alone.
struct SameStudent {
  std::string known;        ///< id in the gradebook
  std::string to;           ///< id by the roster
  bool both_known = false;  ///< `to` is in the gradebook too: both are to become that one
};

/// What one student submitted for one lab, in one import.
struct Submission {
  std::string student = {}, lab = {};  ///< ids
  std::string path = {};               ///< in its input
  /// UTF-8 if the file was UTF-16 or began with a byte order mark; else as it was.
  std::string source = {};
  std::string source_sha256 = {};
  std::optional<std::int64_t> submitted_at = {};  ///< seconds since 1970, as the LMS says
  std::optional<std::int64_t> local_at = {};  ///< by Moodle's worksheet, as if its clock were UTC
  std::uint64_t lms_order = 0;  ///< Canvas's number of the file, the larger the newer; 0: none
  bool late = false;            ///< marked so by the LMS
  std::string lms_id = {};  ///< of this submission: Moodle's participant, Gradescope's submission_N
  std::string download = {};  ///< which download it came from: "week1.zip", "downloads/lab3"
  std::vector<std::string> group = {};  ///< ids of all who submitted it, if more than one
  /// Why there is no source to grade although something was submitted ("it is empty"); else "".
  std::string problem = {};
};

/// Whether `one`, which was named later, takes the place of `counts`: it is the newer by the LMS's time or number, where
/// both have one, else by the order in which they were named. What cannot be read replaces nothing.
bool replaces(const Submission& one, const Submission& counts);

/// Something that needs a teacher's eye, or only to be known.
struct Remark {
  enum class Kind : std::uint8_t {
    nobody,      ///< belongs to no student
    no_lab,      ///< a student's, but for no lab
    refused,     ///< must not or cannot be read
    not_chosen,  ///< another file of the student was graded for this lab
    left_alone,  ///< no source file; one line for all of a student's
    roster,      ///< about the roster: not on it, or two who fit
    several,  ///< came with what was graded, for the same lab, and only their names told which to grade
    unread,  ///< a download, or a part of one, that could not be read, and anybody's work may be in it
    also,  ///< of a download: labs that were not set, and are not graded
    stub,  ///< the kernel as it was handed out: counts as not submitted
  };
  Kind kind = Kind::nobody;
  std::string path;
  std::string student;        ///< id, or ""
  std::string text;           ///< a sentence
  std::string download = {};  ///< that it is about, as Submission::download has it; ""
  std::string lab = {};       ///< that it is about, if it is about one
  friend auto operator<=>(const Remark&, const Remark&) = default;
};
/// With the lab before it.
std::string text_of(const Remark& remark);
/// In the order of Remark::Kind.
inline constexpr std::string_view kRemarks[] = {"nobody",     "no_lab", "refused", "not_chosen",
                                                "left_alone", "roster", "several", "unread",
                                                "also",       "stub"};

struct Intake {
  std::vector<Root> roots;  ///< the downloads found
  /// Sorted by id; those on the roster who submitted nothing among them.
  std::vector<Student> students;
  std::vector<Submission> submissions;  ///< sorted by student, then lab
  std::vector<Remark> remarks;          ///< in the order of the input
  std::vector<std::string> missing;     ///< ids: on the roster, but nothing came that could be read
  /// Downloads of which nothing says for sure which labs were set for them.
  std::vector<std::string> unassigned;
  std::vector<SameStudent> same;
};

struct IntakeOptions {
  /// What downloads are, by their names: the first whose pattern fits holds, before what a name itself says.
  std::vector<Assignment> assignments;
  std::string roster_text;     ///< CSV; "" for none
  std::string roster_name;     ///< of its file, for messages
  std::vector<Student> known;  ///< of the gradebook, with those taken back: they keep their ids
  /// Moodle's worksheets, by lab, then by the participant's number, which is of one assignment.
  std::map<std::string, std::map<std::string, Student>> worksheets;
  /// Of those that came with this import: Submission::local_at.
  std::map<std::string, std::map<std::string, std::int64_t>> local_times;
  IntakeLimits limits;
};

/// Throws labkit::Error if an input or the roster cannot be read at all, or if nothing in them is a submission. Several
/// inputs are taken together: two weeks' downloads, two sections. Within one download, names and contents say which file of
/// a student is meant for a lab; between downloads replaces() does.
Intake import_inputs(const std::vector<std::filesystem::path>& inputs,
                     const std::vector<grade::Manifest>& labs, const IntakeOptions& options = {});

/// The same as import_inputs(), with the same errors. The process can read the inputs and the C library's own data, and
/// nothing else; it cannot write, start anything or use the network. To be called before this process has other threads.
Intake import_sandboxed(const std::vector<std::filesystem::path>& inputs,
                        const std::vector<grade::Manifest>& labs,
                        const IntakeOptions& options = {});

}  // namespace labkit::course
