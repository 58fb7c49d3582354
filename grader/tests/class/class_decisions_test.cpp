// labkit class report, rescore, set and similar, as they are typed.
#include "class_decisions.h"

namespace labkit::course {
namespace {

TEST_F(ClassDecisions, ReportWritesEverythingAndKeepsThePolicy) {
  const fs::path policy = folder_ / "my policy.toml";
  write_file_atomically(policy, "[late]\npercent_per_day = 50\n");
  const auto first = run("report", {"--policy", policy.string()});
  EXPECT_EQ(first.exit_code, kExitOk) << first.err;
  EXPECT_NE(first.out.find("index.html#review"), std::string::npos) << first.out;
  for (const char* file :
       {"grades.csv", "index.html", "students/ana.html", "receipts/bo/lab3.json"})
    EXPECT_TRUE(fs::exists(out() / file)) << file;
  EXPECT_EQ(cell("ana", "lab3"), "100");
  EXPECT_EQ(cell("bo", "lab3"), "30") << "60, a day late";
  fs::remove(policy);
  const auto again = run("report");
  EXPECT_NE(again.out.find("0 files written"), std::string::npos) << again.out;
  EXPECT_EQ(cell("bo", "lab3"), "30");

  write_file_atomically(policy, "[lte]\n");
  const auto wrong = run("report", {"--policy", policy.string()});
  EXPECT_EQ(wrong.exit_code, kExitUsage);
  EXPECT_NE(wrong.err.find("my policy.toml:1: the policy: unknown key `lte`"), std::string::npos)
      << wrong.err;
  EXPECT_EQ(cell("bo", "lab3"), "30");
}

TEST_F(ClassDecisions, SetKeepsTheReasonAndWho) {
  const passwd* user = ::getpwuid(::geteuid());
  const std::string me = user ? user->pw_name : "user " + std::to_string(::geteuid());
  auto set = run("set", {"Li Bo", "Lab 3", "--points", "88.5", "--reason", "explained it to me"});
  EXPECT_EQ(set.exit_code, kExitOk) << set.err;
  EXPECT_EQ(set.out.substr(0, set.out.find("\n/")),
            "bo (Li, Bo), lab3: 60 of 100 points (gate sectors) -> 88.5 of 100 points (by "
            "decision)\n  decided by " +
                me + ": explained it to me")
      << set.out;
  EXPECT_EQ(cell("bo", "lab3"), "88.5");
  EXPECT_EQ(cell("bo", "lab3 verdict"), "decided");
  EXPECT_NE(cell("bo", "notes").find("88.5 points by decision instead of 60: explained it to me"),
            std::string::npos);
  set = run("set", {"bo@x.edu", "lab3", "--late-days", "0", "--reason", "ill", "--by", "Prof. X"});
  EXPECT_NE(set.out.find("lab3: 88.5 of 100 points (by decision), unchanged\n"), std::string::npos)
      << set.out;
  const std::string index = read_file(out() / "index.html");
  for (const char* reason : {"explained it to me", "ill", "Prof. X"})
    EXPECT_NE(index.find(reason), std::string::npos) << reason;
  set = run("set", {"bo", "lab3", "--withdraw", "--reason", "mixed up"});
  EXPECT_EQ(cell("bo", "lab3"), "60");
  set = run("set", {"bo", "lab3", "--excuse", "--reason", "moved away"});
  EXPECT_NE(set.out.find("-> blank (excused)"), std::string::npos) << set.out;
  EXPECT_EQ(cell("bo", "lab3"), "");
  set = run("set", {"cy", "lab3", "--points", "95", "--reason", "on paper", "--by", "Prof. X"});
  EXPECT_EQ(set.exit_code, kExitOk) << set.err;
  EXPECT_EQ(cell("cy", "lab3"), "95");

  // Who decided is for teachers.
  EXPECT_NE(cell("cy", "notes").find("decided by Prof. X"), std::string::npos);
  EXPECT_NE(read_file(out() / "index.html").find("Prof. X"), std::string::npos);
  const std::string page = read_file(out() / "students/cy.html");
  EXPECT_NE(page.find("on paper"), std::string::npos) << "the reason is for the student";
  EXPECT_EQ(page.find("Prof. X"), std::string::npos);
}

/// The page and the terminal say one and the same number.
TEST_F(ClassDecisions, WhatIsToReviewIsCountedOnce) {
  const auto said = [&](const process::Result& run) {
    const std::string index = read_file(out() / "index.html");
    const std::size_t at = index.find("<h2 id=\"review-title\">") + 22;
    return fmt_row(run.out, "To review:") + " | " + index.substr(at, index.find('<', at) - at);
  };
  EXPECT_EQ(said(run("report")), "1 case | To review (1)");
  EXPECT_EQ(said(run("set", {"bo", "lab3", "--late-days", "0", "--reason", "ill"})),
            "none | To review");
  EXPECT_NE(read_file(out() / "index.html").find("Decided by a teacher"), std::string::npos);
}

TEST_F(ClassDecisions, SetRefusesWhatItCannotKnow) {
  run("report");
  const std::string before = read_file(out() / "grades.csv");
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"bo", "lab3", "--reason", "x"}, "name one of --points P"},
      {{"bo", "lab3", "--points", "1", "--excuse", "--reason", "x"}, "only one of --points P"},
      {{"bo", "lab3", "--points", "1"}, "--reason needs a sentence"},
      {{"bo", "lab3", "--regrade", ""}, "--regrade needs a sentence"},
      {{"bo", "lab3", "--regrade-done", "--reason", "x"}, "there is no open regrade request of bo"},
      {{"bo", "lab3", "--comment", "a", "--regrade", "b"}, "only one of --points P"},
      {{"bo", "lab3", "--comment", "a", "--reason", "x"}, "--reason does not go with"},
      {{"bo", "lab3", "--points", "1", "--reason", " "}, "--reason needs a sentence"},
      {{"bo", "lab3", "--points", "-1", "--reason", "x"},
       "--points -1: it must be from 0 to 100, the maximum of lab3"},
      {{"bo", "lab3", "--points", "nan", "--reason", "x"}, "--points nan: it must be from 0 to"},
      {{"bo", "lab3", "--points", "100.5", "--reason", "x"}, "must be from 0 to 100, the maximum"},
      {{"bo", "lab3", "--late-days", "1e9", "--reason", "x"},
       "--late-days 1e+09: it must be from 0 to 1000"},
      {{"bo", "lab3", "--late-days", "nan", "--reason", "x"}, "it must be from 0 to 1000"},
      {{"bo", "lab3", "--points", "ten", "--reason", "x"}, "--points"},
      {{"bo", "lab99", "--points", "1", "--reason", "x"}, "there is no lab \"lab99\""},
      {{"bo", "lab1", "--points", "1", "--reason", "x"}, "lab1 was not set for this class"},
      {{"anna", "lab3", "--points", "1", "--reason", "x"},
       "there is no student \"anna\"; did you mean ana? grades.csv lists all"},
      {{"x.edu", "lab3", "--points", "1", "--reason", "x"}, "there is no student \"x.edu\""},
      {{"bo", "lab3", "--withdraw", "--reason", "x"}, "there is no decision"}};
  for (const auto& [arguments, complaint] : refused) {
    const auto result = run("set", arguments);
    EXPECT_EQ(result.exit_code, kExitUsage) << complaint << "\n" << result.out << result.err;
    EXPECT_NE(result.err.find(complaint), std::string::npos) << complaint << "\n" << result.err;
  }
  EXPECT_EQ(read_file(out() / "grades.csv"), before);
  fs::remove_all(out());
  const auto nothing = run("set", {"bo", "lab3", "--points", "1", "--reason", "x"});
  EXPECT_EQ(nothing.exit_code, kExitUsage);
  EXPECT_NE(nothing.err.find("there is no gradebook"), std::string::npos) << nothing.err;
  EXPECT_FALSE(fs::exists(out())) << "and none was made";
}

