// The kit's folder as a page's reader finds it: labs and answers to write to, and programs that believe that they live here.
#pragma once
#include <filesystem>
#include <string>

#include "process/process.h"

namespace labkit::handouts {

/// Gone with the object. ./kit is labkit, which the real one would build first; ctest tests the real build, which is another
/// folder.
class KitFolder {
 public:
  KitFolder();
  ~KitFolder();
  KitFolder(const KitFolder&) = delete;
  KitFolder& operator=(const KitFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// In a shell, without a GPU; at most 300 seconds.
  process::Result type(const std::string& text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace labkit::handouts
