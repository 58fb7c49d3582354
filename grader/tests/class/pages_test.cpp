// The pages of a class, from a gradebook.
#include "class/pages/pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "../base/set_up.h"
#include "../report/html_check.h"
#include "base/files.h"
#include "class/intake/owners.h"
#include "class_files.h"
#include "large_class.h"
#include "made_class.h"
#include "report/json.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;
using report::HtmlElement;

std::map<std::string, std::string> pages_of(const Gradebook& book, const LargeClass& large,
                                            const std::vector<SimilarPair>& similar = {}) {
  std::map<std::string, std::string> pages;
  make_pages(book, make_report(book, {}, labs_of(large)), labs_of(large), similar, {},
             [&](const fs::path& place, const std::string& html) {
               EXPECT_TRUE(pages.emplace(place.generic_string(), html).second) << place;
             });
  return pages;
}

/// A link's path as the disk has it.
std::string decoded(const std::string& href) {
  std::string path;
  for (std::size_t i = 0; i < href.size(); ++i) {
    if (href[i] == '%') path += static_cast<char>(std::stoi(href.substr(i + 1, 2), nullptr, 16));
    if (href[i] == '%')
      i += 2;
    else
      path += href[i];
  }
  return path;
}

const LargeClass kLarge = {.students = 50, .labs = 6, .results = {}};

/// One class for all tests that only read it.
class Pages : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { failure_ = failure_of(set_up); }
  void SetUp() override { ASSERT_EQ(failure_, ""); }
  static void set_up() {
    folder_ = new TemporaryFolder;
    book_ = new Gradebook(folder_->path() / "g.sqlite");
    fill(*book_, kLarge);
    pages_ = new std::map<std::string, std::string>(pages_of(*book_, kLarge,
                                                             {{.lab = "lab3",
                                                               .first = "s001",
                                                               .second = "s002",
                                                               .share_first = 0.9,
                                                               .share_second = 0.8,
                                                               .weight = 99,
                                                               .note = ""}}));
  }
  static void TearDownTestSuite() {
    delete pages_;
    delete book_;
    delete folder_;
  }
  static std::vector<HtmlElement> apart(const std::string& place) {
    return report::take_apart(pages_->at(place));
  }
  static std::string failure_;
  static TemporaryFolder* folder_;
  static Gradebook* book_;
  static std::map<std::string, std::string>* pages_;
};
std::string Pages::failure_;
TemporaryFolder* Pages::folder_ = nullptr;
Gradebook* Pages::book_ = nullptr;
std::map<std::string, std::string>* Pages::pages_ = nullptr;

TEST_F(Pages, OneAStudentAndOneForTheClass) {
  EXPECT_EQ(pages_->size(), 52u) << "and a pair side by side";
  EXPECT_TRUE(pages_->contains("index.html"));
  EXPECT_TRUE(pages_->contains("students/s000.html"));
}

TEST_F(Pages, NothingBreaksOut) {
  for (const auto& [place, html] : *pages_)
    EXPECT_EQ(report::dangers(report::take_apart(html)), std::vector<std::string>{}) << place;
}

TEST_F(Pages, LinksMeetTheirPages) {
  std::size_t links = 0;
  for (const HtmlElement& one : apart("index.html")) {
    const auto href = one.attributes.find("href");
    if (href == one.attributes.end() || href->second.rfind("students/", 0) != 0) continue;
    ++links;
    EXPECT_TRUE(pages_->contains(decoded(href->second))) << href->second;
  }
  EXPECT_GT(links, 50u);
}

TEST_F(Pages, AStudentsPageSaysNothingOfOthersNorTheSeed) {
  for (const Student& student : book_->students()) {
    const std::string& html = pages_->at("students/" + student.id + ".html");
    for (const Student& other : book_->students())
      if (other.id != student.id) {
        EXPECT_EQ(html.find(other.id + "\""), std::string::npos)
            << student.id << " names " << other.id;
      }
    for (const char* word : {"seed", "index.html", "TA Kim", "Prof. Ode", "submissions.zip",
                             "/lab1.cu", "/x/kernel.cu"})
      EXPECT_EQ(html.find(word), std::string::npos) << student.id << " reads " << word;
  }
  const std::string& own = pages_->at("students/s001.html");
  EXPECT_NE(own.find("<code>"), std::string::npos);
  EXPECT_NE(pages_->at("index.html").find("; seed 1"), std::string::npos);
}

TEST_F(Pages, AreTheSameForTheSameGradebook) {
  EXPECT_EQ(pages_of(*book_, kLarge).at("students/s007.html"), pages_->at("students/s007.html"));
}

