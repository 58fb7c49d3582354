// An empty folder for what lies between, gone with its object.
#pragma once
#include <filesystem>

namespace labkit {

class WorkFolder {
 public:
  /// Throws labkit::Error if it cannot be made.
  explicit WorkFolder(const std::filesystem::path& in = std::filesystem::temp_directory_path());
  ~WorkFolder() { remove(); }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  void remove() const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace labkit