/// Whoever mistypes a file or a value is told so, with the fix, and that nothing of ours is broken.
TEST_F(ClassDecisions, AMistakeOnTheCommandLineIsNoFaultOfTheKit) {
  run("report");
  const auto file = [&](const std::string& name, const std::string& text) {
    write_file_atomically(folder_ / name, text);
    return (folder_ / name).string();
  };
  const std::string nowhere = (folder_ / "nope").string(), here = folder_.string();
  const std::string readme = (fs::path(LABKIT_SOURCE_DIR) / "README.md").string();
  const std::string kernel =
      (fs::path(LABKIT_SOURCE_DIR) / "solutions/lab3_corner_turning/correct/tile.cu").string();
  const std::string policy = file("bad policy.toml", "[late]\npercent_per_day = 200\n");
  const std::string words = file("words.csv", "a,b\n1,2\n"), quote = file("quote.csv", "\"a,b\n");
  const std::string due = file("due.toml", "[due]\nlab3 = 2026-10-01T23:59:00Z\n");
  const std::string lab3_csv = file("lab3.csv", "Identifier,Punkte\n"), dir = out().string();
  const std::string broken_zip = file("cut.zip", "PK\3\4 and no more");
  file("class/ana/lab3.cu", read_file(kernel));
  const std::string classes = (folder_ / "class").string(), new_out = (folder_ / "new").string();
  fs::create_directories(folder_ / "empty");
  const std::string empty = (folder_ / "empty").string();
  struct Typed {
    std::vector<std::string> words;
    std::string complaint, fix;
  };
  const auto grade = [&](const std::string& input, std::vector<std::string> more) {
    std::vector<std::string> line = {"class", "grade", input, "--out", new_out};
    line.insert(line.end(), more.begin(), more.end());
    return line;
  };
  const std::vector<Typed> all = {
      {{"class", "report", dir, "--policy", nowhere}, "nope", "Name a file that is there"},
      {{"class", "report", dir, "--policy", here}, "cannot read", ""},
      {{"class", "report", dir, "--policy", policy}, "percent_per_day", "prints all keys"},
      {{"class", "report", dir, "--policy", readme}, "README.md:", "TOML"},
      {{"class", "report", dir, "--policy", due}, "unknown key `due`", "assignments.toml"},
      {{"class", "report", dir, "--canvas-gradebook", nowhere}, "nope", ""},
      {{"class", "report", dir, "--canvas-gradebook", words}, "not what Canvas exports", " "},
      {{"class", "report", dir, "--canvas-gradebook", quote}, "quote.csv:1:", "Save it again"},
      {{"class", "report", dir, "--moodle-worksheet", nowhere}, "nope", ""},
      {{"class", "report", dir, "--moodle-worksheet", words}, "which lab", "Call it after its lab"},
      {{"class", "report", dir, "--moodle-worksheet", lab3_csv},
       "which column",
       "as Moodle wrote it"},
      {{"class", "report", nowhere}, "there is no gradebook", ""},
      {{"class", "report", readme}, "there is no gradebook", ""},
      {{"class", "status", nowhere}, "there is no gradebook", ""},
      {{"class", "rescore", nowhere}, "there is no gradebook", ""},
      {{"class", "replay", nowhere}, "nope", ""},
      {{"class", "replay", here}, "", ""},
      {{"class", "replay", readme}, "no gradebook in a folder above", "--class"},
      {grade(nowhere, {}), "there is no", "Name the folder"},
      {grade(readme, {}), "it is no readable zip or tar", "Name the folder, zip or tar"},
      {grade(kernel, {}), "it is no readable zip or tar", "Name the folder, zip or tar"},
      {grade(broken_zip, {}), "it is broken", "Download it again"},
      {grade("/dev/null", {}), "neither a folder nor a file", "Name the folder"},
      {grade(empty, {}), "no submissions", "Name the folder"},
      {grade(classes, {"--policy", nowhere}), "nope", "Name a file that is there"},
      {grade(classes, {"--policy", policy}), "percent_per_day", "prints all keys"},
      {grade(classes, {"--roster", nowhere}), "nope", "Name a CSV file"},
      {grade(classes, {"--roster", words}), "no column names the students", "first line"},
      {grade(classes, {"--roster", quote}), "quote.csv:1:", "Save it again"},
      {grade(classes, {"--roster", here}), "", ""},
      {grade(classes, {"--assignment", "lab99"}), "lab99", "Lab 3"},
      {grade(classes, {"--jobs", "-1"}), "--jobs", ""},
      {grade(classes, {"--jobs", "many"}), "--jobs", ""},
      {grade(classes, {"--seed", "-1"}), "--seed", ""},
      {grade(classes, {"--device", "tpu"}), "--device", ""},
      {grade(classes, {"--gpu-id", "x"}), "--gpu-id", ""},
      {{"class", "grade", classes, "--out", readme}, "is no folder", "Name another folder"},
      {{"class", "grade", classes, "--out", readme + "/x"}, "is no folder", "Name another folder"},
      {{"grade", "lab3", "--file", nowhere}, "nope", ""}};
  for (const Typed& typed : all) {
    SCOPED_TRACE(testing::PrintToString(typed.words));
    const process::Result result = type(typed.words);
    EXPECT_EQ(result.exit_code, kExitUsage) << result.out << result.err;
    EXPECT_NE(result.err.find(typed.complaint), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("Error: the kit"), std::string::npos) << result.err;
    const std::size_t remedy = result.err.find("\nFix: ");
    if (!typed.fix.empty()) {
      ASSERT_NE(remedy, std::string::npos) << result.err;
      EXPECT_NE(result.err.find(typed.fix, remedy), std::string::npos) << result.err;
    }
  }
  EXPECT_FALSE(fs::exists(folder_ / "nope"));
}