TEST_F(Pages, ShowWhatTheGradebookHolds) {
  const std::vector<grade::Manifest> labs = labs_of(kLarge);
  const Report report = make_report(*book_, {}, labs);
  std::map<std::string, const Student*> students;
  for (const Student& one : report.students) students[one.id] = &one;
  std::size_t cells = 0, blank = 0;
  std::string id;
  std::size_t lab = 0;
  for (const HtmlElement& one : apart("index.html")) {
    if (one.tag == "tbody" && one.attributes.contains("data-id")) {
      id = one.attributes.at("data-id");
      lab = 0;
    }
    if (one.tag != "td" || !one.attributes.contains("data-k")) continue;
    const std::string& name = labs.at(lab++).id;
    const Grade* grade = report.find(id, name);
    ASSERT_TRUE(grade) << id << " " << name;
    ++cells;
    if (!grade->points) {
      ++blank;
      EXPECT_EQ(one.attributes.at("data-v"), "");
      EXPECT_NE(one.attributes.at("class").find("blank"), std::string::npos);
      EXPECT_EQ(one.text.find_first_of("0123456789"), std::string::npos) << one.text;
    } else {
      EXPECT_DOUBLE_EQ(std::stod(one.attributes.at("data-v")), *grade->points);
      EXPECT_TRUE(one.text.ends_with(points_text(*grade->points))) << one.text;
    }
  }
  EXPECT_EQ(cells, 300u);
  EXPECT_GT(blank, 5u);
}

TEST_F(Pages, WhatATeacherMustSeeIsListed) {
  const Report report = make_report(*book_, {}, labs_of(kLarge));
  std::string review;
  std::set<std::string> linked;
  bool inside = false;
  for (const HtmlElement& one : apart("index.html")) {
    const auto id = one.attributes.find("id");
    if (one.tag == "section") inside = id != one.attributes.end() && id->second == "review";
    if (inside && one.tag == "section") review = one.text;
    if (inside && one.tag == "a") linked.insert(decoded(one.attributes.at("href")));
  }
  std::size_t wanted = 0;
  for (const Grade& grade : report.grades) {
    if (!grade.review) continue;
    ++wanted;
    EXPECT_TRUE(linked.contains("students/" + grade.student + ".html")) << grade.student;
    EXPECT_NE(review.find(grade_state_name(grade.state)), std::string::npos);
  }
  EXPECT_GT(wanted, 3u);
  EXPECT_NE(review.find("stray/lab3 final<b>.cu"), std::string::npos) << "belongs to nobody";
}

TEST(PagesOfAClassWithAFault, SayItOnceAndNotToStudents) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  book.put_class(made_class(5, {"lab3"}));
  book.plan(made_conditions());
  for (const Job& job : book.to_do()) book.fail(job.id, "no usable NVRTC (fix: x)");
  const auto pages = pages_of(book, {});
  const std::string& index = pages.at("index.html");
  const std::size_t review = index.find("id=\"review\""), labs = index.find("id=\"labs\"");
  const std::string section = index.substr(review, labs - review);
  EXPECT_EQ(section.find("no usable NVRTC"), section.rfind("no usable NVRTC"));
  for (const char* id : {"s0", "s1", "s2", "s3", "s4"}) {
    EXPECT_NE(section.find(std::string("students/") + id + ".html"), std::string::npos) << id;
    const std::string& page = pages.at(std::string("students/") + id + ".html");
    EXPECT_NE(page.find("blank, not 0"), std::string::npos);
    EXPECT_EQ(page.find("NVRTC"), std::string::npos);
  }
}

TEST_F(Pages, DecisionsAndReasonsAreTold) {
  EXPECT_NE(pages_->at("students/s004.html").find("showed it in the lab session"),
            std::string::npos);
  const std::string decided =
      pages_->at("index.html").substr(pages_->at("index.html").find("<section id=\"decided\""));
  EXPECT_NE(decided.find("TA Kim"), std::string::npos);
  EXPECT_NE(pages_->at("students/s006.html").find("excused"), std::string::npos);
}

TEST(PagesOfStudents, NameTheFileAndNotItsPlaceInTheDownload) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(1, {"lab3"});
  intake.submissions[0].path = "Lab 3 submissions.zip/s_106_9013_final.cu";
  intake.submissions[0].download = "Lab 3 submissions.zip";
  book.put_class(intake);
  book.plan(made_conditions());
  const Job job = book.to_do().front();
  grade::LabResult result;
  result.lab = "lab3";
  result.verdict = grade::verdict_from_text("compile_error");
  result.max_points = 100;
  result.file = "kernel.cu";
  result.message = {
      {words::Id::compile_error_at, {{"at", words::SourceLine{result.file, 14}}, {"text", "no"}}}};
  book.finish(job.id, {report::lab_json(result), ""});
  const std::string page = pages_of(book, {}).at("students/s0.html");
  EXPECT_EQ(page.find("submissions.zip"), std::string::npos);
  EXPECT_NE(page.find("kernel.cu:14: no"), std::string::npos);
  EXPECT_NE(page.find("final.cu"), std::string::npos);
}

