#include "course/publish.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/usage_error.h"
#include "class_files.h"
#include "course/csv.h"
#include "course/policy.h"
#include "made_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// Paths below a folder, without what publish keeps for itself.
std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& at : fs::recursive_directory_iterator(folder))
    if (at.is_regular_file() && !at.path().filename().string().starts_with(".labkit-files"))
      files.insert(at.path().lexically_relative(folder).string());
  return files;
}

/// Without the pages.
std::vector<std::string> but_pages(std::vector<std::string> files) {
  std::erase_if(files, [](const std::string& file) { return file.ends_with(".html"); });
  return files;
}

/// A graded class beside the folder that it is published into.
class PublishTest : public ::testing::Test {
 protected:
  void take_in(const Intake& intake) {
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

TEST_F(PublishTest, WritesWhatTheInputAsksFor) {
  Intake intake = made_class(3, {"lab1", "lab3"});
  intake.submissions.pop_back();
  take_in(intake);
  const Published first = publish_now();
  const std::set<std::string> always = {"grades.csv",
                                        "junit.xml",
                                        "receipts/s0/lab1.json",
                                        "receipts/s0/lab3.json",
                                        "receipts/s1/lab1.json",
                                        "receipts/s1/lab3.json",
                                        "receipts/s2/lab1.json",
                                        "receipts/README.txt",
                                        "review.txt",
                                        "similar.csv",
                                        "similar.txt",
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

  intake.roots = {{{}, Format::canvas, "labs", ""}};
  take_in(intake);
  EXPECT_EQ(but_pages(publish_now().written),
            (std::vector<std::string>{"canvas.csv", "review.txt"}));
  intake.roots = {{{}, Format::moodle, "a", "lab1"}, {{}, Format::moodle, "b", "lab3"}};
  take_in(intake);
  const Published moodle = publish_now();
  EXPECT_EQ(but_pages(moodle.written),
            (std::vector<std::string>{"moodle-lab1.csv", "moodle-lab3.csv", "review.txt"}));
  EXPECT_EQ(moodle.removed, (std::vector<std::string>{"canvas.csv"}));
  EXPECT_EQ(moodle.uploads, (std::vector<std::pair<std::string, std::string>>{
                                {"Moodle", "moodle-lab1.csv"}, {"Moodle", "moodle-lab3.csv"}}));
}

TEST_F(PublishTest, GradescopesResultsAreOfOneAssignmentEach) {
  const auto score = [&](const std::string& file) {
    return nlohmann::json::parse(text_of("gradescope/" + file)).at("score").get<double>();
  };
  Intake intake = made_class(3, {"lab1", "lab3"});
  for (Submission& one : intake.submissions)
    one.lms_id = fmt::format("submission_{}{}", one.student, one.lab);  // an assignment for each
  intake.roots = {{{}, Format::gradescope, "assignment_7_export", ""}};
  take_in(intake);
  Published published = publish_now();
  EXPECT_EQ(score("lab1/s0/results.json"), 100);
  EXPECT_EQ(score("lab3/s1/results.json"), 60);
  EXPECT_EQ(text_of("gradescope/lab1/s1/results.json").find("lab3"), std::string::npos);
  EXPECT_EQ(published.uploads,
            (std::vector<std::pair<std::string, std::string>>{{"Gradescope", "gradescope/lab1"},
                                                              {"Gradescope", "gradescope/lab3"}}));
  // One file too many of another lab, handed in with lab 1, joins nothing.
  intake.submissions[3].lms_id = intake.submissions[2].lms_id;
  book_.put_class(intake);
  EXPECT_EQ(publish_now().uploads.size(), 2u);
  // One assignment for both.
  for (Submission& one : intake.submissions) one.lms_id = "submission_" + one.student;
  book_.put_class(intake);
  published = publish_now();
  EXPECT_EQ(score("lab1+lab3/s1/results.json"), 120);
  EXPECT_FALSE(fs::exists(out_ / "gradescope/lab1"));
  // Unless the downloads are called after their labs.
  intake.roots = {{{}, Format::gradescope, "Lab 1", "lab1"},
                  {{}, Format::gradescope, "Lab 3", "lab3"}};
  book_.put_class(intake);
  EXPECT_EQ(publish_now().uploads.size(), 2u);
}

TEST_F(PublishTest, GradescopeSaysTheMaximumOfWhatWasDecidedWithoutAResult) {
  Intake intake = made_class(1, {"lab3"});
  intake.submissions[0].lms_id = "submission_1";
  intake.submissions[0].problem = "it is empty";
  intake.submissions[0].path = "assignment_7_export/submission_1/secret/lab3.cu";
  intake.roots = {{{}, Format::gradescope, "assignment_7_export", ""}};
  book_.put_class(intake);
  book_.plan(made_conditions());
  publish_now();
  EXPECT_FALSE(fs::exists(out_ / "gradescope")) << "a blank is no zero";
  book_.decide({0, "s0", "lab3", Decision::Kind::points, 80, "seen on paper", "kim", 1, "hm"});
  publish_now();
  const std::string results = text_of("gradescope/lab3/s0/results.json");
  EXPECT_NE(results.find("lab3: 80 of 100 points"), std::string::npos) << results;
  EXPECT_NE(results.find("seen on paper"), std::string::npos) << results;
  for (const char* word : {"kim", "hm", "secret"})
    EXPECT_EQ(results.find(word), std::string::npos) << word << " in " << results;
}

/// What was withdrawn or replaced is between teachers: whoever gets the page reads what holds.
TEST_F(PublishTest, StudentsReadTheDecisionThatHoldsAndNoOther) {
  using Kind = Decision::Kind;
  Intake intake = made_class(1, {"lab3"});
  intake.submissions[0].lms_id = "submission_1";
  intake.roots = {{{}, Format::gradescope, "assignment_7_export", ""}};
  take_in(intake);
  std::int64_t at = 0;
  const auto decide = [&](Kind kind, double value, const std::string& reason) {
    book_.decide({0, "s0", "lab3", kind, value, reason, "kim", ++at, ""});
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

/// One student's folder could not be read, another's handed in file neither.
TEST_F(PublishTest, MissingUnreadableAndNotGradedAreToldApartEverywhere) {
  Intake intake = made_class(5, {"lab3"});
  intake.submissions[2].problem = "it is empty";
  intake.submissions.erase(intake.submissions.begin(), intake.submissions.begin() + 2);
  intake.remarks = {{Remark::Kind::refused, "s1", "s1", "the folder cannot be read"}};
  book_.put_class(intake);
  book_.plan(made_conditions());
  while (const auto job = book_.begin_next())
    job->student == "s3" ? (void)book_.fail(job->id, "no compiler", 1)
                         : book_.finish(job->id, made_outcome(*job));
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
    const std::string review = text_of("review.txt");
    const std::string missing = review.substr(review.find("\nMissing (1)"));
    EXPECT_EQ(missing.substr(missing.find("  - "), 12), "  - s0: lab3");
    EXPECT_EQ(missing.find("  - s1: lab3.") != std::string::npos, !zero) << review;
    EXPECT_EQ(review.find("\nPerhaps not missing (1)") != std::string::npos, zero) << review;
    EXPECT_NE(text_of("students/s0.html").find("Nothing was handed in"), std::string::npos);
    const std::string page = text_of("students/s1.html");
    EXPECT_EQ(page.find("Nothing was handed in"), std::string::npos);
    EXPECT_NE(page.find("Something was handed in that could not be read"), std::string::npos);
    const std::string junit = text_of("junit.xml");
    EXPECT_NE(junit.find("failures=\"1\" errors=\"1\" skipped=\"2\""), std::string::npos) << junit;
    EXPECT_NE(junit.find("<skipped message=\"missing?\"/>"), std::string::npos) << junit;
    const std::string index = text_of("index.html");
    EXPECT_NE(index.find("5 students: 3 handed in, 1 pass, 1 not graded, 1 unreadable, 1 missing, "
                         "1 missing?."),
              std::string::npos);
    EXPECT_NE(index.find("<span class=\"big\">1</span><span class=\"words\">handed in nothing"),
              std::string::npos);
  }
}

TEST_F(PublishTest, FilesCallTheProgramAsItWasCalled) {
  Intake intake = made_class(2, {"lab3"});
  intake.submissions[0].problem = "it is empty";
  take_in(intake);
  ::setenv("LABKIT_COMMAND", "./kit", 1);
  publish_now();
  ::unsetenv("LABKIT_COMMAND");
  EXPECT_NE(text_of("review.txt").find("or decide: ./kit class set DIR"), std::string::npos);
  EXPECT_NE(text_of("receipts/README.txt").find("`./kit class replay RECEIPT`"), std::string::npos);
  for (const char* file : {"review.txt", "receipts/README.txt"})
    EXPECT_EQ(text_of(file).find("labkit"), std::string::npos) << file;
}

TEST_F(PublishTest, WhatSomebodyEditedIsKept) {
  take_in(made_class(2, {"lab1"}));
  fs::create_directories(out_);
  write_file_atomically(out_ / "grades.csv", "mine from before");
  Published published = publish_now();
  ASSERT_EQ(published.notes.size(), 1u);
  EXPECT_EQ(published.notes[0],
            "grades.csv had been changed by hand: kept as grades.csv.edited, and made anew");
  EXPECT_EQ(text_of("grades.csv.edited"), "mine from before");
  const std::string grades = text_of("grades.csv");
  write_file_atomically(out_ / "grades.csv", grades + "a line of mine\r\n");
  published = publish_now();
  EXPECT_EQ(but_pages(published.written), (std::vector<std::string>{"grades.csv"}));
  EXPECT_EQ(text_of("grades.csv"), grades);
  EXPECT_EQ(text_of("grades.csv.edited"), "mine from before");
  EXPECT_EQ(text_of("grades.csv.edited-2"), grades + "a line of mine\r\n");
  // Removed by hand: comes back, and nothing is said.
  fs::remove(out_ / "grades.csv");
  published = publish_now();
  EXPECT_EQ(text_of("grades.csv"), grades);
  EXPECT_TRUE(published.notes.empty());
  // What publish itself wrote last time is no edit, whatever it said.
  book_.decide({0, "s1", "lab1", Decision::Kind::points, 77, "talked to", "ta", 1});
  published = publish_now();
  EXPECT_TRUE(published.notes.empty());
  EXPECT_NE(text_of("grades.csv"), grades);
  EXPECT_FALSE(files_in(out_).contains("grades.csv.edited-3"));
}

TEST_F(PublishTest, WhoIsGoneLeavesNothingButWhatIsNotOurs) {
  take_in(made_class(4, {"lab1"}));
  publish_now();
  write_file_atomically(out_ / "receipts/s2/remark.txt", "the teacher's");
  write_file_atomically(out_ / "receipts/s3/lab1.json", "changed");
  book_.put_class(made_class(1, {"lab1"}), Gradebook::Gone::drop);
  const Published published = publish_now();
  EXPECT_EQ(but_pages(published.removed),
            (std::vector<std::string>{"receipts/s1/lab1.json", "receipts/s2/lab1.json"}));
  EXPECT_FALSE(fs::exists(out_ / "receipts/s1"));
  EXPECT_FALSE(fs::exists(out_ / "students/s1.html"));
  EXPECT_EQ(text_of("receipts/s2/remark.txt"), "the teacher's");
  EXPECT_EQ(text_of("receipts/s3/lab1.json"), "changed");
  ASSERT_EQ(published.notes.size(), 1u);
  EXPECT_NE(published.notes[0].find("receipts/s3/lab1.json"), std::string::npos);
  EXPECT_TRUE(publish_now().notes.empty()) << "said once";
}

TEST_F(PublishTest, AListThatWasTamperedWithRemovesNothingOutside) {
  take_in(made_class(1, {"lab1"}));
  publish_now();
  const std::string secret = "not ours";
  write_file_atomically(folder_.path() / "secret", secret);
  std::string list = read_file(out_ / ".labkit-files");
  for (const std::string& path : {std::string("../secret"), (folder_.path() / "secret").string(),
                                  std::string("receipts/../../secret"), std::string(".")})
    list += fmt::format("{} {}\n", sha256_hex(secret), path);
  list += "0123456789 cut sho";
  write_file_atomically(out_ / ".labkit-files", list);
  EXPECT_TRUE(publish_now().removed.empty());
  EXPECT_EQ(read_file(folder_.path() / "secret"), secret);
}

TEST_F(PublishTest, WhatStandsInTheWayIsNamed) {
  take_in(made_class(1, {"lab1"}));
  const auto fault = [&] {
    try {
      publish_now();
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.mend();
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

TEST_F(PublishTest, StudentsOfAnyNameHaveFilesOfTheirOwn) {
  Intake intake = made_class(6, {"lab1"});
  const std::vector<std::string> ids = {"李-伟", "..", "../../etc/passwd", "Ana", "ana", "con"};
  for (std::size_t i = 0; i < ids.size(); ++i)
    intake.students[i].id = intake.submissions[i].student = ids[i];
  take_in(intake);
  publish_now();
  std::size_t receipts = 0;
  for (const std::string& file : files_in(out_))
    receipts += file.starts_with("receipts/") && file.ends_with(".json") ? 1 : 0;
  EXPECT_EQ(receipts, ids.size());
  EXPECT_TRUE(files_in(out_).contains("receipts/李-伟/lab1.json"));
  for (const auto& at : fs::directory_iterator(folder_.path()))
    EXPECT_TRUE(at.path() == out_ || at.path().filename().string().starts_with("gradebook"))
        << at.path();
}

TEST(PublishNames, ClashNowhere) {
  const std::string e1 = "jos\xc3\xa9", e2 = "jose\xcc\x81";  // one letter, or two
  const std::vector<std::string> ids = {"ana",
                                        "Ana",
                                        "ANA",
                                        "bo",
                                        "straße",
                                        "strasse",
                                        e1,
                                        e2,
                                        "nul",
                                        "com1",
                                        "com1.x",
                                        "com10",
                                        "..",
                                        ".",
                                        "",
                                        "a/b",
                                        "a-b",
                                        "a\\b",
                                        "x.",
                                        ".x",
                                        "عمر",
                                        "Ольга",
                                        "ольга-2",
                                        std::string(300, 'q'),
                                        std::string(299, 'q') + "r",
                                        "a\nb",
                                        "a:b",
                                        "-"};
  const auto names = file_names(ids);
  ASSERT_EQ(names.size(), ids.size());
  std::set<std::string> small;
  for (const auto& [id, name] : names) {
    EXPECT_FALSE(name.empty());
    EXPECT_LE(name.size(), 120u);
    EXPECT_EQ(name.find_first_of("/\\:\n\"<>|?*"), std::string::npos) << name;
    EXPECT_FALSE(name.starts_with('.') || name.ends_with('.')) << name;
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), ::tolower);
    EXPECT_TRUE(small.insert(lower).second) << name;
    EXPECT_EQ(file_name_of(id, ids), name);
  }
  for (const char* plain : {"bo", "com10", "عمر", "ольга-2"}) EXPECT_EQ(names.at(plain), plain);
  for (const char* odd : {"nul", "com1", "com1.x", "ana", "strasse"}) EXPECT_NE(names.at(odd), odd);
  EXPECT_NE(names.at(e1), names.at(e2));
  EXPECT_EQ(file_names({"ana"}).at("ana"), "ana");
}

TEST_F(PublishTest, OptionsAreCheckedAndKept) {
  Intake intake = made_class(2, {"lab1", "lab3"});
  intake.students[0].keys["canvas_id"] = "7";
  for (Submission& one : intake.submissions) one.late = true;
  take_in(intake);
  PublishOptions options;
  options.policy = folder_.write("policy.toml", "[late]\npercent_per_day = 10\n");
  options.canvas_gradebook = folder_.write(
      "canvas.csv", "Student,ID,Lab 1 (1)\n    Points Possible,,200\nS Zero,7,\nOther,8,\n");
  options.moodle_worksheets = {
      folder_.write("Grades lab 3.csv", "Identifier,Points\nParticipant 1,\n")};
  options.moodle_grade_column = "Points";
  publish_now(options);
  EXPECT_EQ(kept_policy(book_).late.percent_per_day, 10);
  const auto graded = [&] {
    return read_csv(text_of("canvas.csv"), "t").rows.at(2).at(2) + " " +
           read_csv(text_of("grades.csv"), "t").rows.at(1).at(7);
  };
  EXPECT_EQ(graded(), "180 90");
  EXPECT_EQ(text_of("moodle-lab3.csv"), "Identifier,Points\r\nParticipant 1,\r\n");
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

TEST_F(PublishTest, EveryWorksheetHasAColumnOfItsOwn) {
  take_in(made_class(1, {"lab1", "lab2", "lab3"}));
  const auto name = [&](const std::string& column, const std::vector<std::string>& labs) {
    PublishOptions options;
    options.moodle_grade_column = column;
    for (const std::string& lab : labs)
      options.moodle_worksheets.push_back(folder_.write(
          lab + ".csv",
          std::string("Identifier,") + (lab == "lab3" ? "Grade" : "Punktzahl X") + "\n"));
    return options;
  };
  publish_now(name("", {"lab3"}));
  publish_now(name("Punktzahl X", {"lab1"}));
  publish_now();
  EXPECT_EQ(text_of("moodle-lab3.csv"), "Identifier,Grade\r\n");
  EXPECT_EQ(text_of("moodle-lab1.csv"), "Identifier,Punktzahl X\r\n");
  publish_now(name("", {"lab2"}));  // as the last one that was named
  // Of all that are kept, one has no such column: refused, and nothing is kept.
  try {
    keep_options(book_, kit_labs(), name("Punktzahl X", {}));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()), "lab3.csv, which is kept, has no column \"Punktzahl X\"");
  }
  publish_now();
}

TEST_F(PublishTest, OptionsThatCannotBeUsedChangeNothing) {
  take_in(made_class(1, {"lab1"}));
  PublishOptions good;
  good.policy = folder_.write("good.toml", "decimals = 1\n");
  const auto fault = [&](const PublishOptions& options) {
    try {
      keep_options(book_, kit_labs(), options);
    } catch (const Error& error) {
      EXPECT_EQ(kept_policy(book_).decimals, 2) << "nothing is kept";
      return std::string(error.what()) + " | " + error.mend();
    }
    return std::string("none");
  };
  PublishOptions bad = good;
  bad.policy = folder_.write("p.toml", "[due]\nlab33 = 2026-10-01T23:59:00Z\n");
  EXPECT_NE(fault(bad).find("[due] speaks of lab33"), std::string::npos);
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
  EXPECT_NE(fault(bad).find("Name the column"), std::string::npos);
  bad.moodle_worksheets = {folder_.path() / "not-there.csv"};
  EXPECT_NE(fault(bad).find("not-there.csv"), std::string::npos);
  EXPECT_EQ(fault(good), "none");
  EXPECT_EQ(kept_policy(book_).decimals, 1);
}

TEST_F(PublishTest, ReviewSaysWhatWantsAnEye) {
  Intake intake = made_class(5, {"lab1"});
  intake.students[0].name = "Ana";
  intake.submissions[0].late = true;
  intake.submissions[1].problem = "it is empty";
  intake.submissions.pop_back();  // s4
  intake.remarks = {{Remark::Kind::nobody, "x/lab1.cu", "", "its owner is not known"},
                    {Remark::Kind::no_lab, "a.cu", "s0", "no lab\nis named"},
                    {Remark::Kind::refused, "b.zip", "s2", "it is \x1b[31m a bomb."},
                    {Remark::Kind::refused, "s1/lab1.cu", "s1", "it is empty"},
                    {Remark::Kind::roster, "Ana", "", "not on the roster"},
                    {Remark::Kind::not_chosen, "c.cu", "s0", "older"}};
  book_.put_class(intake);
  book_.plan(made_conditions());
  while (const auto job = book_.begin_next()) {
    if (job->student == "s2")
      book_.fail(job->id, "NVRTC died", 1);
    else
      book_.finish(
          job->id,
          {fmt::format(R"({{"format":1,"lab":"lab1","verdict":"{0}","points":60,"max_points":100,)"
                       R"("bonus":0,"max_bonus":0,"undecided_points":{1},"tests":[]}})",
                       job->student == "s3" ? "inconclusive" : "pass",
                       job->student == "s3" ? 40 : 0),
           ""});
  }
  const Published published = publish_now();
  EXPECT_EQ(published.to_review, 8u);
  EXPECT_EQ(text_of("review.txt"), R"(For you to look at: 8. DIR is this folder.

Not graded: a fault of the kit or the machine (1)
Blank, not zero. `labkit class grade` tries them again.
  - s2, lab1: NVRTC died.

Inconclusive: a GPU was too noisy to decide (1)
Blank, not zero. `labkit class grade` measures them again.
  - s3, lab1

Handed in, but not readable (1)
Blank. Ask for it again, or decide: labkit class set DIR STUDENT LAB --points 0 --reason "..."
  - s1, lab1: s1/lab1.cu: it is empty.

Late, and the LMS does not say by how much (1)
Correct it with: labkit class set DIR STUDENT LAB --late-days 2 --reason "..."
  - s0 (Ana), lab1: marked late without a time; counted as 1 day late until you say.

Files that belong to nobody (1)
None of them was graded.
  - x/lab1.cu: its owner is not known.

Files that are for no lab (1)
None of them was graded.
  - s0 (Ana), a.cu: no lab is named.

Files that were refused (1)
  - s2, b.zip: it is \x1b[31m a bomb.

The roster (1)
  - Ana: not on the roster.

---- Beside that ----

Missing (1)
Blank.
  - s4: lab1.

Nothing to do about: 1 file beside what was graded, as when something was handed in again.
)");
  // The class's page lists the same, and no more.
  const std::string index = text_of("index.html");
  EXPECT_NE(index.find("<span class=\"big\">8</span><span class=\"words\">for you to look at"),
            std::string::npos);
  // Decided upon, it is off the list.
  for (const char* student : {"s1", "s2", "s3"})
    book_.decide({0, student, "lab1", Decision::Kind::points, 50, "seen", "ta", 1});
  book_.decide({0, "s0", "lab1", Decision::Kind::late_days, 0, "ill", "ta", 1});
  book_.decide({0, "s4", "lab1", Decision::Kind::excused, 0, "ill", "ta", 1});
  EXPECT_EQ(publish_now().to_review, 4u);
  const std::string after = text_of("review.txt");
  const std::string listed = after.substr(after.find("Decided by a teacher (5)"));
  EXPECT_NE(listed.find("  - s0 (Ana), lab1: 0 days late by ta: ill.\n"
                        "  - s1, lab1: 50 points by ta: seen.\n"),
            std::string::npos)
      << after;
  EXPECT_EQ(after.find("Not graded"), std::string::npos) << after;
  EXPECT_EQ(after.find("Missing"), std::string::npos) << after;
}

}  // namespace
}  // namespace labkit::course
