// What may happen to a process that publishes, and what the folder must still be.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/made_folder.h"
#include "base/random.h"
#include "class/publish/publish.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// Path -> text, without what publish keeps for itself.
std::map<std::string, std::string> texts_in(const fs::path& folder) {
  std::map<std::string, std::string> texts;
  for (const auto& at : fs::recursive_directory_iterator(folder))
    if (at.is_regular_file() && !at.path().filename().string().starts_with(".labkit-files"))
      texts[at.path().lexically_relative(folder).string()] = read_file(at.path());
  return texts;
}

/// Runs `work` in a process of its own; its exit code, or -1 if it was killed.
int in_child(const std::function<int()>& work, unsigned kill_after_us = 0) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (const std::exception& error) {
      ::fprintf(stderr, "child: %s\n", error.what());
    }
    ::_exit(code);
  }
  if (kill_after_us > 0) {
    ::usleep(kill_after_us);
    ::kill(child, SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The gradebook of a class, graded.
void make_class(const fs::path& file, std::size_t students) {
  Gradebook book(file);
  book.put_class(made_class(students, {"lab1", "lab2"}));
  book.plan(made_conditions());
  grade_all(book);
}

TEST(PublishDurability, KilledAtAnyMomentNothingIsTakenForSomebodyElses) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "g.sqlite", out = folder.path() / "out";
  make_class(file, 9);
  int killed = 0;
  for (std::uint64_t round = 0; round < 24; ++round) {
    // Each time another policy, so that every sheet is another.
    const fs::path policy = folder.write(
        "policy.toml", "missing = \"zero\"\ndrop_lowest = " + std::to_string(round % 6) + "\n");
    const auto delay = static_cast<unsigned>(500 + random_bits(7, round) % 40'000);
    killed += in_child(
                  [&]() -> int {
                    Gradebook book(file, Gradebook::Mode::existing);
                    book.decide({0, "s" + std::to_string(round % 9), "lab1", Decision::Kind::points,
                                 1.0 / static_cast<double>(round + 3), "r", "ta", 1});
                    for (;;) {
                      PublishOptions options;
                      options.policy = policy;
                      publish(book, kit_labs(), options, out);
                      fs::remove_all(out / "receipts");
                    }
                  },
                  delay) == -1;
  }
  EXPECT_EQ(killed, 24);
  Gradebook book(file, Gradebook::Mode::existing);
  EXPECT_TRUE(publish(book, kit_labs(), {}, out).notes.empty());
  const fs::path fresh = folder.path() / "fresh";
  publish(book, kit_labs(), {}, fresh);
  EXPECT_EQ(texts_in(out), texts_in(fresh));
}

TEST(PublishDurability, AListCutShortStillKnowsTheRest) {
  const TemporaryFolder folder;
  {
    MadeFolder publishing(folder.path());
    publishing.put("a.txt", "one");
    publishing.put("b.txt", "one");
    publishing.finish();
  }
  const fs::path list = folder.path() / MadeFolder::kList;
  write_file_atomically(list, read_file(list) + "8c1f");
  {
    MadeFolder publishing(folder.path());  // and is killed before its end
    publishing.put("a.txt", "two");
  }
  MadeFolder publishing(folder.path());
  publishing.put("a.txt", "three");
  publishing.put("b.txt", "two");
  publishing.finish();
  EXPECT_TRUE(publishing.notes.empty());
  EXPECT_EQ(publishing.written, (std::vector<std::string>{"a.txt", "b.txt"}));
}

TEST(PublishDurability, OneAtATime) {
  const TemporaryFolder folder;
  make_class(folder.path() / "g.sqlite", 5);
  const auto work = [&] {
    Gradebook book(folder.path() / "g.sqlite", Gradebook::Mode::existing);
    for (int i = 0; i < 10; ++i)
      if (!publish(book, kit_labs(), {}, folder.path() / "out").notes.empty()) return 1;
    return 0;
  };
  const pid_t other = ::fork();
  if (other == 0) ::_exit(work());
  EXPECT_EQ(work(), 0);
  int status = 0;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
}

/// What publishing into `out` complains of, with the fix.
std::string complaint(Gradebook& book, const fs::path& out) {
  try {
    publish(book, kit_labs(), {}, out);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "none";
}

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  ::fprintf(stderr, "no \"%s\" in: %s\n", part.c_str(), text.c_str());
  return false;
}

TEST(PublishDurability, AFullDiskAndAReadOnlyOneAreNamedAndLeaveWholeFiles) {
  constexpr int kNoMount = 42;
  const TemporaryFolder folder, disk;
  make_class(folder.path() / "g.sqlite", 40);
  const int code = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return kNoMount;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", disk.path().c_str(), "tmpfs", 0, "size=8m") != 0)
      return kNoMount;
    const fs::path out = disk.path() / "out";
    Gradebook book(folder.path() / "g.sqlite", Gradebook::Mode::existing);
    disk.write("ballast", std::string(7900 << 10, 'x'));
    const std::string full = complaint(book, out);
    if (!has(full, "cannot write " + out.string()) || !has(full, "No space left on device") ||
        !has(full, "Free some disk space"))
      return 1;
    const auto part = texts_in(out);
    fs::remove(disk.path() / "ballast");
    fs::remove_all(out / "receipts");
    if (!has(complaint(book, out), "none")) return 2;
    const auto whole = texts_in(out);
    for (const auto& [path, text] : part)
      if (whole.contains(path) && whole.at(path) != text) return 3;
    for (const auto& [path, text] : whole)
      if (path.ends_with(".edited") || path.ends_with(".tmp")) return 4;

    if (::mount(nullptr, disk.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0)
      return kNoMount;
    const std::string sealed = complaint(book, out);
    return has(sealed, out.string()) && has(sealed, "Read-only file system") &&
                   has(sealed, "make " + out.string() + " writable")
               ? 0
               : 5;
  });
  if (code == kNoMount) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace labkit::course
