// What the class commands say, as lines for a terminal.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "class/gradebook/gradebook.h"
#include "class/policy/policy.h"
#include "class/publish/publish.h"

namespace labkit::course {

/// Prints a line to stdout: names and paths cannot do anything to a terminal, and on one the line wraps at its width.
void say(const std::string& line);
inline constexpr std::size_t kScreenful = 20;
/// `title`, then a line each, indented, `most` at most; nothing if there are none.
void say_list(const std::string& title, const std::vector<std::string>& lines,
              std::size_t most = SIZE_MAX);

/// A line a lab: submitted, then how many stand where; a column that holds nothing is left out.
std::string class_table(const std::vector<Grade>& grades);

/// "agarcia (Ana); bli (Bo) and 3 more", and where to find those: who of the class submitted nothing at all, nor anything that could not be read;
/// "" if nobody.
std::string missing_text(const std::vector<Student>& students, const std::vector<Entry>& entries,
                         std::size_t most = 12);

/// What came to no verdict by our fault, with what happened, by reason: the most frequent first.
std::vector<std::string> trouble_lines(
    const std::map<std::string, std::vector<std::string>>& by_reason);
std::vector<std::string> trouble_lines(const std::vector<Entry>& entries);

/// "1 student", "3 students"
std::string counted(std::size_t count, const std::string& noun);

/// "the simulator", or the GPU's name; `device` is "sim" or that.
std::string device_words(const std::string& device);

/// Where a teacher looks next, a line each: what is to review and alike, grades.csv, the upload of each LMS, the pages.
std::string outputs_text(const Published& published, const std::filesystem::path& folder);

/// How many of how many, how fast, how long still. `seconds`: since `done` was 0.
std::string progress_text(std::size_t done, std::size_t total, double seconds);
}  // namespace labkit::course
