// A copy of the kit's folder: labs and solutions that a test may write to, and programs that find this copy, not the source.
#pragma once
#include <filesystem>
#include <string>

#include "process/process.h"

namespace labkit::handouts {

/// Removed with the object. ./kit is labkit itself, without the build step; ctest runs in the real build folder.
class KitFolder {
 public:
  KitFolder();
  ~KitFolder();
  KitFolder(const KitFolder&) = delete;
  KitFolder& operator=(const KitFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Runs `text` in a shell, without a GPU; at most 300 seconds.
  process::Result type(const std::string& text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace labkit::handouts
