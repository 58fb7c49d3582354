// The output folder of a class, made from the gradebook: grades.csv, the LMS's own upload,
// Gradescope's results, receipts, pages, and what a teacher should look at.
//
// Each file is replaced in one step, and only if it changed (folder.h).
#pragma once
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/policy/policy.h"
#include "class/publish/exports.h"
#include "grade/manifest.h"

namespace labkit::course {

/// What a teacher gives for the outputs. Each file is read, checked and kept in the gradebook, so that
/// what is left empty later means what was given last.
struct PublishOptions {
  std::filesystem::path policy;            ///< policy.h
  std::filesystem::path canvas_gradebook;  ///< as Canvas exported it: filled in as canvas.csv
  /// Moodle's grading worksheets; each one's file name says its labs, unless there is but one lab.
  std::vector<std::filesystem::path> moodle_worksheets;
};

// Settings of the gradebook that hold what was given.
inline constexpr const char* kPolicySetting = "policy file";
inline constexpr const char* kCanvasSetting = "Canvas's gradebook";
inline constexpr const char* kMoodleSetting = "Moodle's worksheet of ";  ///< and a lab
inline constexpr const char* kAssignmentsFile = "assignments.toml";
inline constexpr std::uint64_t kKeptBytes = 16u << 20;  ///< no sheet of grades is as large

struct KeptFile {
  std::string name;  ///< "": none was given
  std::string text;
};
KeptFile kept_file(const Gradebook& book, const std::string& setting);
/// As a setting has it.
std::string kept_text(const std::filesystem::path& file, const std::string& text);

/// Reads, checks and keeps what `options` names; to be called before long work. Throws UsageError
/// with file, line and fix if any of it cannot be used, and then has kept nothing. `to_come`: labs of an import beside those
/// of the class.
void keep_options(Gradebook& book, const std::vector<grade::Manifest>& labs,
                  const PublishOptions& options, std::set<std::string> to_come = {});
/// Gradebook::put_local_times() of the worksheets in `options`.
void take_local_times(Gradebook& book, const std::vector<grade::Manifest>& labs,
                      const PublishOptions& options, bool everywhere);
/// assignments.toml of the class's folder: reads it, adds an assignment for each lab that was set for one of `roots` and is in
/// none, and keeps labs and due times in the gradebook. Throws UsageError with file, line and fix.
void keep_assignments(Gradebook& book, const std::vector<grade::Manifest>& labs,
                      const std::filesystem::path& folder, const std::vector<Root>& roots = {});
/// The policy given last, the default one if none was, with the due times of the assignments.
Policy kept_policy(const Gradebook& book);

/// The class under the policy that is kept.
Report kept_report(const Gradebook& book, const std::vector<grade::Manifest>& labs,
                   View view = View::shown);

struct Changes {
  std::vector<std::string> changed;  ///< "alice lab3: 75 -> 100", also from and to a blank
  std::size_t first = 0;  ///< of them: from the zero of missing work to what was submitted at last
  std::size_t added = 0;  ///< grades of what was not submitted before
  std::size_t removed = 0;  ///< grades of labs that are not set any more
  std::size_t totals = 0;   ///< that change, of students who had one
  /// An import that only adds work asks nothing.
  bool is_harmless() const { return changed.size() == first; }
};
Changes changes(const Report& before, const Report& now);
/// What counts now, against the imports of `view`.
Changes changes_to(const Gradebook& book, const std::vector<grade::Manifest>& labs,
                   View view = View::with_pending);

struct Published {
  std::vector<std::string> written;  ///< files that are new or changed, below the folder
  std::vector<std::string> removed;  ///< of students or labs that are gone
  std::size_t unchanged = 0;
  std::vector<std::string> notes;     ///< for the teacher: what was kept, who is not in an upload
  std::size_t to_review = 0;          ///< review_cases(): as index.html has them
  std::size_t alike = 0;              ///< pairs and same texts, over all labs
  std::vector<std::string> left_out;  ///< what is not in an upload as it is here
  /// What goes back: "Canvas", "Moodle" or "Gradescope", and the file or folder for it.
  std::vector<std::pair<std::string, std::string>> uploads;
};

/// keep_options(), then writes everything below `folder`. Throws labkit::Error naming the file and the
/// fix if one cannot be written; those before it are whole.
Published publish(Gradebook& book, const std::vector<grade::Manifest>& labs,
                  const PublishOptions& options, const std::filesystem::path& folder);

}  // namespace labkit::course
