#include "class/publish/exports.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "class_files.h"
#include "made_class.h"
#include "report/json.h"

namespace labkit::course {
namespace {

using Json = nlohmann::json;

/// Ana is good, Bo late, Cy excused, Di not graded, and one calls himself a formula.
Report report() {
  Report report;
  const auto student = [&](const std::string& id, const std::string& name,
                           const std::string& canvas, const std::string& moodle) {
    Student one;
    one.id = id;
    one.name = name;
    if (!canvas.empty()) one.keys["canvas_id"] = canvas;
    if (!moodle.empty()) one.keys["moodle_id"] = moodle;
    report.students.push_back(one);
  };
  student("ana", "García, Ana", "101", "4711");
  student("bo", "Bo \"B\" Li", "102", "4712");
  student("cy", "Cy", "103", "4713");
  student("di", "Di", "104", "4714");
  student("mal", "=HYPERLINK(\"http://x\")", "105", "4715");
  const auto grade = [&](const std::string& who, Grade::State state, std::optional<double> points,
                         const std::string& verdict) -> Grade& {
    Grade one;
    one.student = who;
    one.lab = "lab3";
    one.state = state;
    one.points = points;
    one.verdict = verdict;
    one.max_points = 100;
    report.grades.push_back(one);
    return report.grades.back();
  };
  grade("ana", Grade::State::pass, 100, "pass");
  Grade& bo = grade("bo", Grade::State::not_pass, 54.126, "gate ratio");
  bo.late_days = 1;
  bo.taken_off = 6.014;
  bo.notes = {"=1+1 said the student"};
  grade("cy", Grade::State::excused, std::nullopt, "excused");
  grade("di", Grade::State::not_graded, std::nullopt, "not graded").review = true;
  report.review = {{1, "not graded", "", "di", "lab3", "", "no compiler"}};
  grade("mal", Grade::State::not_pass, 0, "compile_error");
  return report;
}
const grade::Manifest& lab3() { return kit_labs().at(3); }

TEST(Exports, GradesSheet) {
  const std::string text = grades_csv(report(), kit_labs());
  EXPECT_TRUE(text.starts_with(kByteOrderMark)) << "García is not ASCII";
  const Csv csv = read_csv(text, "t");
  const std::string most = points_text(lab3().max_points(), 2);
  EXPECT_EQ(csv.rows.at(0),
            (CsvRow{"student", "name", "email", "login", "sid", "canvas_id", "moodle_id", "lab3",
                    "lab3 of", "lab3 verdict", "lab3 days late", "lab3 taken off", "lab3 comment",
                    "total", "total of", "review", "notes"}));
  EXPECT_EQ(csv.rows.at(1), (CsvRow{"ana", "García, Ana", "", "", "", "101", "4711", "100", most,
                                    "pass", "", "", "", "100", "100", "", ""}));
  EXPECT_EQ(csv.rows.at(2),
            (CsvRow{"bo", "Bo \"B\" Li", "", "", "", "102", "4712", "54.13", most, "gate ratio",
                    "1", "6.01", "", "54.13", "100", "", "lab3: =1+1 said the student"}));
  EXPECT_EQ(csv.rows.at(4)[7], "") << "our fault is blank";
  EXPECT_EQ(csv.rows.at(4)[13], "");
  EXPECT_EQ(csv.rows.at(4)[15], "yes");
  EXPECT_EQ(csv.rows.at(5)[1], "'=HYPERLINK(\"http://x\")");
  EXPECT_EQ(csv.rows.at(5)[7], "0");
}

TEST(Exports, CanvasFromNothing) {
  const Upload upload = canvas_csv(report(), kit_labs());
  const Csv csv = read_csv(upload.text, "t");
  EXPECT_EQ(csv.rows.at(0).at(5), "Lab 3: " + lab3().title);
  EXPECT_EQ(csv.rows.at(1).at(0), "    Points Possible");
  EXPECT_EQ(csv.rows.at(1).at(5), points_text(lab3().max_points(), 2));
  EXPECT_EQ(csv.rows.at(2), (CsvRow{"García, Ana", "101", "", "", "", "100"}));
  EXPECT_EQ(csv.rows.at(3).at(5), "54.13");
  EXPECT_EQ(csv.rows.at(4).at(5), "EX");
  EXPECT_EQ(csv.rows.at(5).at(5), "");
  EXPECT_EQ(csv.rows.at(6).at(0), "'=HYPERLINK(\"http://x\")");
  Report unknown = report();
  unknown.students[0].keys.erase("canvas_id");
  EXPECT_EQ(canvas_csv(unknown, kit_labs()).notes.at(0),
            "ana is not in it: the Canvas ID is not known");
}

TEST(Exports, ColumnsThatAreCalledAfterMoreThanALabAreLeftAlone) {
  const Csv csv = read_csv(canvas_csv(report(), kit_labs(),
                                      read_csv("Student,ID,Lab 3 quiz (779),Lab 3 (777)\r\n"
                                               "\"García, Ana\",101,8,\r\n",
                                               "t"),
                                      "g.csv")
                               .text,
                           "t");
  EXPECT_EQ(csv.rows[1], (CsvRow{"García, Ana", "101", "100"}));
}

TEST(Exports, CanvasFillsItsOwnGradebook) {
  const Csv exported = read_csv(
      "Student,ID,SIS User ID,SIS Login ID,Section,Homework (1),Lab 3 - turning (77),Lab 1 "
      "(5),Labs Final Points\r\n"
      ",,,,,Manual Posting,,,\r\n"
      "    Points Possible,,,,,10,10,100,(read only)\r\n"
      "\"García, Ana\",101,S1,ana,A,7,,,\r\n"
      "\"Li, Bo\",102,S2,bo,A,8,3,,\r\n"
      "Di,104,S4,di,A,,9,,\r\n"
      "\"Nobody, Known\",999,S9,x,A,,5,,\r\n"
      "\"Student, Test\",111,,t,A,,,,\r\n",
      "t");
  const Upload upload = canvas_csv(report(), kit_labs(), exported, "grades.csv");
  const Csv csv = read_csv(upload.text, "t");
  ASSERT_EQ(csv.rows.size(), 5u);
  EXPECT_EQ(csv.rows[0], (CsvRow{"Student", "ID", "SIS User ID", "SIS Login ID", "Section",
                                 "Lab 3 - turning (77)"}));
  EXPECT_EQ(csv.rows[1], (CsvRow{"    Points Possible", "", "", "", "", "10"}));
  const double scale = 10 / lab3().max_points();
  EXPECT_EQ(csv.rows[2],
            (CsvRow{"García, Ana", "101", "S1", "ana", "A", points_text(100 * scale)}));
  EXPECT_EQ(csv.rows[3][5], points_text(54.126 * scale));
  EXPECT_EQ(csv.rows[4][5], "9") << "not graded: what stood there stays";
  std::string notes;
  for (const std::string& note : upload.notes) notes += note + "\n";
  EXPECT_NE(notes.find("mal is not in it: no such ID in grades.csv"), std::string::npos) << notes;
  EXPECT_EQ(
      canvas_csv(report(), kit_labs(), read_csv("Student,ID,Quiz (1)\r\n", "t"), "g.csv").columns,
      0u);
  EXPECT_THROW(canvas_csv(report(), kit_labs(), read_csv("Name,Lab 3 (1)\r\n", "t"), "g.csv"),
               Error);
}

/// An assignment of several labs has one column for their sum.
TEST(Exports, AColumnThatNamesSeveralLabsHasTheirSum) {
  Report r = report();
  std::vector<Grade> both;
  for (const Grade& one : r.grades) {
    both.push_back(one);
    Grade other = one;
    other.lab = "lab4";
    other.submitted = true;
    if (one.student == "cy") other.state = Grade::State::pass;
    if (one.student != "mal") other.points = 7;
    both.push_back(other);
  }
  r.grades = both;
  const Csv exported = read_csv(
      "Student,ID,Lab 3 and Lab 4 (5)\n    Points Possible,,200\nA,101,\nB,102,1\nC,103,2\nD,104,"
      "3\nM,105,4\n",
      "t");
  const Upload canvas = canvas_csv(r, kit_labs(), exported, "g.csv");
  const auto cells = [](const Upload& upload, std::size_t first, std::size_t column) {
    const Csv csv = read_csv(upload.text, "t");
    std::vector<std::string> all;
    for (std::size_t row = first; row < csv.rows.size(); ++row)
      all.push_back(csv.cell(row, column));
    return joined(all, " ");
  };
  EXPECT_EQ(cells(canvas, 2, 2), "107 61.13 2 3 0") << "a lab that is blank or excused is no 0";
  EXPECT_NE(joined(canvas.notes, "; ").find("di, lab3+lab4: no sum, because lab3 is not graded"),
            std::string::npos)
      << joined(canvas.notes, "; ");
  const auto labs = labs_named(kit_labs(), "lab3+lab4.csv");
  ASSERT_EQ(labs.size(), 2u);
  const Csv sheet = read_csv(
      "Identifier,Grade,Maximum grade\nParticipant 4711,,200\nParticipant "
      "4712,,200\nParticipant 4714,5,200\n",
      "t");
  EXPECT_EQ(cells(moodle_csv(r, labs, sheet, "w.csv"), 1, 1), "107 61.13 5");
}

TEST(Exports, MoodleTakesNoGradeAboveItsMaximum) {
  Report r = report();
  const grade::Manifest& lab4 = kit_labs().at(4);
  for (Grade& one : r.grades) one.lab = "lab4";
  r.grades.front().points = lab4.max_points() + lab4.bonus_points();
  const auto upload_for = [&](double maximum) {
    const Csv sheet = read_csv(fmt::format("Identifier,Grade,Maximum Grade\nParticipant 4711,,{}\n"
                                           "Participant 4712,,{}\n",
                                           maximum, maximum),
                               "w.csv");
    return moodle_csv(r, {&lab4}, sheet, "w.csv");
  };
  const Upload tight = upload_for(lab4.max_points());
  EXPECT_EQ(read_csv(tight.text, "t").rows.at(1).at(1), "100");
  EXPECT_NE(joined(tight.notes, "\n").find("for ana: Moodle takes"), std::string::npos)
      << joined(tight.notes, "\n");
  const Upload roomy = upload_for(lab4.max_points() + lab4.bonus_points());
  EXPECT_EQ(read_csv(roomy.text, "t").rows.at(1).at(1), "120");
  EXPECT_EQ(read_csv(roomy.text, "t").rows.at(2).at(1), "54.13") << "nothing is scaled";
}

TEST(Exports, MoodleFillsItsWorksheet) {
  Report r = report();
  // this assignment's number, other than the one the student has elsewhere
  r.students.front().keys[moodle_key("lab3")] = "9001";
  const std::string most = points_text(lab3().max_points(), 2);
  const Csv sheet = read_csv(
      "Identifier,Full name,Status,Grade,Maximum Grade,Last modified (grade)\n"
      "Participant 9001,Ana García,Submitted,," +
          most +
          ",-\n"
          "Participant 4712,Bo Li,\"Submitted - 1 day late\",3," +
          most +
          ",-\n"
          "Participant 4714,Di,Submitted,55," +
          most +
          ",-\n"
          "Participant 1,=Somebody,- see me,," +
          most + ",-\n",
      "t");
  const Upload upload = moodle_csv(r, {&lab3()}, sheet, "w.csv");
  const Csv csv = read_csv(upload.text, "t");
  EXPECT_EQ(csv.rows.at(0), sheet.rows.at(0));
  EXPECT_EQ(csv.rows.at(1).at(3), "100");
  EXPECT_EQ(csv.rows.at(2).at(3), "54.13");
  EXPECT_EQ(csv.rows.at(3).at(3), "55");
  EXPECT_EQ(csv.rows.at(4), sheet.rows.at(4)) << "Moodle's own cells come back as they are";
  EXPECT_EQ(csv.rows.at(1).at(5), "-");
  EXPECT_EQ(upload.notes,
            (std::vector<std::string>{"mal is not in it: w.csv has no participant 4715"}));
  // In another language, and with a maximum of its own.
  const Csv german =
      read_csv("ID;Vollständiger Name;Bewertung;Bestwertung\nTeilnehmer/in4712;Bo Li;;20,0\n", "t");
  const Upload scaled = moodle_csv(r, {&lab3()}, german, "w.csv");
  EXPECT_EQ(read_csv(scaled.text, "t").rows.at(1).at(2),
            points_text(54.126 * 20 / lab3().max_points(), 2));
  const Csv odd = read_csv("Nr,Punkte\nParticipant 4712,\n", "t");
  EXPECT_THROW(moodle_csv(r, {&lab3()}, odd, "w.csv"), Error);
  // Whatever the language: the maximum is one number for all, and the grade stands before it.
  const Csv japanese = read_csv(
      "識別子,氏名,学籍番号,評点,最高評点,最終更新\nParticipant 4711,A,7,,50.00,-\nParticipant "
      "4712,B,8,,50.00,-\n",
      "t");
  const Csv filled = read_csv(moodle_csv(r, {&lab3()}, japanese, "w.csv").text, "t");
  EXPECT_EQ(filled.rows.at(1).at(3), "");
  EXPECT_EQ(filled.rows.at(2).at(3), points_text(54.126 * 50 / lab3().max_points(), 2));
  EXPECT_EQ(filled.rows.at(2).at(4), "50.00");
}

TEST(Exports, AWorksheetThatWasRearrangedIsRefused) {
  const Report r = report();
  const auto grade = [&](const std::string& text) {
    return read_csv(moodle_csv(r, {&lab3()}, read_csv(text, "t"), "w.csv").text, "t").rows.at(1);
  };
  EXPECT_EQ(grade("ID,Name,Status,Bewertung,Bestwertung,Abgabe,Kohorte\n"
                  "Teilnehmer/in4711,A,x,,100,-,2026\nTeilnehmer/in4712,B,x,,100,-,2026\n")
                .at(3),
            "100");
  for (const char* text : {
           "ID,Name,Status,Bestwertung,Bewertung\nTeilnehmer/in4711,A,x,100,\n",
           "ID,Name,Status,Bewertung,Bestwertung,Kommentar,Kohorte\n"
           "Teilnehmer/in4711,A,x,,100,,2026\nTeilnehmer/in4712,B,x,,100,,2026\n",
           "Nr.,ID,Name,Status,Bewertung,Bestwertung\n4712,Teilnehmer/in4711,A,x,,100\n",
           "Name,ID,Status,Bewertung,Bestwertung\nAna,Teilnehmer/in4711,x,,100\n",
       })
    EXPECT_THROW(grade(text), Error) << text;
  const Csv cohort = read_csv("Identifier,Grade,Yes,Cohort\nParticipant 4711,,Yes,3\n", "t");
  EXPECT_EQ(read_csv(moodle_csv(r, {&lab3()}, cohort, "w").text, "t").rows.at(1).at(1), "100");
}

TEST(Exports, TimesInAnUnknownLanguageAreSaid) {
  const Csv sheet = read_csv(
      "Tunniste,Nimi,Arvosana,Enint,Muokattu\n"
      "Osallistuja 4711,A,,100,\"maanantai, 2. marraskuuta 2026, 23:59\"\n",
      "t");
  EXPECT_TRUE(moodle_times(sheet).submitted_at.empty());
  EXPECT_NE(joined(moodle_csv(report(), {&lab3()}, sheet, "w").notes, "\n").find("marraskuuta"),
            std::string::npos);
}

TEST(Exports, MoodlesWorksheetNamesByAddressWhomNoNumberDoes) {
  Report r = report();
  for (Student& student : r.students) student.keys.erase("moodle_id");
  r.students.front().keys["email"] = "Ana@uni.edu";
  const Csv sheet =
      read_csv("Identifier,Full name,Email address,Grade\nParticipant 77,A,ana@uni.edu,\n", "t");
  const Upload upload = moodle_csv(r, {&lab3()}, sheet, "w.csv");
  EXPECT_EQ(read_csv(upload.text, "t").rows.at(1).at(3), "100");
  for (const std::string& note : upload.notes)
    EXPECT_FALSE(note.starts_with(r.students.front().id + " ")) << note;
}

TEST(Exports, MoodleFromNothing) {
  const Csv csv = read_csv(moodle_csv(report(), {&lab3()}).text, "t");
  EXPECT_EQ(csv.rows.at(0).at(0), "Identifier");
  ASSERT_EQ(csv.rows.size(), 4u) << "only who has a grade";
  EXPECT_EQ(csv.rows.at(1).at(0), "Participant 4711");
  EXPECT_EQ(csv.rows.at(1).at(2), "100");
  // Ana's number is known from another assignment only: she is told of, not taken for another.
  Report other = report();
  other.students.front().keys[moodle_key("lab1")] = "4711";
  const Upload upload = moodle_csv(other, {&lab3()});
  EXPECT_EQ(read_csv(upload.text, "t").rows.at(1).at(0), "Participant 4712");
  EXPECT_EQ(upload.notes.at(0),
            "ana is not in it: Moodle's number of the participant is not known");
}

TEST(Exports, MoodlesWorksheetSaysWhenParticipantsSubmitted) {
  const auto time = [](const std::string& title, const std::string& text) {
    const auto times =
        moodle_times(read_csv("Identifier," + title + "\nParticipant 77,\"" + text + "\"\n", "t"))
            .submitted_at;
    return times.contains("77") ? times.at("77") - 3600 : 0;
  };
  constexpr std::int64_t kTime = 1793660340;  // 2026-11-02T23:59:00+01:00
  EXPECT_EQ(time("Last modified (submission)", "Monday, 2 November 2026, 11:59 PM"), kTime);
  EXPECT_EQ(time("Zuletzt geändert (Abgabe)", "Montag, 2. November 2026, 23:59"), kTime);
  EXPECT_EQ(time("Última modificación (entrega)", "lunes, 2 de noviembre de 2026, 23:59"), kTime);
  EXPECT_EQ(time("Dernière modification (travail remis)", "lundi 2 juillet 2026, 00:59"),
            1782950340);
  EXPECT_EQ(time("Last modified (submission)", "Monday, 2 November 2026, 12:00 AM"), kTime - 86340);
  EXPECT_EQ(time("Last modified (submission)", "Monday, November 2, 2026, 11:59 PM"), kTime);
  EXPECT_EQ(time("Ultima modifica (consegna)", "lunedì, 2 novembre 2026, 23:59"), kTime);
  EXPECT_EQ(time("最終更新 (提出)", "2026年 11月 2日(月曜日) 23:59"), kTime);
  for (const char* may : {"mai", "May", "mei", "maj", "maggio", "mayo", "Maio"})
    EXPECT_EQ(time("?", std::string("2 ") + may + " 2026, 23:59"), 1777762740) << may;
  EXPECT_EQ(time("?", "2. März 2026, 23:59"), 1772492340);
  for (const char* none : {"-", "", "2 Brumaire 2026, 11:59 PM", "soon"})
    EXPECT_EQ(time("Last modified (submission)", none), 0) << none;
  EXPECT_EQ(time("Last modified (grade)", "Monday, 2 November 2026, 11:59 PM"), 0);
}

grade::LabResult race() {
  grade::LabResult result;
  result.lab = "lab3";
  result.verdict = grade::verdict_from_text("race");
  result.points = 60;
  result.max_points = 100;
  const auto add = [&](const char* name, const char* verdict, double points, double most,
                       const char* about) -> grade::TestResult& {
    grade::TestResult& test = result.tests.emplace_back();
    test.name = name;
    test.verdict = grade::verdict_from_text(verdict);
    test.points = points;
    test.max_points = most;
    test.about = about;
    return test;
  };
  add("A.Right", "pass", 60, 60, "Right.");
  add("A.Fast", "race", 0, 40, "Fast.").message = {
      {words::Id::compile_error_at,
       {{"at", words::SourceLine{"kernel.cu", 3}},
        {"text", "Two threads <met>.\nLine 3 \a & \"x\""}}}};
  add("A.Bonus", "not_attempted", 0, 20, "");
  return result;
}

TEST(Exports, ACommentGoesWhereTheLmsTakesOne) {
  Report r = report();
  r.grades[0].comment = "=well done";
  const Csv sheet = read_csv(
      "Identifier,Grade,Feedback comments\nParticipant 4711,,\nParticipant 4712,,kept\n", "t");
  const Csv filled = read_csv(moodle_csv(r, {&lab3()}, sheet, "w").text, "t");
  EXPECT_EQ(filled.rows.at(1).at(2), "'=well done");
  EXPECT_EQ(filled.rows.at(2).at(2), "kept");
  const Json results = Json::parse(gradescope_results({{r.grades[0], ""}}));
  EXPECT_NE(results["output"].get<std::string>().find("\nComment: =well done\n"),
            std::string::npos);
}

TEST(Exports, GradescopeResults) {
  GradescopeItem item;
  item.grade.student = "ana";
  item.grade.lab = "lab3";
  item.grade.points = 54;
  item.grade.max_points = 100;
  item.grade.taken_off = 6;
  item.grade.late_days = 1;
  item.grade.verdict = "race";
  item.json = report::lab_json(race());
  const Json results = Json::parse(gradescope_results({item}));
  EXPECT_EQ(results["score"], 54);
  EXPECT_EQ(results["output"],
            "lab3: 54 of 100 points (race).\n6 points were taken off: 1 day late.\n");
  EXPECT_EQ(results["stdout_visibility"], "hidden");
  ASSERT_EQ(results["tests"].size(), 3u);
  EXPECT_EQ(results["tests"][0]["status"], "passed");
  EXPECT_EQ(results["tests"][0]["output"], "Right.");
  EXPECT_EQ(results["tests"][1]["name"], "lab3 A.Fast");
  EXPECT_EQ(results["tests"][1]["status"], "failed");
  EXPECT_EQ(results["tests"][1]["score"], 0);
  EXPECT_EQ(results["tests"][1]["max_score"], 40);
  EXPECT_EQ(results["tests"][1]["output_format"], "text");
  EXPECT_EQ(results["tests"][2]["status"], "passed") << "a bonus not tried is no failure";
  for (const Json& test : results["tests"]) EXPECT_EQ(test["visibility"], "visible");
  // What has no grade must not read as zero, and a NaN would hang Gradescope.
  item.grade.points.reset();
  EXPECT_THROW(gradescope_results({item}), Error);
  item.grade.points = std::nan("");
  EXPECT_THROW(gradescope_results({item}), Error);
}

TEST(Exports, WhoseFileCouldNotBeReadIsNotZeroForHandingNothingIn) {
  const TemporaryFolder folder;
  Gradebook book(folder.path() / "g.sqlite");
  Intake intake = made_class(3, {"lab3"});
  intake.submissions.erase(intake.submissions.begin(), intake.submissions.begin() + 2);
  intake.remarks = {{Remark::Kind::refused, "s1", "s1", "the folder cannot be read"}};
  book.put_class(intake);
  book.plan(made_conditions());
  Policy policy;
  policy.missing_is_zero = true;
  const Report report = make_report(book, policy, kit_labs());
  ASSERT_NE(report.find("s0", "lab3"), nullptr);
  EXPECT_EQ(report.find("s0", "lab3")->points, 0);
  EXPECT_EQ(report.find("s1", "lab3")->points, std::nullopt);
  EXPECT_TRUE(report.find("s1", "lab3")->review);
}

TEST(Exports, PointsAsText) {
  EXPECT_EQ(points_text(100), "100");
  EXPECT_EQ(points_text(87.5), "87.5");
  EXPECT_EQ(points_text(0.005), "0.01");
  EXPECT_EQ(points_text(99.999), "100");
  EXPECT_EQ(points_text(40, 0), "40");
  EXPECT_EQ(points_text(0), "0");
}

}  // namespace
}  // namespace labkit::course
