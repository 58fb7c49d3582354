// Options of publishing: what is refused, what is kept.
#include <gtest/gtest.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/text.h"
#include "class/policy/policy.h"
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

TEST_F(PublishTest, AWorksheetOfTwoLabsIsFilledOnceWithTheirSum) {
  import_inputs(made_class(1, {"lab1", "lab3"}));
  PublishOptions options;
  options.moodle_worksheets = {
      folder_.write("lab1 + lab3.csv", "Identifier,Email address,Grade\nParticipant 1,,\n")};
  publish_now(options);
  EXPECT_TRUE(fs::exists(out_ / "moodle-lab1+lab3.csv"));
  EXPECT_FALSE(fs::exists(out_ / "moodle-lab1.csv"));
  EXPECT_FALSE(fs::exists(out_ / "moodle-lab3.csv"));
}

/// What is excused in Canvas is so here as long as Canvas says so; a teacher's excuse stays.
TEST_F(PublishTest, CanvassExcuseGoesWhenItIsTakenAwayThere) {
  Intake intake = made_class(2, {"lab1"});
  for (int i = 0; i < 2; ++i) intake.students[i].keys["canvas_id"] = std::to_string(7 + i);
  import_inputs(intake);
  book_.decide({0, "s0", "lab1", Decision::Kind::late_days, 2, "ill", "ta", 1});
  const auto exported = [&](const std::string& first, const std::string& second) {
    PublishOptions options;
    options.canvas_gradebook = folder_.write(
        "c.csv", "Student,ID,Lab 1 (1)\nZero,7," + first + "\nOne,8," + second + "\n");
    publish_now(options);
    const Csv csv = read_csv(text_of("canvas.csv"), "t");
    return csv.cell(1, 2) + " " + csv.cell(2, 2);
  };
  EXPECT_EQ(exported("EX", ""), "EX 60");
  EXPECT_TRUE(publish_now().written.empty()) << "decided once";
  EXPECT_EQ(exported("", ""), "100 60");
  EXPECT_EQ(decisions_that_count(book_.entries()[0].decisions).late_days->value, 2);
  EXPECT_EQ(exported("EX", ""), "EX 60") << "and again";
  book_.decide({0, "s1", "lab1", Decision::Kind::excused, 0, "moved", "ta", 1});
  EXPECT_EQ(exported("", ""), "100 EX");
}

/// A gradebook of Canvas, and nothing left of the class.
TEST_F(PublishTest, AfterTheFirstImportIsTakenBackNothingIsLeftButTheForm) {
  Intake intake = made_class(1, {"lab1"});
  intake.students[0].keys["canvas_id"] = "7";
  import_inputs(intake);
  PublishOptions options;
  options.canvas_gradebook = folder_.write("c.csv", "Student,ID,Lab 1 (1)\nZero,7,\n");
  publish_now(options);
  book_.undo();
  EXPECT_NO_THROW(publish_now());
  EXPECT_EQ(text_of("grades.csv").find("s0"), std::string::npos);
  EXPECT_EQ(read_csv(text_of("canvas.csv"), "t").cell(1, 2), "");
}

TEST_F(PublishTest, ABlankThatBecomesZeroIsAChange) {
  Intake intake = made_class(2, {"lab1"});
  intake.submissions.pop_back();
  Root root;
  root.label = root.called = "submissions.zip";
  root.labs = {"lab1"};
  intake.roots = {root};
  intake.remarks = {{Remark::Kind::refused, "x.zip", "s1", "broken", root.called}};
  import_inputs(intake);
  const Report before = kept_report(book_, kit_labs());
  PublishOptions options;
  options.policy = folder_.write("p.toml", "missing = \"zero\"\n[weights]\nlab1 = 2\n");
  publish_now(options);
  const Report zero = kept_report(book_, kit_labs());
  EXPECT_TRUE(changes(before, zero).changed.empty()) << "s1 is a case, and blank";
  EXPECT_EQ(changes(before, zero).totals, 1u) << "s0's, by the weight";
  intake.remarks.clear();
  book_.put_class(intake, true);
  const auto lost = changes_to(book_, kit_labs(), View::with_last);
  EXPECT_EQ(joined(lost.changed), "s1 lab1: blank, missing? -> 0, missing");
  book_.apply_pending(View::with_last);
  const auto back = changes_to(book_, kit_labs(), View::without_last);
  EXPECT_EQ(joined(back.changed), "s1 lab1: 0, missing -> blank, missing?");
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
  bad.moodle_worksheets = {folder_.write("lab2.csv", "Identifier,Grade\n")};
  EXPECT_NE(fault(bad).find("lab2.csv: lab2 was not set; the labs of this class are lab1 | Name it "
                            "after its lab: --moodle-worksheet lab1.csv."),
            std::string::npos)
      << fault(bad);
  bad.moodle_worksheets = {folder_.write("lab1+lab2.csv", "Identifier,Grade\n")};
  EXPECT_NE(fault(bad).find("lab2 was not set"), std::string::npos);
  PublishOptions sheet;
  sheet.moodle_worksheets = bad.moodle_worksheets;
  EXPECT_NO_THROW(keep_options(book_, kit_labs(), sheet, {"lab2"})) << "it comes with its import";
  bad.moodle_worksheets = {folder_.write("more/lab1.csv", "Identifier,Punkte\n")};
  EXPECT_NE(fault(bad).find("with no columns moved or added"), std::string::npos);
  bad.moodle_worksheets = {folder_.path() / "not-there.csv"};
  EXPECT_NE(fault(bad).find("not-there.csv"), std::string::npos);
  EXPECT_EQ(fault(good), "none");
  EXPECT_EQ(kept_policy(book_).drop_lowest, 1u);
}

}  // namespace
}  // namespace labkit::course
