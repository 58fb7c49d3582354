// Attacks by what is handed in, not by what it says: links, and archives that break their reader.
#include <filesystem>

#include "attack.h"
#include "base/error.h"
#include "course/intake.h"
#include "course/intake_jail.h"
#include "lab/manifest.h"

namespace labkit::attacks {
namespace {

namespace fs = std::filesystem;

class ClassAttack : public Attack {};

TEST_F(ClassAttack, ASubmissionThatIsALinkIsNotRead) {
  fs::create_directories(folder_ / "class/mallory");
  fs::create_directories(folder_ / "class/eve");
  fs::create_directories(folder_ / "class/oscar");
  fs::create_directories(folder_ / "class/alice");
  fs::copy_file(folder_ / "alice/lab1.cu", folder_ / "class/alice/lab1.cu");
  fs::create_symlink("../alice/lab1.cu", folder_ / "class/mallory/lab1.cu");
  fs::create_symlink("/etc/passwd", folder_ / "class/eve/lab1.cu");
  fs::create_directory_symlink("../alice", folder_ / "class/oscar/lab1");
  const course::Intake intake =
      course::take_in_jailed(folder_ / "class", lab::find_labs(LABKIT_SOURCE_DIR));
  std::size_t refused = 0;
  for (const course::Submission& submission : intake.submissions)
    EXPECT_TRUE(submission.student == "alice" || submission.source.empty()) << submission.student;
  for (const course::Remark& remark : intake.remarks)
    refused += remark.text.find("link") != std::string::npos;
  EXPECT_EQ(refused, 3u);
}

}  // namespace
}  // namespace labkit::attacks
