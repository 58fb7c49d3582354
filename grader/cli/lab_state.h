// How far a student is with a lab: what the last gradings of its own kernel.cu gave, kept in
// <cache>/state/<lab>/, a file a test, since CTest runs a lab's tests side by side.
#pragma once
#include <filesystem>
#include <string>

#include "grade/manifest.h"
#include "grade/result.h"

namespace labkit::cli {

/// Keeps what this result says of each test that ran, and of a verdict before any. `source`: what was
/// graded. What cannot be written is left out: it changes no verdict.
void record_state(const std::filesystem::path& cache, const grade::Manifest& lab,
                  const std::string& source, const grade::LabResult& result);

struct Progress {
  enum class Kind {
    no_file,    ///< kernel.cu is not there
    untouched,  ///< its kernels are empty
    ungraded,   ///< worked on, never graded
    changed,    ///< graded, and changed since
    graded,     ///< some or all of its tests, as it is now
  };
  Kind kind = Kind::no_file;
  /// Of the tests graded, with points and verdict summed up; `not_run` those that were not.
  grade::LabResult result;
  std::size_t not_run = 0;
  double best = 0;  ///< points with bonus of the best attempt so far (history.h)
  /// Every test that is not for bonus points passed.
  bool complete() const { return kind == Kind::graded && not_run == 0 && result.verdict.passed(); }
};

/// Of the lab's own kernel.cu, as it is now. A state that cannot be read counts as none.
Progress progress_of(const std::filesystem::path& cache, const grade::Manifest& lab);

/// In words: "not begun", "pass", "gate sectors", "changed since it was graded".
std::string progress_text(const Progress& progress);
/// "60/100", "100/100 +20/20"; "0/100" where nothing is known; "60/100, best 100" where it was better before.
std::string points_text(const grade::Manifest& lab, const Progress& progress);

}  // namespace labkit::cli
