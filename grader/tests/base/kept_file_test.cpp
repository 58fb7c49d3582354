// Files of a cache are used only as they were written.
#include "base/kept_file.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "temporary_folder.h"

namespace labkit {
namespace {

TEST(KeptFile, ComesBackAsItWas) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a/b.txt";
  EXPECT_EQ(read_kept(file), std::nullopt);
  const std::string contents("two\nlines\0", 10);
  write_kept(file, contents);
  EXPECT_EQ(read_kept(file), contents);
  write_kept(file, "");
  EXPECT_EQ(read_kept(file), "");
}

TEST(KeptFile, IsNotUsedIfItWasChangedCutOrRenamed) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a.txt", other = folder.path() / "b.txt";
  write_kept(file, "contents");
  const std::string text = read_file(file);
  std::filesystem::copy_file(file, other);
  EXPECT_EQ(read_kept(other), std::nullopt);
  write_file_atomically(file, text + "s");
  EXPECT_EQ(read_kept(file), std::nullopt);
  write_file_atomically(file, text.substr(0, text.size() - 1));
  EXPECT_EQ(read_kept(file), std::nullopt);
  write_file_atomically(file, "no line end");
  EXPECT_EQ(read_kept(file), std::nullopt);
  write_file_atomically(file, text);
  EXPECT_EQ(read_kept(file), "contents");
}

TEST(KeptFile, MayBeWhereNothingCanBeWritten) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "file", "");
  write_kept(folder.path() / "file/below", "contents");  // no folder can be made there
  EXPECT_EQ(read_kept(folder.path() / "file/below"), std::nullopt);
}

}  // namespace
}  // namespace labkit
