#include "course/students_view.h"

#include "course/owners.h"

namespace labkit::course {

std::string students_file_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (const auto canvas = parse_canvas_name(name); canvas && !canvas->file.empty())
    return canvas->file;
  if (const auto moodle = parse_moodle_name(name); moodle && !moodle->file.empty())
    return moodle->file;
  return name;
}

}  // namespace labkit::course
