#include "class/pages/students_view.h"

#include "class/intake/archive.h"
#include "class/intake/owners.h"

namespace labkit::course {

namespace {

std::string without_lms(std::string name) {
  if (const auto canvas = parse_canvas_name(name); canvas && !canvas->file.empty())
    return canvas->file;
  if (const auto moodle = parse_moodle_name(name); moodle && !moodle->file.empty())
    return moodle->file;
  return name;
}

}  // namespace

std::string students_file_name(const std::string& path) {
  return without_lms(path.substr(path.find_last_of('/') + 1));
}

std::string handed_in_name(const std::string& path, const std::string& download) {
  const std::string input = download.substr(download.find_last_of('/') + 1);
  for (std::size_t begin = 0;;) {
    const std::size_t end = path.find('/', begin);
    if (end == std::string::npos || download.empty()) return students_file_name(path);
    const std::string part = path.substr(begin, end - begin);
    if (names_archive(part) && part != input && !download.ends_with(path.substr(0, end)))
      return without_lms(part) + path.substr(end);
    begin = end + 1;
  }
}

}  // namespace labkit::course
