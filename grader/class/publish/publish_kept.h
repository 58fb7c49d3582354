// Settings of the gradebook that publish keeps. Private to publish.
#pragma once
#include <cstdint>
#include <string>

#include "class/gradebook/gradebook.h"
#include "class/publish/csv.h"

namespace labkit::course {

inline constexpr const char* kPolicySetting = "policy file";
inline constexpr const char* kCanvasSetting = "Canvas's gradebook";
inline constexpr const char* kMoodleSetting = "Moodle's worksheet of ";  ///< and a lab
/// The last that was named, for worksheets that have none of their own.
inline constexpr const char* kColumnSetting = "Moodle's grade column";
/// And a lab: its worksheet's own.
inline constexpr const char* kOwnColumnSetting = "Moodle's grade column of ";
inline constexpr std::uint64_t kKeptBytes = 16u << 20;  ///< no sheet of grades is as large

struct KeptFile {
  std::string name;  ///< "": none was given
  std::string text;
};
KeptFile kept_file(const Gradebook& book, const std::string& setting);

/// The header of a lab's worksheet's grades; "": one of the usual names.
std::string kept_column(const Gradebook& book, const std::string& lab, const Csv& worksheet);

/// With blanks for line ends.
std::string replace_line_ends(std::string text);

}  // namespace labkit::course
