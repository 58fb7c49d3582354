// What students' files are called.
#include <gtest/gtest.h>

#include "class/publish/publish.h"
#include "publish_fixture.h"

namespace labkit::course {
namespace {

TEST_F(PublishTest, StudentsOfAnyNameHaveFilesOfTheirOwn) {
  Intake intake = made_class(6, {"lab1"});
  const std::vector<std::string> ids = {"李-伟", "عمر", "ольга-2", "ana", "ana-b", "q"};
  for (std::size_t i = 0; i < ids.size(); ++i)
    intake.students[i].id = intake.submissions[i].student = ids[i];
  import_inputs(intake);
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

}  // namespace
}  // namespace labkit::course
