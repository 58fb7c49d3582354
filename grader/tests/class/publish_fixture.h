// A graded class beside the folder that it is published into.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "class/publish/publish.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {

namespace fs = std::filesystem;

/// Paths below a folder, without what publish keeps for itself.
inline std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& at : fs::recursive_directory_iterator(folder))
    if (at.is_regular_file() && !at.path().filename().string().starts_with(".labkit-files"))
      files.insert(at.path().lexically_relative(folder).string());
  return files;
}

/// Without the pages.
inline std::vector<std::string> but_pages(std::vector<std::string> files) {
  std::erase_if(files, [](const std::string& file) { return file.ends_with(".html"); });
  return files;
}

class PublishTest : public ::testing::Test {
 protected:
  void import_inputs(const Intake& intake) {
    book_.put_class(intake);
    book_.plan(made_conditions());
    grade_all(book_);
  }
  Published publish_now(const PublishOptions& options = {}) {
    return publish(book_, kit_labs(), options, out_);
  }
  std::string text_of(const std::string& file) const { return read_file(out_ / file); }

  TemporaryFolder folder_;
  Gradebook book_{folder_.path() / "gradebook.sqlite"};
  fs::path out_ = folder_.path() / "out";
};

}  // namespace labkit::course
