// The class page and the student's page, from plain data.
#include <gtest/gtest.h>

#include <cmath>

#include "../report/html_check.h"
#include "class/pages/pages.h"

namespace labkit::course {
namespace {

using html::Standing;

/// What a student or an LMS may call something.
const std::string kHostile =
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e\x1b[2J\xff &amp; -->";

grade::LabResult result(const std::string& hostile = "") {
  grade::LabResult lab;
  lab.lab = "lab3";
  lab.file = "/x/kernel.cu";
  lab.title = "Corner turning" + hostile;
  lab.device = "simulator";
  lab.compile_log = "kernel.cu(4): warning #177-D: unused" + hostile + "\n";
  grade::TestResult right;
  right.name = "CornerTurning.AnyShape" + hostile;
  right.about = "Right." + hostile;
  right.verdict.kind = "pass";
  right.points = right.max_points = 30;
  grade::TestResult race = right;
  race.name = "CornerTurning.Doubles";
  race.verdict.kind = "race";
  race.points = 0;
  launch::Finding finding;
  finding.kind = launch::FindingKind::race;
  finding.kernel = "k" + hostile;
  finding.hazard = "RAW";
  finding.space = "shared";
  finding.array.name = "tile" + hostile;
  finding.fix = {words::Id::race_fix_barrier_between,
                 {{"barrier", "__syncthreads()"},
                  {"above", words::SourceLine{"kernel.cu", 2}},
                  {"below", words::SourceLine{"kernel.cu", 3}}}};
  finding.where = {"kernel.cu", 3};
  finding.other = {"kernel.cu", 2};
  finding.count = 992;
  race.findings = {finding};
  race.printed = "printed" + hostile;
  grade::TestResult slow = right;
  slow.name = "CornerTurning.Bandwidth";
  slow.verdict = {.kind = "gate", .gate = "ratio"};
  slow.points = 0;
  grade::GateResult gate;
  gate.name = gate.figure = "ratio";
  gate.threshold = 0.4;
  gate.value = 0.25;
  gate.reason = "Because." + hostile;
  gate.next = "Try." + hostile;
  gate.culprit = {.where = {"kernel.cu", 3}, .instruction = "st.global.f32", .value = 12};
  grade::GateResult held = gate;
  held.name = held.figure = "excess_global_sectors";
  held.is_minimum = false;
  held.threshold = held.value = 0;
  held.passed = true;
  slow.gates = {held, gate};
  slow.time_is_predicted = true;
  grade::TestResult open = right;
  open.name = "CornerTurning.Open";
  open.verdict.kind = "inconclusive";
  open.gates = {gate};
  open.gates[0].undecided = {words::Id::measured_disturbed, {{"trouble", "too noisy" + hostile}}};
  open.gates[0].measured = true;
  open.gates[0].interval = {0.4, 0.38, 0.42};
  open.measured.emplace();
  open.measured->gpu = "GPU" + hostile;
  lab.tests = {right, race, slow, open};
  grade::sum_up(lab);
  return lab;
}

StudentLab student_lab(const std::string& hostile = "") {
  StudentLab lab;
  lab.id = "lab3";
  lab.title = "Corner turning" + hostile;
  lab.idea = "Idea." + hostile;
  lab.grade.state = Grade::State::not_pass;
  lab.grade.verdict = "race";
  lab.grade.points = 27;
  lab.max_points = 120;
  lab.grade.measured = 30;
  lab.grade.late_days = 1;
  lab.grade.taken_off = 3;
  lab.submitted = "ana/lab3.cu" + hostile;
  lab.group = {"Ana" + hostile, "Bo"};
  lab.words = {{.label = "Decided", .text = "80 points: seen" + hostile, .when = "2026"},
               {.label = "Comment", .text = "ill" + hostile, .when = ""}};
  lab.notes = {"note" + hostile};
  lab.result = result(hostile);
  lab.source = "line 1\nline 2\nout[i] = 1; // " + hostile + "\nlast\n";
  return lab;
}

StudentPage student_page(const std::string& hostile = "") {
  StudentPage page;
  page.id = "ana" + hostile;
  page.name = "García, Ana" + hostile;
  page.total = 27;
  page.total_max = 120;
  page.graded_with = "simulator" + hostile;
  page.labs = {student_lab(hostile)};
  StudentLab blank;
  blank.id = "lab4";
  blank.grade.state = Grade::State::not_graded;
  blank.grade.verdict = "not graded";
  blank.trouble = "our fault" + hostile;
  StudentLab zero = blank;
  zero.id = "lab5" + hostile;
  zero.grade.points = 0;
  zero.max_points = 100;
  zero.grade.verdict = "compile_error";
  zero.trouble.clear();
  page.labs.push_back(blank);
  page.labs.push_back(zero);
  return page;
}

ClassPage class_page(const std::string& hostile = "") {
  ClassPage page;
  page.from = "zip" + hostile;
  page.graded_with = "sim" + hostile;
  ClassLab lab;
  lab.id = "lab3" + hostile;
  lab.title = "Corner" + hostile;
  lab.max_points = 100;
  page.labs = {lab};
  for (int i = 0; i < 20; ++i) {
    ClassStudent student;
    student.id = "s" + std::to_string(i) + hostile;
    student.name = "Student " + std::to_string(i) + hostile;
    student.page = html::link_to({"students", student.id + ".html"});
    ClassCell cell;
    cell.grade.state = i % 2 ? Grade::State::pass : Grade::State::not_pass;
    cell.grade.submitted = true;
    cell.grade.verdict = i % 2 ? "pass" : "gate ratio" + hostile;
    cell.grade.points = i % 2 ? 100 : 0;
    cell.reason = i % 2 ? "" : "0.3 of the copy" + hostile;
    cell.grade.taken_off = i == 1 ? 10 : 0;
    cell.grade.decided = i == 2;
    cell.review = i == 3;
    cell.grade.notes = {"n" + hostile};
    if (i == 4) {
      cell.grade.points.reset();
      cell.grade.state = Grade::State::not_graded;
      cell.grade.verdict = "not graded";
    }
    if (i == 5) {
      cell = {};
      cell.grade.verdict = "missing";
    }
    student.cells = {cell};
    student.total = cell.grade.points;
    page.students.push_back(student);
    page.review.push_back({.who = {{student.name, student.page}, {"a file" + hostile, {}}},
                           .lab = lab.id,
                           .what = "not graded" + hostile,
                           .why = "why" + hostile,
                           .advice = "advice" + hostile});
  }
  page.decided = {{.student = "d" + hostile,
                   .lab = lab.id,
                   .value = 80,
                   .reason = "seen" + hostile,
                   .by = "TA" + hostile}};
  page.similar = {{.lab = lab.id,
                   .first = "a" + hostile,
                   .second = "b" + hostile,
                   .share_first = 0.97,
                   .share_second = 0.5,
                   .weight = 120,
                   .note = "n" + hostile}};
  page.files = {{.kind = Remark::Kind::not_chosen,
                 .path = "p" + hostile,
                 .student = "s",
                 .text = "t" + hostile}};
  return page;
}

/// The text of the first element of a class.
std::string first(const std::vector<report::HtmlElement>& elements, const std::string& kind) {
  for (const report::HtmlElement& one : elements) {
    const auto at = one.attributes.find("class");
    if (at != one.attributes.end() && at->second == kind) return one.text;
  }
  return "(no " + kind + ")";
}

TEST(StudentHtml, NothingBreaksOut) {
  for (const std::string& hostile : {std::string(), kHostile}) {
    const auto elements = report::take_apart(student_html(student_page(hostile)));
    EXPECT_EQ(report::dangers(elements), std::vector<std::string>{});
  }
}

TEST(ClassHtml, NothingBreaksOut) {
  for (const std::string& hostile : {std::string(), kHostile}) {
    const auto elements = report::take_apart(class_html(class_page(hostile)));
    EXPECT_EQ(report::dangers(elements), std::vector<std::string>{});
  }
  EXPECT_EQ(report::dangers(report::take_apart(class_html({}))), std::vector<std::string>{})
      << "an empty class";
  EXPECT_EQ(report::dangers(report::take_apart(student_html({}))), std::vector<std::string>{});
}

TEST(StudentHtml, HostileNamesChangeTextOnly) {
  const auto plain = report::take_apart(student_html(student_page()));
  const auto hostile = report::take_apart(student_html(student_page(kHostile)));
  std::vector<std::string> a, b;
  for (const report::HtmlElement& one : plain) a.push_back(one.tag);
  for (const report::HtmlElement& one : hostile)
    if (!one.attributes.contains("class") || one.attributes.at("class") != "unseen")
      b.push_back(one.tag);
  // But for the colours of a source's comment, tag by tag the same page.
  EXPECT_EQ(a, b);
}

TEST(StudentHtml, IdsAreUniqueAndLinksMeetThem) {
  const auto elements = report::take_apart(student_html(student_page()));
  std::set<std::string> ids;
  for (const report::HtmlElement& one : elements)
    if (one.attributes.contains("id")) {
      EXPECT_TRUE(ids.insert(one.attributes.at("id")).second) << one.attributes.at("id");
    }
  std::size_t links = 0;
  for (const report::HtmlElement& one : elements) {
    const auto href = one.attributes.find("href");
    if (href == one.attributes.end() || href->second[0] != '#') continue;
    EXPECT_TRUE(ids.contains(href->second.substr(1))) << href->second;
    links += one.tag == "a";
  }
  EXPECT_GT(links, 4u);
}

TEST(StudentHtml, SaysWhereWhyAndWhatNext) {
  const auto elements = report::take_apart(student_html(student_page()));
  const std::string begin = first(elements, "begin wrong");
  EXPECT_TRUE(begin.starts_with("Begin hereThread (0,0,0) touches byte 0 of tile at line 2"))
      << begin;
  EXPECT_NE(begin.find("Fix Put __syncthreads() between line 2 and line 3"), std::string::npos)
      << begin;
  std::vector<std::string> hit, remarks;
  for (const report::HtmlElement& one : elements) {
    const auto kind = one.attributes.find("class");
    if (kind == one.attributes.end()) continue;
    if (kind->second == "line hit wrong") hit.push_back(one.text);
    if (kind->second == "remark wrong") remarks.push_back(one.text);
  }
  ASSERT_EQ(hit.size(), 2u);
  EXPECT_EQ(hit[0], "line 2");
  EXPECT_EQ(hit[1].substr(0, 11), "out[i] = 1;");
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0], "race, with line 3in Doubles");
  EXPECT_TRUE(
      remarks[1].starts_with("Potential RAW hazard detected at __shared__ 0x0 (tile) in block "
                             "(0,0,0)Fix: Put __syncthreads() between line 2 and line 3"))
      << remarks[1];
  EXPECT_TRUE(remarks[1].ends_with("in Doubles")) << remarks[1];
  EXPECT_NE(first(elements, "remark slow").find("warps reach it 12 times (st.global.f32)"),
            std::string::npos);
  EXPECT_EQ(first(elements, "key"), "yours 0.25gate at least 0.40");
  const std::string facts = first(elements, "facts");
  EXPECT_NE(facts.find("1 day late: 30 points earned, 3 taken off"), std::string::npos) << facts;
  EXPECT_NE(facts.find("Decided 80 points: seen"), std::string::npos) << facts;
  EXPECT_NE(first(elements, "printed").find("printed"), std::string::npos);
}

/// It is given to the student: nothing leads to the class's page, or to anything else on the disk.
TEST(StudentHtml, LeadsNowhereElse) {
  for (const report::HtmlElement& one : report::take_apart(student_html(student_page())))
    for (const char* link : {"href", "src"}) {
      const auto at = one.attributes.find(link);
      if (at != one.attributes.end()) {
        EXPECT_EQ(at->second.substr(0, 1), "#") << one.tag << " " << at->second;
      }
    }
}

TEST(ClassHtml, SaysWhatWasDecidedByWhomAndWhy) {
  const auto elements = report::take_apart(class_html(class_page()));
  for (const report::HtmlElement& one : elements)
    if (one.tag == "section" && one.attributes.contains("id") &&
        one.attributes.at("id") == "decided") {
      EXPECT_NE(one.text.find("dlab380 pointsseenTA"), std::string::npos) << one.text;
      return;
    }
  FAIL() << "no such section";
}

TEST(StudentHtml, LinesAreMarkedWhateverTheFileWasCalled) {
  StudentPage page = student_page();
  page.labs[0].result->file = "Lab 3 submissions.zip/ana_101_9001_final version.cu";
  const std::string html = student_html(page);
  EXPECT_EQ(html, student_html(student_page())) << "findings speak of kernel.cu either way";
  EXPECT_NE(html.find("line hit wrong"), std::string::npos);
}

TEST(StudentHtml, BlankAndZeroDiffer) {
  const std::string page = student_html(student_page());
  const auto elements = report::take_apart(page);
  std::vector<std::string> tiles;
  for (const report::HtmlElement& one : elements)
    if (one.attributes.contains("class") && one.attributes.at("class").rfind("tile ", 0) == 0)
      tiles.push_back(one.text);
  ASSERT_EQ(tiles.size(), 3u);
  EXPECT_EQ(tiles[1], "lab4not graded");
  EXPECT_EQ(tiles[2], "lab50 of 100compile_error");
}

TEST(StudentHtml, ACompilersErrorsStandAtTheirLines) {
  StudentPage page = student_page();
  grade::LabResult& lab = *page.labs[0].result;
  lab.tests.clear();
  lab.verdict.kind = "compile_error";
  lab.message = {{words::Id::compile_error_at,
                  {{"at", words::SourceLine{"kernel.cu", 2}}, {"text", "expected a \";\""}}}};
  lab.where = {"kernel.cu", 2};
  lab.compile_log =
      "kernel.cu(2): error: expected a \";\"\n    }\n    ^\nkernel.cu(4): error: x\nother.h(1): "
      "error: y\n";
  const auto elements = report::take_apart(student_html(page));
  EXPECT_EQ(first(elements, "line hit wrong"), "line 2");
  EXPECT_EQ(first(elements, "remark wrong"), "error: expected a \";\"");
  EXPECT_NE(first(elements, "log").find("    }\n    ^\n"), std::string::npos)
      << "the compiler's own layout";
}

TEST(ClassHtml, EveryCellSaysItsWord) {
  const auto elements = report::take_apart(class_html(class_page()));
  std::vector<std::string> cells, values;
  for (const report::HtmlElement& one : elements)
    if (one.tag == "td" && one.attributes.contains("data-k")) {
      cells.push_back(one.text);
      values.push_back(one.attributes.at("data-v"));
    }
  ASSERT_EQ(cells.size(), 20u);
  EXPECT_EQ(cells[0], "gate ratio, 0");
  EXPECT_EQ(cells[1], "latepass, 100");
  EXPECT_EQ(cells[4], "not graded");
  EXPECT_EQ(values[4], "") << "blank is no number";
  EXPECT_EQ(values[0], "0");
  EXPECT_EQ(cells[5], "missing");
}

TEST(ClassHtml, IdsAreUniqueAndLinksMeetThem) {
  const auto elements = report::take_apart(class_html(class_page()));
  std::set<std::string> ids;
  for (const report::HtmlElement& one : elements)
    if (one.attributes.contains("id")) {
      EXPECT_TRUE(ids.insert(one.attributes.at("id")).second) << one.attributes.at("id");
    }
  for (const report::HtmlElement& one : elements) {
    const auto href = one.attributes.find("href");
    if (href != one.attributes.end() && href->second[0] == '#') {
      EXPECT_TRUE(ids.contains(href->second.substr(1))) << href->second;
    }
  }
}

TEST(ClassHtml, TablesHaveCaptionsAndHeadersCanBeSorted) {
  std::size_t tables = 0, captions = 0, sortable = 0;
  for (const report::HtmlElement& one : report::take_apart(class_html(class_page()))) {
    tables += one.tag == "table";
    captions += one.tag == "caption" && !one.text.empty();
    if (one.attributes.contains("aria-sort")) {
      ++sortable;
      EXPECT_EQ(one.attributes.at("aria-sort"), "none");
    }
  }
  EXPECT_EQ(tables, captions);
  EXPECT_GT(tables, 3u);
  EXPECT_EQ(sortable, 3u);
}

}  // namespace
}  // namespace labkit::course
