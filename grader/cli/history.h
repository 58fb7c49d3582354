// What the gradings of a lab's own kernel.cu gave, the oldest first: a JSON object per line in
// <cache>/state/<lab>/history.jsonl. Figures are the simulator's, so that they are the same on every machine.
#pragma once
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explain/reward.h"
#include "grade/manifest.h"
#include "grade/result.h"

namespace labkit::cli {

struct Attempt {
  std::string time;    ///< UTC: "2026-11-26T21:14:07Z"
  std::string source;  ///< SHA-256 of kernel.cu
  std::string lab;     ///< of lab.toml: under other limits points say something else
  std::string gpu;     ///< whose times are predicted
  grade::Verdict verdict;
  double points = 0, bonus = 0;
  /// Of each graded test whose results were right: those of kKeptFigures that it has.
  std::map<std::string, grade::Figures> figures;
  double total() const { return points + bonus; }
};

/// nullopt for what is no attempt of a student's: an empty kernel, no file, or a grading of only some tests.
std::optional<Attempt> attempt_of(const grade::Manifest& lab, const std::string& source,
                                  const grade::LabResult& result, std::time_t now);

/// Lines that cannot be read are left out.
std::vector<Attempt> read_history(const std::filesystem::path& cache, const std::string& lab_id);

/// At the end, unless it is what the last line says already. At most kMostAttempts are kept: the latest, and of those
/// before them the best and the first whose results were right. What cannot be written is left out: it changes no verdict.
void append_to_history(const std::filesystem::path& cache, const std::string& lab_id,
                       const Attempt& attempt);
inline constexpr std::size_t kMostAttempts = 200;

/// Appends what a grading gave. Of CTest's, one test each, the last to come completes the attempt; it has no figures. Call
/// it after record_state().
void note_attempt(const std::filesystem::path& cache, const grade::Manifest& lab,
                  const std::string& source, const grade::LabResult& result);

/// The most points of the attempts under the limits of lab.toml as it is now; null if there is none.
const Attempt* best_of(const std::vector<Attempt>& history, const grade::Manifest& lab);

/// How `now` compares with what came before it. `history` may end with `now` itself.
explain::Reward reward_of(const std::vector<Attempt>& history, const Attempt& now);

/// "26 Nov 21:14", local time; as it stands where it is no such time.
std::string short_time(const std::string& utc);

}  // namespace labkit::cli
