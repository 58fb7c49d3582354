// Whose file is it? The naming of each LMS's bulk download, taken apart.
//
// Only names given by the LMS or the teacher count (Found::outer_parts): a student who packs a folder
// "bob_12_34_lab3.cu" or a submission_metadata.yml submits files of that name, no more.
//
//   Canvas      {sortable name without blanks}[_LATE]_{user}_{attachment}_{file}, or
//               [LATE_]anon_{id}_{attachment}_{file}; text and links end in _text.html, _link.html
//               (lib/content_zipper.rb of canvas-lms)
//   Moodle      {full name}_{id}_assignsubmission_file[_]/{path}, or flat ..._file_{file}; a group
//               and blind marking look the same (mod/assign/classes/downloader.php)
//   Gradescope  submission_{n}/{path}, with submission_metadata.yml beside it
//   plain       {student}/{path}, {student}.zip, {student}_lab3.cu, or the same below folders that
//               are called after labs. What else lies beside the students' folders (README.txt,
//               roster.csv) is nobody's
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "class/intake/collect.h"
#include "class/intake/lab_names.h"
#include "class/intake/roster.h"

namespace labkit::course {

enum class Format : std::uint8_t { plain, canvas, moodle, gradescope };
inline constexpr std::string_view kFormats[] = {"plain", "canvas", "moodle", "gradescope"};

struct Claim {
  std::vector<Student> owners = {};   ///< several: a group. Canvas's names are squashed
  std::vector<std::string> own = {};  ///< parts as the student called them: these name the lab
  bool late = false;                  ///< the LMS says so
  std::optional<std::int64_t> submitted_at = {};  ///< seconds since 1970, UTC
  std::optional<std::int64_t> local_at = {};      ///< the same by a clock whose zone is not known
  std::uint64_t order = 0;                        ///< larger is newer: Canvas's attachment
  std::string group = {};                         ///< Moodle's or Canvas's, or ""
  std::string lms_id = {};                        ///< what the LMS calls this one submission
  std::string why = {};                           ///< with no owners: why
};

struct CanvasName {
  std::string name = {}, user_id = {}, anonymous_id = {}, attachment_id = {}, file = {};
  bool late = false;
  bool typed = false;  ///< text or a link instead of a file
};
std::optional<CanvasName> parse_canvas_name(std::string_view part);

struct MoodleName {
  std::string name = {}, id = {}, file = {};  ///< file: of the flat form, else ""
  bool typed = false;                         ///< onlinetext
};
std::optional<MoodleName> parse_moodle_name(std::string_view part);

struct GradescopeSubmission {
  std::vector<Student> owners;
  std::optional<std::int64_t> submitted_at;
};
/// "submission_12" -> who. Throws std::runtime_error saying what is wrong with the text.
std::map<std::string, GradescopeSubmission> parse_gradescope_metadata(const std::string& yaml);

struct Root {
  std::vector<std::string> prefix;
  Format format = Format::plain;
  std::string label;  ///< the last part of the prefix, or the input's own name
  /// Of its assignment, which is asked for or that the label names; none: a plain folder, whose files name theirs.
  std::vector<std::string> labs = {};
  std::string input = {};      ///< in which it is, as that is called
  std::string called = {};     ///< as Submission::download has it: "week1.zip", "downloads/lab3"
  bool holds_kits = false;     ///< whole kits, which have all labs
  bool holds_several = false;  ///< and is of several assignments, by the names of what is in it
  bool is_set = false;         ///< of the gradebook's: no files had to name its labs
  std::map<std::string, std::string> students = {};  ///< plain: students_in()
};
/// One or several: a folder of the downloads of several assignments is one root each. None if all of the input is one
/// student's, after whom it is called: a repository, a copy of the kit. `people`: fold_name() of names and ids that are known;
/// a folder that is called so is a student's.
std::vector<Root> find_roots(const std::vector<Found>& found, const std::string& input_name,
                             const LabNames& labs, const std::set<std::string>& people);
/// Whom a folder, an archive or a file is called after: "alice" of "cuda-memory-labs-alice-main", "alice_lab3.zip"; "" if
/// nobody.
std::string student_named(std::string_view name, const LabNames& labs);

/// In a plain download what a student's name is looked for in: "alice_lab3" of "alice_lab3.zip"; "" of what is no student's.
std::string plain_name(const Found& found, const Root& root, const LabNames& labs);
/// By plain_name() what names the student: "alice" of "cs101-week2-alice", a repository, and "bo" of "bo (1)", which a browser
/// downloaded a second time. `people` as in find_roots().
std::map<std::string, std::string> students_in(const std::set<std::string>& names,
                                               const std::set<std::string>& people,
                                               const LabNames& labs, bool is_kit);

/// Reads who `found` belongs to. `metadata`: of this root, for Gradescope.
Claim claim(const Found& found, const Root& root,
            const std::map<std::string, GradescopeSubmission>& metadata, const LabNames& labs);

/// What the student called the file, without what Canvas or Moodle put before, and without its folders.
std::string submitted_name(const std::string& path);

}  // namespace labkit::course
