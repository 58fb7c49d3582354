// Comments, regrade requests and weights, as they are typed.
#include "class_decisions.h"

namespace labkit::course {
namespace {

TEST_F(ClassDecisions, ACommentIsForTheStudentAndChangesNoGrade) {
  run("report");
  const auto set = run("set", {"bo", "lab3", "--comment", "Nice idea, =but slow"});
  EXPECT_EQ(set.exit_code, kExitOk) << set.err;
  EXPECT_NE(set.out.find("bo (Li, Bo), lab3: comment, grade unchanged\n"), std::string::npos)
      << set.out;
  EXPECT_EQ(cell("bo", "lab3"), "60");
  EXPECT_EQ(cell("bo", "lab3 comment"), "Nice idea, =but slow");
  EXPECT_EQ(cell("ana", "lab3 comment"), "");
  const auto page = [&] { return read_file(out() / "students/bo.html"); };
  EXPECT_NE(page().find("Comment</b> Nice idea, =but slow"), std::string::npos);
  EXPECT_EQ(read_file(out() / "students/ana.html").find("Nice idea"), std::string::npos);
  // Decisions come and go beside it; a later one replaces it, an empty one takes it back.
  run("set", {"bo", "lab3", "--points", "70", "--reason", "seen"});
  run("set", {"bo", "lab3", "--withdraw", "--reason", "not so"});
  EXPECT_EQ(cell("bo", "lab3 comment"), "Nice idea, =but slow");
  run("set", {"bo", "lab3", "--comment", "=better"});
  EXPECT_EQ(cell("bo", "lab3 comment"), "'=better") << "no formula";
  run("set", {"bo", "lab3", "--comment", ""});
  EXPECT_EQ(cell("bo", "lab3 comment"), "");
  EXPECT_EQ(page().find("Comment</b>"), std::string::npos);
}

TEST_F(ClassDecisions, ARegradeRequestIsOpenUntilItIsDecidedOrAnswered) {
  run("report");
  const auto asked = run("set", {"ana", "lab3", "--regrade", "The gate was too strict <b>"});
  EXPECT_EQ(asked.exit_code, kExitOk) << asked.err;
  EXPECT_EQ(cell("ana", "lab3"), "100");
  EXPECT_EQ(cell("ana", "review"), "yes");
  const auto index = [&] { return read_file(out() / "index.html"); };
  const auto page = [&] { return read_file(out() / "students/ana.html"); };
  EXPECT_NE(page().find("Regrade requested</b> The gate was too strict &lt;b&gt;"),
            std::string::npos);
  // It comes before Bo, of whom it is not known how late he was.
  const std::size_t request = index().find("regrade request"), late = index().find("late, by how");
  EXPECT_LT(request, late);
  EXPECT_NE(late, std::string::npos);
  EXPECT_NE(index().find(">To review (2)</h2>"), std::string::npos);
  run("set", {"ana", "lab3", "--comment", "I am looking"});
  EXPECT_EQ(cell("ana", "review"), "yes") << "a comment settles nothing";
  run("set", {"ana", "lab3", "--regrade-done", "--reason", "It is the same for all"});
  EXPECT_EQ(cell("ana", "review"), "");
  EXPECT_EQ(cell("ana", "lab3"), "100");
  EXPECT_NE(page().find("Regrade request answered</b> It is the same for all"), std::string::npos);
  EXPECT_EQ(page().find("Regrade requested"), std::string::npos);
  run("set", {"ana", "lab3", "--regrade", "Once more"});
  EXPECT_EQ(cell("ana", "review"), "yes");
  EXPECT_EQ(page().find("Regrade request answered"), std::string::npos);
  run("set", {"ana", "lab3", "--points", "99", "--reason", "You were right"});
  EXPECT_EQ(cell("ana", "review"), "");
  EXPECT_EQ(cell("ana", "lab3"), "99");
  EXPECT_NE(index().find("Once more"), std::string::npos) << "what was asked stays in the list";
}

TEST_F(ClassDecisions, WeightsReachTheSheetAndThePage) {
  const fs::path policy = folder_ / "policy.toml";
  write_file_atomically(policy, "[weights]\nlab3 = 2\n");
  EXPECT_EQ(run("report", {"--policy", policy.string()}).exit_code, kExitOk);
  EXPECT_EQ(cell("bo", "total"), "120");
  EXPECT_EQ(cell("bo", "total of"), "200");
  EXPECT_EQ(cell("bo", "lab3"), "60");
  const std::string how = "lab3: 60 of 100, times 2: 120 of 200";
  EXPECT_NE(read_file(out() / "students/bo.html").find(how), std::string::npos);
  write_file_atomically(policy, "[weights]\nlab99 = 2\n");
  const auto wrong = run("report", {"--policy", policy.string()});
  EXPECT_EQ(wrong.exit_code, kExitUsage);
  EXPECT_NE(wrong.err.find("[weights] names lab99"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace labkit::course
