// A folder of files that a program makes again and again, and to which people add their own.
//
// `.labkit-files` in the folder lists what was made, a path a line. A line is on the disk before its file is: after kill -9
// at any moment each file that was made is still known as such.
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"

namespace labkit {

class MadeFolder {
 public:
  /// Makes the folder if it is not there, and waits while another process writes into it. Throws
  /// labkit::Error naming the folder.
  explicit MadeFolder(std::filesystem::path folder);

  /// `path` is below the folder, with '/'. A file that somebody else made stays as it is, with a note. Throws labkit::Error
  /// naming the file.
  void put(const std::string& path, std::string_view text);
  /// Removes what was made earlier and was not put this time.
  void finish();

  std::vector<std::string> written, removed, notes;
  std::size_t unchanged = 0;

  static constexpr const char* kList = ".labkit-files";

 private:
  /// In one step. One process at a time writes here, so whoever is killed leaves one file that the next replaces.
  void replace(const std::filesystem::path& file, std::string_view text);

  std::filesystem::path folder_;
  Descriptor lock_, list_;
  std::set<std::string> made_, put_;  ///< paths
};

}  // namespace labkit
