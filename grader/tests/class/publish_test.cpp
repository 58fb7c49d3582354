// What a class is published as: sheets, uploads, receipts.
#include "class/publish/publish.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "base/csv.h"
#include "class/policy/policy.h"
#include "publish_fixture.h"

namespace labkit::course {
namespace {

TEST_F(PublishTest, WritesWhatTheInputAsksFor) {
  Intake intake = made_class(3, {"lab1", "lab3"});
  intake.submissions.pop_back();
  import_inputs(intake);
  const Published first = publish_now();
  const std::set<std::string> always = {"grades.csv",
                                        "receipts/s0/lab1.json",
                                        "receipts/s0/lab3.json",
                                        "receipts/s1/lab1.json",
                                        "receipts/s1/lab3.json",
                                        "receipts/s2/lab1.json",
                                        "index.html",
                                        "students/s0.html",
                                        "students/s1.html",
                                        "students/s2.html"};
  EXPECT_EQ(files_in(out_), always);
  EXPECT_EQ(std::set<std::string>(first.written.begin(), first.written.end()), always);
  EXPECT_TRUE(first.notes.empty());
  EXPECT_EQ(read_csv(text_of("grades.csv"), "t").rows.size(), 4u);
  EXPECT_EQ(text_of("receipts/s1/lab3.json"),
            book_.outcome(book_.entries().at(3).job->id)->receipt);

  const auto before = fs::last_write_time(out_ / "grades.csv");
  const Published again = publish_now();
  EXPECT_TRUE(again.written.empty() && again.removed.empty() && again.notes.empty());
  EXPECT_EQ(again.unchanged, always.size());
  EXPECT_EQ(fs::last_write_time(out_ / "grades.csv"), before);

  intake.roots = {{{}, Format::canvas, "labs"}};
  import_inputs(intake);
  EXPECT_EQ(but_pages(publish_now().written), (std::vector<std::string>{"canvas.csv"}));
  intake.roots = {{{}, Format::moodle, "a", {"lab1"}}, {{}, Format::moodle, "b", {"lab3"}}};
  import_inputs(intake);
  const Published moodle = publish_now();
  EXPECT_EQ(but_pages(moodle.written),
            (std::vector<std::string>{"moodle-lab1.csv", "moodle-lab3.csv"}));
  EXPECT_EQ(moodle.removed, (std::vector<std::string>{"canvas.csv"}));
  EXPECT_EQ(moodle.uploads, (std::vector<std::pair<std::string, std::string>>{
                                {"Moodle", "moodle-lab1.csv"}, {"Moodle", "moodle-lab3.csv"}}));
}

TEST_F(PublishTest, GradescopesResultsAreOfOneAssignmentEach) {
  const auto score = [&](const std::string& file) {
    return nlohmann::json::parse(text_of("gradescope/" + file)).at("score").get<double>();
  };
  Intake intake = made_class(3, {"lab1", "lab3"});
  intake.roots = {{{}, Format::gradescope, "Lab 1", {"lab1"}},
                  {{}, Format::gradescope, "Lab 3", {"lab3"}}};
  import_inputs(intake);
  const Published published = publish_now();
  EXPECT_EQ(score("lab1/s0/results.json"), 100);
  EXPECT_EQ(score("lab3/s1/results.json"), 60);
  EXPECT_EQ(text_of("gradescope/lab1/s1/results.json").find("lab3"), std::string::npos);
  EXPECT_EQ(published.uploads,
            (std::vector<std::pair<std::string, std::string>>{{"Gradescope", "gradescope/lab1"},
                                                              {"Gradescope", "gradescope/lab3"}}));
}

TEST_F(PublishTest, AnAssignmentOfTwoLabsHasOneResult) {
  Intake intake = made_class(2, {"lab1", "lab3"});
  intake.roots = {{{}, Format::gradescope, "assignment_7_export", {"lab1", "lab3"}}};
  import_inputs(intake);
  publish_now();
  EXPECT_EQ(nlohmann::json::parse(text_of("gradescope/lab1+lab3/s1/results.json")).at("score"),
            120);
  EXPECT_FALSE(fs::exists(out_ / "gradescope/lab1"));
}

TEST_F(PublishTest, GradescopeSaysTheMaximumOfWhatWasDecidedWithoutAResult) {
  Intake intake = made_class(1, {"lab3"});
  intake.submissions[0].lms_id = "submission_1";
  intake.submissions[0].problem = "it is empty";
  intake.submissions[0].path = "assignment_7_export/submission_1/secret/lab3.cu";
  intake.roots = {{{}, Format::gradescope, "assignment_7_export", {"lab3"}}};
  book_.put_class(intake);
  book_.plan(made_conditions());
  publish_now();
  EXPECT_FALSE(fs::exists(out_ / "gradescope")) << "a blank is no zero";
  book_.decide({0, "s0", "lab3", Decision::Kind::points, 80, "seen on paper", "kim", 1});
  publish_now();
  const std::string results = text_of("gradescope/lab3/s0/results.json");
  EXPECT_NE(results.find("lab3: 80 of 100 points"), std::string::npos) << results;
  EXPECT_NE(results.find("seen on paper"), std::string::npos) << results;
  for (const char* word : {"kim", "secret"})
    EXPECT_EQ(results.find(word), std::string::npos) << word << " in " << results;
}

/// What was withdrawn or replaced is between teachers: whoever gets the page reads what holds.
TEST_F(PublishTest, StudentsReadTheDecisionThatHoldsAndNoOther) {
  using Kind = Decision::Kind;
  Intake intake = made_class(1, {"lab3"});
  intake.submissions[0].lms_id = "submission_1";
  intake.roots = {{{}, Format::gradescope, "assignment_7_export", {"lab3"}}};
  import_inputs(intake);
  std::int64_t at = 0;
  const auto decide = [&](Kind kind, double value, const std::string& reason) {
    book_.decide({0, "s0", "lab3", kind, value, reason, "kim", ++at});
    publish_now();
  };
  const auto told = [&](const std::string& reason) {
    const std::string results = "gradescope/lab3/s0/results.json";
    const bool page = text_of("students/s0.html").find(reason) != std::string::npos;
    const bool upload =
        fs::exists(out_ / results) && text_of(results).find(reason) != std::string::npos;
    return std::string(page ? "page" : "") + (upload ? " upload" : "");
  };
  decide(Kind::late_days, 2, "forgot the zone");
  EXPECT_EQ(told("forgot the zone"), "page upload");
  decide(Kind::points, 10, "suspected of copying");
  EXPECT_EQ(told("forgot the zone"), "") << "points that were decided are never late";
  EXPECT_EQ(told("suspected of copying"), "page upload");
  decide(Kind::points, 90, "explained it well");
  EXPECT_EQ(told("suspected of copying"), "");
  EXPECT_EQ(told("explained it well"), "page upload");
  decide(Kind::excused, 0, "ill in bed");
  EXPECT_EQ(told("explained it well"), "");
  EXPECT_EQ(told("ill in bed"), "page") << "an excuse is no result";
  decide(Kind::withdrawn, 0, "mixed up with another");
  for (const char* reason : {"forgot the zone", "suspected of copying", "explained it well",
                             "ill in bed", "mixed up with another"})
    EXPECT_EQ(told(reason), "") << reason;
  EXPECT_EQ(book_.entries().at(0).decisions.size(), 5u) << "the gradebook keeps all";
}

/// One student's folder could not be read, another's submitted file neither.
TEST_F(PublishTest, MissingUnreadableAndNotGradedAreToldApartEverywhere) {
  Intake intake = made_class(5, {"lab3"});
  intake.submissions[2].problem = "it is empty";
  intake.submissions.erase(intake.submissions.begin(), intake.submissions.begin() + 2);
  intake.remarks = {{Remark::Kind::refused, "s1", "s1", "the folder cannot be read"}};
  book_.put_class(intake);
  book_.plan(made_conditions());
  for (const Job& job : book_.to_do())
    job.student == "s3" ? (void)book_.fail(job.id, "no compiler")
                        : book_.finish(job.id, made_outcome(job));
  for (const bool zero : {true, false}) {
    SCOPED_TRACE(zero);
    PublishOptions options;
    options.policy =
        folder_.write("policy.toml", zero ? "missing = \"zero\"\n" : "missing = \"blank\"\n");
    publish_now(options);
    const Csv sheet = read_csv(text_of("grades.csv"), "grades.csv");
    std::vector<std::string> cells;
    for (std::size_t row = 1; row < sheet.rows.size(); ++row)
      cells.push_back(sheet.cell(row, sheet.column({"lab3"})) + "|" +
                      sheet.cell(row, sheet.column({"lab3 verdict"})) + "|" +
                      sheet.cell(row, sheet.column({"review"})));
    EXPECT_EQ(cells, (std::vector<std::string>{zero ? "0|missing|" : "|missing|", "|missing?|yes",
                                               "|unreadable|yes", "|not graded|yes", "100|pass|"}));
    EXPECT_EQ(text_of("index.html").find("somebody has to look first") != std::string::npos, zero);
    EXPECT_NE(text_of("students/s0.html").find("Nothing was submitted"), std::string::npos);
    const std::string page = text_of("students/s1.html");
    EXPECT_EQ(page.find("Nothing was submitted"), std::string::npos);
    EXPECT_NE(page.find("Something was submitted that could not be read"), std::string::npos);
  }
}

TEST_F(PublishTest, FilesCallTheProgramAsItWasCalled) {
  Intake intake = made_class(2, {"lab3"});
  intake.submissions[0].problem = "it is empty";
  import_inputs(intake);
  ::setenv("LABKIT_COMMAND", "./kit", 1);
  publish_now();
  ::unsetenv("LABKIT_COMMAND");
  EXPECT_NE(text_of("index.html").find("or decide: ./kit class set DIR"), std::string::npos);
  EXPECT_EQ(text_of("index.html").find("labkit class"), std::string::npos);
}

}  // namespace
}  // namespace labkit::course
