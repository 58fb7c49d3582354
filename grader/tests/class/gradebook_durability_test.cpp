// What may happen to a process that grades, and what the gradebook must still hold.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "class/gradebook/gradebook.h"
#include "class/policy/policy.h"
#include "class_files.h"
#include "made_class.h"

namespace labkit::course {
namespace {

namespace fs = std::filesystem;

/// A process of its own that reports numbers through a pipe.
class Child {
 public:
  using Report = std::function<void(std::int64_t)>;
  explicit Child(const std::function<int(const Report&)>& work) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      int code = 99;
      try {
        code = work([&](std::int64_t number) {
          if (::write(ends[1], &number, sizeof number) != sizeof number) ::_exit(98);
        });
      } catch (const std::exception& error) {
        ::fprintf(stderr, "child: %s\n", error.what());
      }
      ::_exit(code);
    }
    ::close(ends[1]);
    reports_ = ends[0];
  }
  ~Child() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(reports_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The next number; nullopt once the child is gone and all are read.
  std::optional<std::int64_t> next() const {
    std::int64_t number = 0;
    ssize_t got = 0;
    while ((got = ::read(reports_, &number, sizeof number)) < 0 && errno == EINTR) {
    }
    return got == sizeof number ? std::optional(number) : std::nullopt;
  }
  std::vector<std::int64_t> rest() const {
    std::vector<std::int64_t> all;
    while (const auto number = next()) all.push_back(*number);
    return all;
  }
  void kill() const { ::kill(pid_, SIGKILL); }
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_ = -1;
  int reports_ = -1;
};

std::string integrity(const fs::path& file) {
  sqlite3* db = nullptr;
  std::string said = "cannot open";
  if (sqlite3_open(file.c_str(), &db) == SQLITE_OK)
    sqlite3_exec(
        db, "PRAGMA integrity_check",
        [](void* to, int, char** values, char**) {
          *static_cast<std::string*>(to) = values[0];
          return 0;
        },
        &said, nullptr);
  sqlite3_close(db);
  return said;
}

/// Everything that a grade consists of.
std::vector<std::string> grades(const fs::path& file) {
  const Gradebook book(file, Gradebook::Mode::existing);
  std::vector<std::string> all;
  for (const Entry& entry : book.entries()) {
    const auto outcome = entry.job ? book.outcome(entry.job->id) : std::nullopt;
    all.push_back(entry.student + entry.lab + entry.verdict + std::to_string(entry.points) +
                  (outcome ? outcome->json + outcome->receipt : "not graded"));
  }
  return all;
}

int grade_and_report(const fs::path& file, const Intake& intake, const Child::Report& report) {
  const GradingLock lock(file);
  Gradebook book(file);
  book.put_class(intake);
  book.plan(made_conditions());
  for (const Job& job : book.to_do()) {
    book.finish(job.id, made_outcome(job));
    report(job.id);
  }
  return 0;
}

TEST(Durability, KillAtAnyMomentLosesNothingGraded) {
  const TemporaryFolder folder;
  const Intake intake = made_class(20, {"lab1", "lab2", "lab3"});
  const fs::path undisturbed = folder.path() / "undisturbed.sqlite",
                 file = folder.path() / "killed.sqlite";
  Child calm(
      [&](const Child::Report& report) { return grade_and_report(undisturbed, intake, report); });
  EXPECT_EQ(calm.rest().size(), 60u);
  ASSERT_EQ(calm.wait(), 0);

  std::set<std::int64_t> reported;
  int kills = 0;
  bool complete = false;
  for (std::uint64_t round = 0; !complete && round < 200; ++round) {
    Child child(
        [&](const Child::Report& report) { return grade_and_report(file, intake, report); });
    // After a few jobs (or none: while it opens and plans), and a moment that differs each time.
    const std::uint64_t jobs = random_bits(1, round) % 5;
    for (std::uint64_t i = 0; i < jobs; ++i)
      if (const auto job = child.next()) reported.insert(*job);
    ::usleep(static_cast<useconds_t>(random_bits(2, round) % 3000));
    child.kill();
    for (const std::int64_t job : child.rest()) reported.insert(job);
    complete = child.wait() == 0;
    kills += !complete;
    if (!fs::exists(file)) continue;
    ASSERT_EQ(integrity(file), "ok");
    const Gradebook book(file);
    for (const std::int64_t job : reported)
      ASSERT_TRUE(book.outcome(job))
          << "job " << job << " had ended and is lost after kill " << kills;
  }
  Child last([&](const Child::Report& report) { return grade_and_report(file, intake, report); });
  for (const std::int64_t job : last.rest())
    EXPECT_FALSE(reported.contains(job)) << "job " << job << " was graded twice";
  EXPECT_EQ(last.wait(), 0);
  EXPECT_GE(kills, 10);
  EXPECT_EQ(grades(file), grades(undisturbed));
}

/// Grades until the disk is full, makes room by `free_space` and goes on. 0: all as it must be.
int grade_on_a_full_disk(const fs::path& file, const std::function<void()>& free_space) {
  Gradebook book(file);
  book.put_class(made_class(60, {"lab1", "lab2", "lab3", "lab4"}));
  book.plan(made_conditions());
  std::set<std::int64_t> done;
  bool was_full = false;
  while (true) {
    try {
      for (const Job& job : book.to_do()) {
        book.finish(job.id, made_outcome(job));
        done.insert(job.id);
      }
      break;
    } catch (const Error& error) {
      if (was_full) return 3;
      was_full = true;
      // The same for a full disk and a limit on files' sizes, but for the first words.
      if (error.remedy().find("ree some disk space") == std::string::npos) return 4;
      for (const std::int64_t id : done)
        if (!book.outcome(id)) return 5;
      free_space();
      book.plan(made_conditions());  // as the same command does
    }
  }
  if (!was_full) return 6;
  return count(book.entries()).graded == 240 && count(book.entries()).to_grade == 240 ? 0 : 7;
}

TEST(Durability, AFullDiskLosesNothingGraded) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "gradebook.sqlite";
  Child child([&](const Child::Report&) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = 600 << 10;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return grade_on_a_full_disk(file, [&] {
      limit.rlim_cur = before;
      ::setrlimit(RLIMIT_FSIZE, &limit);
    });
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(integrity(file), "ok");
}

TEST(Durability, AFullFileSystemLosesNothingGraded) {
  constexpr int kNoMount = 42;
  const TemporaryFolder folder;
  Child child([&](const Child::Report&) {
    if (::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return kNoMount;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", folder.path().c_str(), "tmpfs", 0, "size=8m") != 0)
      return kNoMount;
    folder.write("ballast", std::string(7200 << 10, 'x'));
    return grade_on_a_full_disk(folder.path() / "gradebook.sqlite",
                                [&] { fs::remove(folder.path() / "ballast"); });
  });
  const int code = child.wait();
  if (code == kNoMount) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(code, 0);
}

TEST(Durability, OneProcessGradesAtATime) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "gradebook.sqlite";
  std::string message;
  {
    const GradingLock held(file);
    Child child([&](const Child::Report&) {
      try {
        const GradingLock second(file);
      } catch (const UsageError& error) {
        return std::string(error.what()).find("another run is at work there") != std::string::npos
                   ? 7
                   : 8;
      }
      return 0;
    });
    EXPECT_EQ(child.wait(), 7);
  }
  Child killed([&](const Child::Report& report) {
    const GradingLock lock(file);
    report(1);
    ::pause();
    return 0;
  });
  ASSERT_TRUE(killed.next());
  EXPECT_THROW(GradingLock{file}, Error);
  killed.kill();
  killed.wait();
  EXPECT_NO_THROW(GradingLock{file});
}

}  // namespace
}  // namespace labkit::course