TEST(PagesOfStudents, NameTheFileAsTheStudentDid) {
  EXPECT_EQ(submitted_name("lab3.zip/liwei_103_9003_my.cu"), "my.cu");
  EXPECT_EQ(submitted_name("Li Wei_12_assignsubmission_file_my.cu"), "my.cu");
  EXPECT_EQ(submitted_name("/data/week1.zip/carol/kernel.cu"), "kernel.cu");
}

TEST(PagesOfRemarks, SayOnceWhatIsTheMatterWithAFile) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(2, {"lab3"});
  intake.submissions[0].problem = "it is empty";
  intake.remarks = {{.kind = Remark::Kind::refused,
                     .path = intake.submissions[0].path,
                     .student = "s0",
                     .text = "it is empty"},
                    {.kind = Remark::Kind::refused,
                     .path = "s1/other.zip",
                     .student = "s1",
                     .text = "it is a bomb"}};
  book.put_class(intake);
  book.plan(made_conditions());
  std::size_t empty = 0, bomb = 0;
  for (const HtmlElement& one : report::take_apart(pages_of(book, {}).at("index.html"))) {
    empty += one.tag == "td" && one.text == "s0/lab3.cu: it is empty";
    bomb += one.tag == "td" && one.text == "s1/other.zip: it is a bomb";
  }
  EXPECT_EQ(empty, 1u);
  EXPECT_EQ(bomb, 1u);
}

TEST(PagesOfResults, ThatCannotBeReadSaySo) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  book.put_class(made_class(1, {"lab3"}));
  book.plan(made_conditions());
  const Job job = book.to_do().front();
  book.finish(
      job.id,
      {R"({"format":1,"lab":"lab3","verdict":"pass","points":100,"max_points":100,)"
       R"("bonus":0,"max_bonus":0,"undecided_points":0,"undecided_bonus":0,"tests":[{"name":3}]})",
       "no JSON either"});
  const auto pages = pages_of(book, {});
  const std::string& page = pages.at("students/s0.html");
  EXPECT_NE(page.find("The stored result cannot be shown"), std::string::npos);
  EXPECT_NE(page.find("<b>100</b>"), std::string::npos) << "its points count all the same";
}

/// What `test` was predicted to take, as a passed lab's result says it.
std::string passed_in(double time_us) {
  grade::LabResult result;
  result.lab = "lab3";
  grade::TestResult test;
  test.name = "CornerTurning.Bandwidth";
  test.verdict.kind = "pass";
  test.points = test.max_points = 100;
  test.time_is_predicted = true;
  test.figures = {{"time_us", time_us}, {"load_sectors_per_request", 4}, {"ratio", 0.9}};
  result.tests = {test};
  grade::sum_up(result);
  return report::lab_json(result);
}

TEST(PagesOfAClassWithNicknames, HaveABoardOfThoseWhoPassed) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(5, {"lab3"});
  for (Student& student : intake.students)
    if (student.id != "s3") student.set(kNickname, "Nick <" + student.id + ">");
  book.put_class(intake);
  book.plan(made_conditions());
  const std::map<std::string, double> times = {{"s0", 30}, {"s1", 20}, {"s3", 10}, {"s4", 20}};
  for (const Job& job : book.to_do()) {
    Job slow = job;
    slow.student = "s1";  // whose made results miss a limit
    const auto time = times.find(job.student);
    book.finish(job.id,
                time == times.end() ? made_outcome(slow) : Outcome{passed_in(time->second), ""});
  }
  const auto pages = pages_of(book, {});
  std::vector<std::string> cells;
  for (const HtmlElement& one : report::take_apart(pages.at("board.html")))
    if (one.tag == "td") cells.push_back(one.text);
  EXPECT_EQ(cells, (std::vector<std::string>{"1", "Nick <s1>", "20", "4/0", "", "0.90",  //
                                             "1", "Nick <s4>", "20", "4/0", "", "0.90",  //
                                             "3", "Nick <s0>", "30", "4/0", "", "0.90"}))
      << "s2 did not pass, s3 has no nickname";
}

TEST(PagesOfAnUnfinishedClass, WaitAndSaySo) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  book.put_class(made_class(3, {"lab1", "lab3"}));
  book.plan(made_conditions());
  const Job job = book.to_do().front();
  book.finish(job.id, made_outcome(job));
  const auto pages = pages_of(book, {});
  EXPECT_NE(pages.at("students/s2.html").find("Not graded yet."), std::string::npos);
  EXPECT_EQ(pages.at("students/s2.html").find("<b>0</b>"), std::string::npos);
}

TEST(PagesOfAnEmptyClass, AreOnePage) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  const auto pages = pages_of(book, {});
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(report::dangers(report::take_apart(pages.at("index.html"))),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace labkit::course
