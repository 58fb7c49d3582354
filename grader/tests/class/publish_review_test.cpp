// What wants a teacher's eye.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include "class/policy/policy.h"
#include "class/publish/publish.h"
#include "publish_fixture.h"
#include "report/json.h"

namespace labkit::course {
namespace {

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
  for (const Job& job : book_.to_do()) {
    if (job.student == "s2")
      book_.fail(job.id, "NVRTC died");
    else {
      grade::LabResult result;
      result.lab = "lab1";
      result.verdict = grade::verdict_from_text(job.student == "s3" ? "inconclusive" : "pass");
      result.points = 60;
      result.max_points = 100;
      result.undecided = job.student == "s3" ? 40 : 0;
      book_.finish(job.id, {report::lab_json(result), ""});
    }
  }
  const Published published = publish_now();
  EXPECT_EQ(published.to_review, 8u);
  // The most urgent come first, each kind with what to do about it.
  const std::string listed = text_of("index.html");
  std::size_t at = 0;
  for (const char* why :
       {"NVRTC died", "inconclusive", "s1/lab1.cu: it is empty", "its owner is not known",
        "is named", "a bomb", "not on the roster", "counted as 1 day late until you"}) {
    const std::size_t next = listed.find(why, at);
    ASSERT_NE(next, std::string::npos) << why;
    at = next;
  }
  for (const char* advice : {"`labkit class grade` tries again.", "`labkit class grade` measures",
                             "Ask for it again, or decide: labkit class set DIR STUDENT LAB"})
    EXPECT_NE(listed.find(advice), std::string::npos) << advice;
  // The class's page lists the same, and no more.
  const std::string index = text_of("index.html");
  EXPECT_NE(index.find(">To review (8)</h2>"), std::string::npos);
  // Decided upon, it is off the list.
  const std::int64_t now = std::time(nullptr);
  for (const char* student : {"s1", "s2", "s3"})
    book_.decide({0, student, "lab1", Decision::Kind::points, 50, "seen", "ta", now});
  book_.decide({0, "s0", "lab1", Decision::Kind::late_days, 0, "ill", "ta", now});
  book_.decide({0, "s4", "lab1", Decision::Kind::excused, 0, "ill", "ta", now});
  EXPECT_EQ(publish_now().to_review, 4u);
  const std::string decided = text_of("index.html");
  EXPECT_EQ(decided.find("`labkit class grade` tries again."), std::string::npos);
  for (const char* what : {"0 days late", "50 points", "excused"})
    EXPECT_NE(decided.find(what), std::string::npos) << what;
}

/// Last week's decision was not about what came since.
TEST_F(PublishTest, NewWorkUnderAnOldDecisionIsACase) {
  using Kind = Decision::Kind;
  Intake intake = made_class(4, {"lab1"});
  import_inputs(intake);
  const std::int64_t came = book_.entries()[0].came_at;
  const auto decide = [&](const std::string& student, Kind kind, std::int64_t at) {
    book_.decide({0, student, "lab1", kind, 0, "ill", "ta", at});
  };
  decide("s0", Kind::late_days, came - 60);
  decide("s1", Kind::excused, came - 60);
  decide("s2", Kind::points, came - 60);
  decide("s3", Kind::points, came);
  EXPECT_EQ(publish_now().to_review, 3u);
  EXPECT_NE(text_of("index.html").find("was decided before this was submitted"), std::string::npos);
  for (const char* student : {"s0", "s1", "s2"}) decide(student, Kind::points, came + 60);
  EXPECT_EQ(publish_now().to_review, 0u);
}

}  // namespace
}  // namespace labkit::course
