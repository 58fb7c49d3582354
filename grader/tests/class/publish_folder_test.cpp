// Files that others have in the folder, or changed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "class/policy/policy.h"
#include "class/publish/csv.h"
#include "class/publish/publish.h"
#include "publish_fixture.h"

namespace labkit::course {
namespace {

TEST_F(PublishTest, WhatIsNotTheKitsStays) {
  const std::string note = "grades.csv is not the kit's and stays; move it away to have it made";
  import_inputs(made_class(2, {"lab1"}));
  fs::create_directories(out_);
  write_file_atomically(out_ / "grades.csv", "mine from before");
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(publish_now().notes, std::vector<std::string>{note});
    EXPECT_EQ(text_of("grades.csv"), "mine from before");
  }
  fs::remove(out_ / "grades.csv");
  EXPECT_TRUE(publish_now().notes.empty());
  const std::string grades = text_of("grades.csv");
  // An output is made again, whatever was done to it.
  write_file_atomically(out_ / "grades.csv", grades + "a line of mine\r\n");
  EXPECT_TRUE(publish_now().notes.empty());
  EXPECT_EQ(text_of("grades.csv"), grades);
}

TEST_F(PublishTest, WhoIsGoneLeavesNothingButWhatIsNotOurs) {
  import_inputs(made_class(4, {"lab1"}));
  publish_now();
  write_file_atomically(out_ / "receipts/s2/remark.txt", "the teacher's");
  Gradebook fewer(folder_.path() / "fewer.sqlite");
  fewer.put_class(made_class(1, {"lab1"}));
  fewer.plan(made_conditions());
  grade_all(fewer);
  const Published published = publish(fewer, kit_labs(), {}, out_);
  EXPECT_EQ(but_pages(published.removed),
            (std::vector<std::string>{"receipts/s1/lab1.json", "receipts/s2/lab1.json",
                                      "receipts/s3/lab1.json"}));
  EXPECT_FALSE(fs::exists(out_ / "receipts/s1"));
  EXPECT_FALSE(fs::exists(out_ / "students/s1.html"));
  EXPECT_EQ(text_of("receipts/s2/remark.txt"), "the teacher's");
  EXPECT_TRUE(published.notes.empty());
}

TEST_F(PublishTest, AListThatWasTamperedWithRemovesNothingOutside) {
  import_inputs(made_class(1, {"lab1"}));
  publish_now();
  const std::string secret = "not ours";
  write_file_atomically(folder_.path() / "secret", secret);
  std::string list = read_file(out_ / ".labkit-files");
  for (const std::string& path : {std::string("../secret"), (folder_.path() / "secret").string(),
                                  std::string("receipts/../../secret"), std::string(".")})
    list += path + "\n";
  write_file_atomically(out_ / ".labkit-files", list);
  EXPECT_TRUE(publish_now().removed.empty());
  EXPECT_EQ(read_file(folder_.path() / "secret"), secret);
}

TEST_F(PublishTest, WhatStandsInTheWayIsNamed) {
  import_inputs(made_class(1, {"lab1"}));
  const auto fault = [&] {
    try {
      publish_now();
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.remedy();
    }
    return std::string("none");
  };
  fs::create_directories(out_ / "grades.csv");
  const std::string grades = (out_ / "grades.csv").string();
  EXPECT_EQ(fault(), fmt::format("cannot write {}: there is something of that name that is no file "
                                 "| Move {} away.",
                                 grades, grades));
  fs::remove(out_ / "grades.csv");
  write_file_atomically(folder_.path() / "elsewhere", "untouched");
  fs::create_symlink(folder_.path() / "elsewhere", out_ / "grades.csv");
  EXPECT_NE(fault().find("that is no file"), std::string::npos);
  EXPECT_EQ(read_file(folder_.path() / "elsewhere"), "untouched");
  fs::remove(out_ / "grades.csv");
  write_file_atomically(out_ / "receipts", "a file");
  EXPECT_EQ(fault(), fmt::format("cannot write {0}/s0/lab1.json: {0} is no folder | Move {0} away.",
                                 (out_ / "receipts").string()));
  fs::remove(out_ / "receipts");
  EXPECT_EQ(fault(), "none");
}

}  // namespace
}  // namespace labkit::course
