// Attacks by what is submitted, not by what it says: links, and archives that break their reader.
#include <fcntl.h>
#include <seccomp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "attack.h"
#include "base/error.h"
#include "base/files.h"
#include "class/intake/intake.h"
#include "grade/manifest.h"

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
      course::import_sandboxed({folder_ / "class"}, grade::find_labs(LABKIT_SOURCE_DIR));
  std::size_t refused = 0;
  for (const course::Submission& submission : intake.submissions)
    EXPECT_TRUE(submission.student == "alice" || submission.source.empty()) << submission.student;
  for (const course::Remark& remark : intake.remarks)
    refused += remark.text.find("link") != std::string::npos;
  EXPECT_EQ(refused, 3u);
}

/// `labkit class grade` where the kernel has no Landlock: its exit code, and all it said.
class WithoutLandlock : public Attack {
 protected:
  int grade_class(const char* jail) {
    fs::create_directories(folder_ / "class/alice");
    fs::copy_file(folder_ / "alice/lab1.cu", folder_ / "class/alice/lab1.cu",
                  fs::copy_options::overwrite_existing);
    const std::string program =
        (fs::path(process::own_executable()).parent_path() / "labkit").string();
    const std::string input = (folder_ / "class").string(), out = (folder_ / "out").string(),
                      said = (folder_ / "said").string(), cache = (folder_ / "cache").string();
    const pid_t child = ::fork();
    if (child == 0) {
      const int file = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(file, 1);
      ::dup2(file, 2);
      ::setenv("LABKIT_CACHE", cache.c_str(), 1);
      ::setenv("LABKIT_JAIL", jail, 1);
      scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
      ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), 444, 0);  // landlock_create_ruleset
      if (::seccomp_load(filter) == 0)
        ::execl(program.c_str(), program.c_str(), "class", "grade", input.c_str(), "--out",
                out.c_str(), "--device", "sim", nullptr);
      ::_exit(99);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    said_ = read_file(said);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
  }
  std::string said_;
};

TEST_F(WithoutLandlock, AClassIsGradedAndItIsToldOnce) {
  EXPECT_EQ(grade_class("lenient"), kExitOk) << said_;
  const auto at = said_.find("incomplete here: seccomp and limits, no Landlock (Landlock: ");
  ASSERT_NE(at, std::string::npos) << said_;
  EXPECT_EQ(said_.find("incomplete here", at + 1), std::string::npos) << said_;
  const std::string receipt = read_file(folder_ / "out/receipts/alice/lab1.json");
  EXPECT_NE(receipt.find("\"jail\": \"seccomp and limits, no Landlock\""), std::string::npos)
      << receipt;
}

TEST_F(WithoutLandlock, AStrictJailRefuses) {
  EXPECT_EQ(grade_class("strict"), kExitOurError) << said_;
  EXPECT_NE(said_.find("and a strict one is asked for"), std::string::npos) << said_;
  EXPECT_FALSE(fs::exists(folder_ / "out/receipts/alice/lab1.json"));
}

}  // namespace
}  // namespace labkit::attacks
