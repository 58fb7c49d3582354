// What students' files are called.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "class/publish/folder.h"
#include "class/publish/publish.h"
#include "publish_fixture.h"

namespace labkit::course {
namespace {

TEST_F(PublishTest, StudentsOfAnyNameHaveFilesOfTheirOwn) {
  Intake intake = made_class(6, {"lab1"});
  const std::vector<std::string> ids = {"李-伟", "..", "../../etc/passwd", "Ana", "ana", "con"};
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
  }
  for (const char* plain : {"bo", "com10", "عمر", "ольга-2"}) EXPECT_EQ(names.at(plain), plain);
  for (const char* odd : {"nul", "com1", "com1.x", "ana", "strasse"}) EXPECT_NE(names.at(odd), odd);
  EXPECT_NE(names.at(e1), names.at(e2));
  EXPECT_EQ(file_names({"ana"}).at("ana"), "ana");
}

}  // namespace
}  // namespace labkit::course
