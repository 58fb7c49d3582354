// What a student may see of a file's place: its name, and not where it lay in the class's download.
// Private to course/.
#pragma once
#include <string>

#include "base/text.h"

namespace labkit::course {

/// As the student called it: without folders, and without what Canvas or Moodle put before.
std::string students_file_name(const std::string& path);

/// The file that the student handed in: of an archive, its own name and the file's place in it, as in
/// "handin.zip/lab3/kernel.cu". `download`: Submission::download, whose name is the teacher's; "" if unknown:
/// then the file's name alone.
std::string handed_in_name(const std::string& path, const std::string& download);

/// The same in all texts of a result (format of report/json.h), which speak of the file by its path.
template <typename Json>
void name_file_only(Json& result) {
  const auto file = result.find("file");
  if (file == result.end() || !file->is_string()) return;
  const std::string path = *file, name = students_file_name(path);
  if (path.empty() || path == name) return;
  const auto replace = [&](const auto& self, Json& value) -> void {
    if (value.is_string())
      value = replace_all(value.template get<std::string>(), path, name);
    else if (value.is_structured())
      for (Json& inside : value) self(self, inside);
  };
  replace(replace, result);
}

}  // namespace labkit::course
