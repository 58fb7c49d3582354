// Which of two submissions of one student for one lab is the newer one? The same answer wherever it is
// asked: within several downloads that are taken in together, and for a download that comes after
// others were graded.
//
//   1  What can be read goes before what cannot (but see unread_after()), and a kernel that somebody wrote before the stub as
//      it was handed out.
//   2  The LMS's own word, where both have it: Gradescope's time, Canvas's number of the file.
//   3  The times of the files (or the LMS's for one and the file's for the other), where they differ.
//   4  What was named later: in one command the input that stands further to the right, else what
//      was graded later.
//
// 3 and 4 are weak evidence: whoever unpacks and packs changes times. What they decide between
// different downloads is for a teacher to look at.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace labkit::course {

struct Attempt {
  std::string source_sha256;
  std::string path;                          ///< in its input
  std::string input;                         ///< the download it came with, as its file is called
  std::string download_key;                  ///< of that download (see download_key())
  std::optional<std::int64_t> submitted_at;  ///< seconds since 1970, as the LMS says
  std::uint64_t lms_order = 0;               ///< Canvas's number, the larger the newer; 0: none
  std::optional<std::int64_t> file_time;     ///< seconds since 1970, as the file or archive says
  bool readable = true;
  bool untouched = false;  ///< the stub as it was handed out
};

struct Order {
  enum class By : std::uint8_t { nothing, file_times, lms, contents };
  int sign =
      0;  ///< above 0: the first is the newer one; 0: nothing tells, or they are one submission
  By by = By::nothing;
  /// The LMS says it, or what they hold: no doubt is left.
  bool is_sure() const { return by == By::lms || by == By::contents; }
};
Order order_of(const Attempt& a, const Attempt& b);
/// The sign of 2 and 3 alone, whatever they hold.
int order_in_time(Attempt a, const Attempt& b);

/// The one that counts, of one or more in the order in which they were named. But for step 4 it does
/// not depend on that order.
std::size_t newest_of(const std::vector<Attempt>& all);

/// Those of `others` that are no older than `counts` beyond doubt: other bytes, from another download.
std::vector<Attempt> rivals_of(const Attempt& counts, const std::vector<Attempt>& others);

/// Those of `others` that cannot be read and of which nothing says that they are older than `counts`, which
/// can be read: what the student meant last may be lost.
std::vector<Attempt> unread_after(const Attempt& counts, const std::vector<Attempt>& others);

/// A time by the clock here, as strftime() writes it.
std::string local_time_text(std::int64_t seconds_since_1970, const char* format);
/// "two submissions, the one from week2.zip (2026-11-09 12:00) counts; the other is from week1.zip
/// (2026-11-02 12:00)". Times are local.
std::string rivals_text(const Attempt& counts, const std::vector<Attempt>& rivals);
/// "week1.zip (2026-11-02 12:00)", "week2.zip (2026-11-09 12:00)": two that an order `by` was found for.
std::pair<std::string, std::string> attempt_texts(const Attempt& a, const Attempt& b, Order::By by);

/// What is the same for copies of one download: the name of its file or folder without the ending of
/// an archive, a browser's " (1)", a date, case and blanks. "Lab 3 2026-11-09 (1).zip" gives "lab-3".
/// A name that is nothing but a date stays what it is.
std::string download_key(const std::string& name);

}  // namespace labkit::course