TEST_F(ClassDecisions, RescoreUsesThePointsOfNow) {
  run("report");
  const fs::path root = folder_ / "other root";
  fs::create_directories(root);
  fs::copy(fs::path(LABKIT_SOURCE_DIR) / "labs", root / "labs", fs::copy_options::recursive);
  const fs::path file = root / "labs" / lab3().folder / "lab.toml";
  std::string toml = read_file(file);
  const std::size_t at = toml.find("points");
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = toml.find('\n', at);
  const double was = lab3().tests.front().points;
  toml.replace(at, end - at, "points = " + std::to_string(static_cast<int>(was) + 7));
  write_file_atomically(file, toml);
  const auto rescored = run("rescore", {}, root);
  EXPECT_EQ(rescored.exit_code, kExitOk) << rescored.err;
  EXPECT_NE(
      rescored.out.find(
          "No kernel was run again.\n2 grades and 2 totals change by today's points and limits:\n"),
      std::string::npos)
      << rescored.out;
  EXPECT_EQ(cell("ana", "lab3"), "107");
  EXPECT_EQ(cell("ana", "lab3 of"), "107");
  EXPECT_EQ(cell("bo", "lab3"), "67");
  // A gate that nobody misses any more.
  for (std::size_t gate = toml.find("\n  max"); gate != std::string::npos;
       gate = toml.find("\n  max", gate + 1))
    toml.replace(gate, toml.find('\n', gate + 1) - gate, "\n  max = 1e9");
  for (std::size_t gate = toml.find("\n  min"); gate != std::string::npos;
       gate = toml.find("\n  min", gate + 1))
    toml.replace(gate, toml.find('\n', gate + 1) - gate, "\n  min = 1e-9");
  write_file_atomically(file, toml);
  const auto lenient = run("rescore", {}, root);
  EXPECT_EQ(lenient.exit_code, kExitOk) << lenient.err << toml;
  EXPECT_EQ(cell("bo", "lab3"), "107");
  // Back to what was graded.
  run("rescore");
  EXPECT_EQ(cell("bo", "lab3"), "60");
}

TEST_F(ClassDecisions, SimilarListsAndJudgesNothing) {
  run("report");
  EXPECT_EQ(cell("ana", "lab3"), "100");
  EXPECT_NE(read_file(out() / "similar/lab3-ana-bo.html").find("my_square"), std::string::npos);
  EXPECT_NE(read_file(out() / "index.html").find("similar/lab3-ana-bo.html"), std::string::npos);
}

}  // namespace
}  // namespace labkit::course
