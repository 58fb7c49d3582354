// Files that others have in the folder, or changed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/files.h"
#include "class/policy/policy.h"
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

}  // namespace
}  // namespace labkit::course
