// What was set: a download is one assignment's, and an assignment grades the labs that it names and nothing else.
//
// assignments.toml in the class's folder says so, for the teacher to edit:
//
//   [[assignment]]
//   name = "Lab 3"
//   labs = ["lab3"]
//   downloads = ["Lab 3*", "*hw3*"]       # names of its downloads; * is any text
//   due = 2026-11-02T23:59:00+01:00       # optional
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/manifest.h"

namespace labkit::course {

struct Assignment {
  std::string name;                    ///< as the teacher calls it; else its labs
  std::vector<std::string> labs;       ///< ids, in the order of the labs; at least one
  std::vector<std::string> downloads;  ///< patterns
  std::optional<std::int64_t> due;     ///< seconds since 1970
  std::int64_t zone_seconds = 0;       ///< of its zone, ahead of UTC

  bool is_of(std::string_view download) const;
};

/// The lab with that id or name in any spelling. Throws std::invalid_argument naming those there are.
const grade::Manifest& lab_named(const std::vector<grade::Manifest>& labs, const std::string& name);

/// Each lab is one assignment's.
class Assignments {
 public:
  Assignments() = default;
  /// Throws UsageError naming `file` and the line: unknown keys, a lab that the kit has not or that two assignments name, a
  /// due time without a zone.
  Assignments(std::string_view toml, const std::string& file,
              const std::vector<grade::Manifest>& labs);

  const std::vector<Assignment>& all() const { return all_; }
  /// Null if none names it.
  const Assignment* of_lab(std::string_view lab) const;

 private:
  std::vector<Assignment> all_;
};

/// "Lab 3*=lab3", "week1.zip=lab0,lab1" or, for every download of a command, "lab3". Throws UsageError with the right form.
Assignment assignment_from(const std::string& text, const std::vector<grade::Manifest>& labs);

const char* assignments_head();
std::string assignment_toml(const Assignment& assignment);

}  // namespace labkit::course
