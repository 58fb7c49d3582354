// Options of publishing: what is refused, what is kept.
#include <gtest/gtest.h>

#include "base/error.h"
#include "class/policy/policy.h"
#include "class/publish/csv.h"
#include "class/publish/publish.h"
#include "publish_fixture.h"

namespace labkit::course {
namespace {

TEST_F(PublishTest, OptionsAreCheckedAndKept) {
  Intake intake = made_class(2, {"lab1", "lab3"});
  intake.students[0].keys["canvas_id"] = "7";
  for (Submission& one : intake.submissions) one.late = true;
  import_inputs(intake);
  PublishOptions options;
  options.policy = folder_.write("policy.toml", "[late]\npercent_per_day = 10\n");
  options.canvas_gradebook = folder_.write(
      "canvas.csv", "Student,ID,Lab 1 (1)\n    Points Possible,,200\nS Zero,7,\nOther,8,\n");
  options.moodle_worksheets = {
      folder_.write("Grades lab 3.csv", "Identifier,Grade\nParticipant 1,\n")};
  publish_now(options);
  EXPECT_EQ(kept_policy(book_).late.percent_per_day, 10);
  const auto graded = [&] {
    return read_csv(text_of("canvas.csv"), "t").rows.at(2).at(2) + " " +
           read_csv(text_of("grades.csv"), "t").rows.at(1).at(7);
  };
  EXPECT_EQ(graded(), "180 90");
  EXPECT_EQ(text_of("moodle-lab3.csv"), "Identifier,Grade\r\nParticipant 1,\r\n");
  EXPECT_FALSE(fs::exists(out_ / "moodle-lab1.csv"));
  // Kept: the files themselves are not needed any more.
  fs::remove(options.policy);
  fs::remove(options.canvas_gradebook);
  fs::remove(options.moodle_worksheets[0]);
  EXPECT_TRUE(publish_now().written.empty());
  options = {};
  options.policy = folder_.write("other.toml", "[late]\npercent_per_day = 20\n");
  publish_now(options);
  EXPECT_EQ(graded(), "160 80");
}

TEST_F(PublishTest, OptionsThatCannotBeUsedChangeNothing) {
  import_inputs(made_class(1, {"lab1"}));
  PublishOptions good;
  good.policy = folder_.write("good.toml", "drop_lowest = 1\n");
  const auto fault = [&](const PublishOptions& options) {
    try {
      keep_options(book_, kit_labs(), options);
    } catch (const Error& error) {
      EXPECT_EQ(kept_policy(book_).drop_lowest, 0u) << "nothing is kept";
      return std::string(error.what()) + " | " + error.remedy();
    }
    return std::string("none");
  };
  PublishOptions bad = good;
  bad.policy = folder_.write("p.toml", "[due]\nlab33 = 2026-10-01T23:59:00Z\n");
  EXPECT_NE(fault(bad).find("unknown key `due`"), std::string::npos);
  bad = good;
  bad.canvas_gradebook = folder_.write("c.csv", "Student,ID,Quiz (1)\n");
  EXPECT_NE(fault(bad).find("c.csv has no column of a lab"), std::string::npos);
  bad = good;
  bad.moodle_worksheets = {folder_.write("grades.csv", "Identifier,Grade\n")};
  EXPECT_NE(fault(bad).find("does not say which lab it is for | Call it after its lab"),
            std::string::npos);
  bad.moodle_worksheets = {folder_.write("lab1.csv", "Identifier,Grade\n"),
                           folder_.write("again/lab1.csv", "Identifier,Grade\n")};
  EXPECT_NE(fault(bad).find("two worksheets for lab1"), std::string::npos);
  bad.moodle_worksheets = {folder_.write("lab2.csv", "Identifier,Punkte\n")};
  EXPECT_NE(fault(bad).find("call its column of grades Grade"), std::string::npos);
  bad.moodle_worksheets = {folder_.path() / "not-there.csv"};
  EXPECT_NE(fault(bad).find("not-there.csv"), std::string::npos);
  EXPECT_EQ(fault(good), "none");
  EXPECT_EQ(kept_policy(book_).drop_lowest, 1u);
}

}  // namespace
}  // namespace labkit::course
