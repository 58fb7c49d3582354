#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <thread>
#include <vector>

#include "base/error.h"

namespace labkit {
namespace {

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "labkit-files-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::filesystem::path directory_;
};

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(Files, ReadsBackWhatWasWritten) {
  const std::string bytes("a\0b\r\n\xff", 6);
  write_file_atomically(directory_ / "deep" / "er" / "file", bytes);
  EXPECT_EQ(read_file(directory_ / "deep" / "er" / "file"), bytes);
  write_file_atomically(directory_ / "deep" / "er" / "file", "");
  EXPECT_EQ(read_file(directory_ / "deep" / "er" / "file"), "");
}

TEST_F(Files, NamesTheFileInEveryFailure) {
  const std::string missing = (directory_ / "none.toml").string();
  EXPECT_EQ(failure_of([&] { read_file(missing); }),
            "cannot read " + missing + ": No such file or directory");
  EXPECT_EQ(failure_of([&] { read_file(directory_); }),
            "cannot read " + directory_.string() + ": Is a directory");
  write_file_atomically(directory_ / "plain", "x");
  const std::string below = (directory_ / "plain" / "file").string();
  EXPECT_NE(failure_of([&] { write_file_atomically(below, "x"); }).find(below), std::string::npos);
}

TEST_F(Files, RefusesWhatIsTooLargeOrNoRegularFile) {
  write_file_atomically(directory_ / "big", std::string(1000, 'x'));
  EXPECT_NE(failure_of([&] { read_file(directory_ / "big", 999); }).find("larger than 999 bytes"),
            std::string::npos);
  EXPECT_EQ(read_file(directory_ / "big", 1000).size(), 1000u);
  ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);
  EXPECT_NE(failure_of([&] { read_file(directory_ / "pipe"); }).find("not a regular file"),
            std::string::npos);
}

TEST_F(Files, WritersAtTheSameTimeLeaveOneWholeText) {
  const std::string texts[2] = {std::string(100'000, 'a'), std::string(100'000, 'b')};
  std::vector<std::thread> writers;
  for (const std::string& text : texts)
    writers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) write_file_atomically(directory_ / "shared", text);
    });
  for (std::thread& writer : writers) writer.join();
  const std::string left = read_file(directory_ / "shared");
  EXPECT_TRUE(left == texts[0] || left == texts[1]);
  const auto files = std::distance(std::filesystem::directory_iterator(directory_),
                                   std::filesystem::directory_iterator());
  EXPECT_EQ(files, 1) << "a temporary was left behind";
}

TEST_F(Files, OutputMakesNoFolders) {
  const auto path = directory_ / "none" / "out.json";
  const std::string said = failure_of([&] { write_output_file(path, "x"); });
  EXPECT_NE(said.find("there is no folder " + (directory_ / "none").string()), std::string::npos)
      << said;
  EXPECT_FALSE(std::filesystem::exists(directory_ / "none"));
  EXPECT_NE(failure_of([&] { write_output_file(directory_, "x"); }).find("Is a directory"),
            std::string::npos);
}

TEST_F(Files, APlaceWhereNothingCanBeMadeIsRefusedBeforeTheWork) {
  for (const char* place : {"/proc/x", "/proc/self/x.json"})
    EXPECT_NE(failure_of([&] { require_output_place(place); }).find("no file can be made in /proc"),
              std::string::npos);
  EXPECT_NE(failure_of([] { require_output_place(""); }).find("has no name"), std::string::npos);
  require_output_place(directory_ / "new.json");
  require_output_place("/dev/null");
  EXPECT_TRUE(std::filesystem::is_empty(directory_)) << "the trial is gone";
}

TEST_F(Files, AReportNeverReplacesAnythingElse) {
  const auto source = directory_ / "kernel.cu";
  write_file_atomically(source, "// mine\n");
  EXPECT_NE(failure_of([&] { require_output_place(source); }).find("will not write over"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { write_output_file(source, "{}"); }).find("will not write over"),
            std::string::npos);
  EXPECT_EQ(read_file(source), "// mine\n");
  const auto report = directory_ / "report.html";
  write_file_atomically(report, "\n<!doctype html>");
  write_output_file(report, "<p>");
  EXPECT_EQ(read_file(report), "<p>");
  write_file_atomically(report, "");  // as mktemp makes it
  write_output_file(report, "{}");
  EXPECT_EQ(read_file(report), "{}");
}

TEST_F(Files, OutputReplacesOnlyRegularFiles) {
  const auto plain = directory_ / "plain", link = directory_ / "link", pipe = directory_ / "pipe";
  write_output_file(plain, "[one]");
  write_output_file(plain, "[two]");
  EXPECT_EQ(read_file(plain), "[two]");
  std::filesystem::create_symlink(plain, link);
  write_output_file(link, "[three]");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(plain), "[three]");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_output_file(pipe, "four");
  char got[8] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 4);
  EXPECT_STREQ(got, "four");
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

}  // namespace
}  // namespace labkit
