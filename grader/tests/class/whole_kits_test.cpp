// What a new teaching assistant met: whole kits with their examples, and Moodle's groups and namesakes.
#include <gtest/gtest.h>

#include "base/text.h"
#include "class_commands.h"

namespace labkit::course {
namespace {

class AsDownloaded : public ClassCommands {
 protected:
  fs::path submissions() const { return folder_ / "submissions"; }
  void put(const fs::path& place, const std::string& text) const {
    write_file_atomically(submissions() / place, text);
  }
  static std::string kits(const std::string& file) {
    return read_file(fs::path(LABKIT_SOURCE_DIR) / file);
  }
};

TEST_F(AsDownloaded, AKitsExamplesAreNoSubmission) {
  for (const char* student : {"ana", "bo"}) {
    const fs::path kit = fs::path(student) / "cuda-memory-labs";
    for (const char* example : {"lab0_no_bounds.cu", "lab1_chunk.cu", "patterns.cu"})
      put(kit / "handouts/examples" / example,
          kits(std::string("handouts/examples/") + example) + "// read\n");
    put(kit / "labs/.editor/cuda_runtime.h", "#pragma once\n");
    put(kit / "labs/lab1_vecadd_coalescing/kernel.cu",
        kits("labs/lab1_vecadd_coalescing/kernel.cu"));
    put(kit / "labs/lab3_corner_turning/kernel.cu",
        student == std::string("ana") ? solution("correct/tile.cu")
                                      : kits("labs/lab3_corner_turning/kernel.cu"));
  }
  const auto graded = grade({"--assignment", "lab1,lab3"});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  const std::map<std::string, std::string> expected = {{"ana lab3", "pass"}};
  EXPECT_EQ(verdicts(), expected);
}

TEST_F(AsDownloaded, ASourceOfTheKitItselfIsNoSubmission) {
  for (const char* student : {"ana", "bo"}) {
    const fs::path kit = fs::path(student) / "cuda_memory_labs";
    put(kit / "grader/grade/copies.cu", kits("grader/grade/copies.cu"));
    put(kit / "grader/base/text.h", "#pragma once\n");
    put(kit / "handouts/notebook/labkit_magic.py", "import os\n");
    put(kit / "build/default/CMakeCache.txt", "A:BOOL=ON\n");
    put(kit / "labs/lab3_corner_turning/kernel.cu",
        student == std::string("ana") ? solution("correct/tile.cu")
                                      : kits("labs/lab3_corner_turning/kernel.cu"));
  }
  const auto graded = grade({"--assignment", "lab3"});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  const std::map<std::string, std::string> expected = {{"ana lab3", "pass"}};
  EXPECT_EQ(verdicts(), expected);
}

TEST_F(AsDownloaded, AFolderAroundOneKitIsAStudents) {
  put("ana/cuda_memory_labs/labs/lab3_corner_turning/kernel.cu", solution("correct/tile.cu"));
  put("ana/cuda_memory_labs/README.md", "# CUDA memory labs\n");
  const auto graded = grade({"--assignment", "lab3"});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  const std::map<std::string, std::string> expected = {{"ana lab3", "pass"}};
  EXPECT_EQ(verdicts(), expected);
}

TEST_F(AsDownloaded, OneRepositoryIsOneStudents) {
  const auto kit = [&](const fs::path& place) {
    put(place / "labs/lab3_corner_turning/kernel.cu", solution("correct/tile.cu"));
    put(place / "grader/base/text.h", "#pragma once\n");
    put(place / "handouts/start.md", "# Start\n");
  };
  kit("alice");
  kit("zips/bo/cuda-memory-labs-main");
  put("carol/.git/HEAD", "ref: x");
  put("carol/lab3/kernel.cu", solution("correct/padded.cu"));
  std::vector<std::string> words = {"class",        "grade",        "--out",
                                    out().string(), "--assignment", "lab3"};
  for (const char* input : {"alice", "zips/bo", "carol"})
    words.push_back((submissions() / input).string());
  const auto graded = run(words);
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  const std::map<std::string, std::string> expected = {
      {"alice lab3", "pass"}, {"bo lab3", "pass"}, {"carol lab3", "pass"}};
  EXPECT_EQ(verdicts(), expected);
  EXPECT_EQ(book().students().size(), 3u);
  EXPECT_SAYS(graded, "alice, bo, carol (plain): 3 students, 3 submissions");
}

TEST_F(AsDownloaded, MoodlesNamesakesAreNeverAZeroAndLeaveNoRowBehind) {
  put("Lab 3/Sam Lee_1024_assignsubmission_file/lab3.cu", solution("correct/tile.cu"));
  put("Lab 3/Sam Lee_1045_assignsubmission_file/lab3.cu", solution("wrong/tile_not_turned.cu"));
  write_file_atomically(folder_ / "roster.csv",
                        "Name,Username,Email\nSam Lee,slee1,a@x.edu\nSam Lee,slee2,b@x.edu\n"
                        "Kim Ray,kray,c@x.edu\n");
  write_file_atomically(folder_ / "lab3.csv",
                        "ID,Vollständiger Name,E-Mail-Adresse,Bewertung,Bestwertung\n"
                        "Teilnehmer/in 1024,Sam Lee,a@x.edu,,100\n"
                        "Teilnehmer/in 1045,Sam Lee,b@x.edu,,100\n");
  write_file_atomically(folder_ / "policy.toml", "missing = \"zero\"\n");
  const auto first = grade({"--roster", (folder_ / "roster.csv").string(), "--policy",
                            (folder_ / "policy.toml").string()});
  ASSERT_EQ(first.exit_code, kExitOk) << first.out << first.err;
  EXPECT_SAYS(first, "sam-lee-1024, sam-lee-1045 share a name: --moodle-worksheet says who is who");
  EXPECT_SAYS(first, "Not in them:");
  EXPECT_NE(read_file(out() / "index.html").find("Sam Lee (slee2)"), std::string::npos);
  const auto sheet = [&] { return read_file(out() / "grades.csv"); };
  for (const char* row : {"slee1,Sam Lee,a@x.edu,slee1,,,,,100,missing?,",
                          "slee2,Sam Lee,b@x.edu,slee2,,,,,100,missing?,",
                          "kray,Kim Ray,c@x.edu,kray,,,,0,100,missing,"})
    EXPECT_NE(sheet().find(row), std::string::npos) << row << "\n" << sheet();
  const auto second = grade({"--moodle-worksheet", (folder_ / "lab3.csv").string()});
  ASSERT_EQ(second.exit_code, kExitOk) << second.out << second.err;
  EXPECT_SAYS(second, "sam-lee-1024 is slee1: results and decisions are slee1's now");
  EXPECT_EQ(book().students().size(), 3u) << sheet();
  EXPECT_EQ(verdicts().size(), 2u);
  EXPECT_EQ(verdicts().at("slee1 lab3"), "pass");
}

TEST_F(AsDownloaded, MoodlesNamesakesOfAnotherWeekMayBeTheSame) {
  write_file_atomically(folder_ / "policy.toml", "missing = \"zero\"\n");
  const std::string broken = "__global__ void corner_turn( {";
  for (const auto& [lab, numbers] :
       {std::pair("lab3", std::pair("1024", "1045")), {"lab4", {"2024", "2045"}}}) {
    fs::remove_all(submissions());
    for (const std::string number : {numbers.first, numbers.second})
      put(fmt::format("{}/Sam Lee_{}_assignsubmission_file/{}.cu", lab, number, lab), broken);
    put(fmt::format("{}/Kim Ray_{}9_assignsubmission_file/{}.cu", lab, numbers.first, lab), broken);
    const auto graded = grade({"--policy", (folder_ / "policy.toml").string()});
    ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  }
  std::size_t unsure = 0;
  for (const Entry& entry : book().entries()) unsure += !entry.perhaps.empty();
  EXPECT_EQ(unsure, 4u);
  const std::string text = read_file(out() / "grades.csv");
  EXPECT_EQ(text.find(",missing,"), std::string::npos) << text;
}

TEST_F(AsDownloaded, MoodlesWorksheetSaysWhoNamesakesAndGroupsAre) {
  put("Lab 3/Sam Lee_1024_assignsubmission_file/lab3.cu", solution("correct/tile.cu"));
  put("Lab 3/Sam Lee_1045_assignsubmission_file/lab3.cu", solution("wrong/tile_not_turned.cu"));
  put("Lab 3/Team 1_77_assignsubmission_file/lab3.cu", solution("correct/padded.cu"));
  const std::string people[][3] = {{"Sam Lee", "slee1", ""},
                                   {"Sam Lee", "slee2", ""},
                                   {"Gil Gray", "ggray", "Team 1"},
                                   {"Hal Hill", "hhill", "Team 1"}};
  std::string roster = "Name,Username,Email,Group\n",
              sheet = "Identifier,Full name,Email address,Grade\n";
  const char* const numbers[] = {"1024", "1045", "1030", "1003"};
  for (std::size_t i = 0; i < std::size(people); ++i) {
    const auto& [name, login, group] = people[i];
    roster += fmt::format("{0},{1},{1}@uni.edu,{2}\n", name, login, group);
    sheet += fmt::format("Participant {},{},{}@uni.edu,\n", numbers[i], name, login);
  }
  write_file_atomically(folder_ / "roster.csv", roster);
  write_file_atomically(folder_ / "lab3.csv", sheet);
  const auto graded = grade({"--roster", (folder_ / "roster.csv").string(), "--moodle-worksheet",
                             (folder_ / "lab3.csv").string()});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  const auto found = verdicts();
  EXPECT_EQ(found.size(), 4u) << graded.out;
  for (const char* right : {"slee1 lab3", "ggray lab3", "hhill lab3"})
    EXPECT_EQ(found.at(right), "pass") << right;
  EXPECT_NE(found.at("slee2 lab3"), "pass");
  const std::string upload = read_file(out() / "moodle-lab3.csv");
  for (const char* row : {"1024,Sam Lee,slee1@uni.edu,100", "1030,Gil Gray,ggray@uni.edu,100",
                          "1003,Hal Hill,hhill@uni.edu,100"})
    EXPECT_NE(upload.find(row), std::string::npos) << row << "\n" << upload;
  EXPECT_EQ(upload.find("slee2@uni.edu,100"), std::string::npos) << upload;
}

TEST_F(AsDownloaded, MoodlesNumbersAndTimesAreOfOneAssignment) {
  const std::string stub = kits("labs/lab1_vecadd_coalescing/kernel.cu");
  put("Lab 1/Ana_11_assignsubmission_file/lab1.cu", "__global__ void vector_add( {");
  put("Lab 1/Cy_13_assignsubmission_file/lab1.cu", stub);
  put("Lab 3/Ana_31_assignsubmission_file/lab3.cu", solution("correct/tile.cu"));
  put("Lab 3/Cy_33_assignsubmission_file/lab3.cu", solution("correct/padded.cu"));
  const std::string head = "Identifier,Full name,Grade,Last modified (submission)\n";
  write_file_atomically(
      folder_ / "lab1.csv",
      head + "Participant 11,Ana,,-\nParticipant 13,Cy,,-\nParticipant 33,Other,,-\n");
  write_file_atomically(folder_ / "lab3.csv",
                        head +
                            "Participant 31,Ana,,\"Monday, 2 November 2026, 11:59 PM\"\n"
                            "Participant 33,Cy,,\"Wednesday, 4 November 2026, 12:01 AM\"\n");
  write_file_atomically(folder_ / "policy.toml",
                        "missing = \"zero\"\n[late]\npercent_per_day = 10\n");
  write_file_atomically(out() / "assignments.toml",
                        "[[assignment]]\nlabs = [\"lab1\"]\ndue = 2026-11-02T23:59:00+01:00\n"
                        "[[assignment]]\nlabs = [\"lab3\"]\ndue = 2026-11-02T23:59:00+01:00\n");
  const auto graded = grade({"--policy", (folder_ / "policy.toml").string(), "--moodle-worksheet",
                             (folder_ / "lab1.csv").string(), "--moodle-worksheet",
                             (folder_ / "lab3.csv").string()});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  const std::string first = read_file(out() / "moodle-lab1.csv"),
                    third = read_file(out() / "moodle-lab3.csv");
  for (const char* row : {"11,Ana,0,-", "13,Cy,0,-", "33,Other,,-"})
    EXPECT_NE(first.find(row), std::string::npos) << row << "\n" << first;
  for (const char* row : {"31,Ana,100,", "33,Cy,80,"})
    EXPECT_NE(third.find(row), std::string::npos) << row << "\n" << third;
  EXPECT_SAYS(graded, "lab1: its due date does not count for 1 submission without a time");
  EXPECT_FALSE(says(graded, "lab3: its due date")) << graded.out;
}

TEST_F(AsDownloaded, WhoIsExcusedInCanvasIsExcusedHere) {
  put("Lab 3/anabest_101_501_lab3.cu", solution("correct/tile.cu"));
  put("Lab 3/latecy_103_503_lab3.cu", solution("wrong/tile_not_turned.cu"));
  write_file_atomically(folder_ / "gradebook.csv",
                        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 3 (9)\n"
                        "Points Possible,,,,,100\n"
                        "\"Best, Ana\",101,S1,ana,A,\n\"Ill, Bo\",102,S2,bo,A,EX\n"
                        "\"Late, Cy\",103,S3,cy,A,\n");
  write_file_atomically(folder_ / "policy.toml", "missing = \"zero\"\n");
  const std::string gradebook = (folder_ / "gradebook.csv").string();
  const auto graded = grade({"--roster", gradebook, "--canvas-gradebook", gradebook, "--policy",
                             (folder_ / "policy.toml").string()});
  ASSERT_EQ(graded.exit_code, kExitOk) << graded.out << graded.err;
  std::map<std::string, Entry> found;
  for (Entry& entry : book().entries()) found[entry.student] = std::move(entry);
  ASSERT_EQ(found.at("bo").decisions.size(), 1u) << graded.out;
  EXPECT_EQ(found.at("bo").decisions.front().kind, Decision::Kind::excused);
  EXPECT_TRUE(found.at("cy").decisions.empty());
  const std::string canvas = read_file(out() / "canvas.csv");
  for (const char* row : {"101,S1,ana,A,100", "102,S2,bo,A,EX", "103,S3,cy,A,0"})
    EXPECT_NE(canvas.find(row), std::string::npos) << row << "\n" << canvas;
  write_file_atomically(folder_ / "gradebook.csv",
                        replace_all(read_file(gradebook), "S1,ana,A,", "S1,ana,A,EX"));
  EXPECT_SAYS(run({"class", "report", out().string(), "--canvas-gradebook", gradebook}),
              "1 grade and 1 total change:\n  ana lab3: 100 -> blank, excused\n");
  const auto taken_back = run({"class", "set", out().string(), "bo", "lab3", "--withdraw",
                               "--reason", "was there after all"});
  EXPECT_EQ(taken_back.exit_code, kExitOk) << taken_back.err;
  for (Entry& entry : book().entries())
    if (entry.student == "bo") {
      EXPECT_EQ(entry.decisions.size(), 2u) << "nobody excuses again";
    }
}

}  // namespace
}  // namespace labkit::course
