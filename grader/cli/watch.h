// `labkit watch`: what its two forms share, on a screen (watch_screen.cpp) and as plain text (watch.cpp).
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/check_process.h"
#include "report/style.h"

namespace labkit::cli {

struct WatchOptions {
  std::vector<std::string> labs;  ///< empty: all
  std::size_t count = 0;          ///< end after so many verdicts; 0: never
  std::string format = "text";
  GradeRequest request;
};

/// The kernel.cu of one lab.
class Watched {
 public:
  explicit Watched(const grade::Manifest& lab);
  const grade::Manifest& lab() const { return *lab_; }
  /// Whether it holds something else than when it was last asked. Waits until a save is through.
  bool changed();

 private:
  std::string hash() const;
  /// What a file looks like from outside, its time and size; different after it was saved. Nothing while it is not there, as
  /// editors that replace a file leave it for a moment.
  using Look = std::optional<std::pair<std::filesystem::file_time_type, std::uintmax_t>>;
  Look look() const;

  const grade::Manifest* lab_;
  std::filesystem::path file_;
  Look look_;
  std::string hash_;
};

/// Grades in a thread, one lab at a time.
class BackgroundGrading {
 public:
  ~BackgroundGrading() { give_up(); }
  void start(const grade::Manifest& lab, GradeRequest request);
  bool is_running() const { return graded_.valid(); }
  bool is_ready() const;
  /// The verdict, once, while a change that makes the file right is looked for.
  std::optional<grade::LabResult> take_judged();
  Graded take();
  /// Within a twentieth of a second, without a result.
  void give_up();

 private:
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::optional<grade::LabResult> judged_;
  std::future<Graded> graded_;
};

/// One of these after another, as --count has it.
int exit_code_of(const Graded& graded);

bool any_test_ran(const grade::LabResult& result);
/// "lab1  Vector addition, coalesced: 60 of 100 points"
std::string watch_title(const grade::Manifest& lab, const grade::LabResult& result,
                        const report::Style& style);
/// A line a test.
std::string tests_text(const grade::LabResult& result, const report::Style& style);

/// What plain `watch` says of a result: a line a test, below it what `grade` shows there, what to do next.
std::string watch_text(const grade::Manifest& lab, const grade::LabResult& result,
                       const std::vector<grade::Manifest>& all, const report::Style& style);

/// What the screen shows, in at most `rows` lines.
struct WatchView {
  const grade::Manifest* lab = nullptr;    ///< null: nothing is graded yet
  std::optional<grade::LabResult> result;  ///< none: `trouble` says why
  std::optional<Error> trouble;
  std::string reward, hint;  ///< text below the result
  bool is_looking = false;   ///< for a change that makes it right; the result is the verdict alone
};
std::string screen_text(const WatchView& view, const report::Style& style, std::size_t rows);

/// On a terminal, with keys where stdin is one as well.
int watch_on_screen(const WatchOptions& options);

}  // namespace labkit::cli
