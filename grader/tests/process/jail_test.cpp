// The jail from inside: each test forks, and the child goes in.
#include "process/jail.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

namespace labkit::process {
namespace {

struct Ended {
  int code = -1, signal = 0;
  std::string err;
};

/// Runs `inside` in a child; its value, below 126, is the child's exit code.
Ended in_child(const std::function<int()>& inside) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 2);
    ::close(ends[0]);
    int code = 126;
    try {
      code = inside();
    } catch (const std::exception& problem) {
      [[maybe_unused]] const auto put =
          ::write(2, problem.what(), std::char_traits<char>::length(problem.what()));
    }
    ::_exit(code);
  }
  ::close(ends[1]);
  Ended ended;
  char buffer[4096];
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    ended.err.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  return ended;
}

Ended in_jail(const std::function<int()>& inside, const Jail& jail = {}) {
  return in_child([&] {
    enter_jail(jail);
    return inside();
  });
}

/// From here on a call of this process fails with that code: what an older kernel or a container does.
void take_away(int call, int code) {
  scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
  ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(static_cast<unsigned>(code)), call, 0);
  if (::seccomp_load(filter) != 0) ::_exit(125);
  ::seccomp_release(filter);
}
void take_seccomp_away() {
  scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
  ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0);
  const scmp_arg_cmp set_seccomp = {0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0};
  ::seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, &set_seccomp);
  if (::seccomp_load(filter) != 0) ::_exit(125);
  ::seccomp_release(filter);
  ::seccomp_api_set(1);  // what libseccomp finds there; it has asked already
}

/// Whether this kernel has all that the jail is made of, asked of it, not of the jail.
int kernel_abi() {
#ifndef SYS_landlock_create_ruleset
  constexpr long SYS_landlock_create_ruleset = 444;
#endif
  return static_cast<int>(::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, 1u));
}
#define NEEDS_LANDLOCK() \
  if (kernel_abi() < 1) GTEST_SKIP() << "needs Landlock, which this kernel or container lacks"

int code_of(long result) { return result < 0 ? errno : 0; }

TEST(Jail, HoldsAllThatTheKernelHas) {
  NEEDS_LANDLOCK();
  const int abi = std::min(kernel_abi(), kNewestLandlock);
  const Ended ended = in_child([&] {
    const JailState state = enter_jail({});
    if (!state.whole() || !state.problem.empty()) return 1;
    return state.landlock_abi == abi ? 0 : 2;
  });
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Jail, LetsComputeAndAnswer) {
  const Ended ended = in_jail([] {
    std::vector<double> numbers(1 << 20, 1.0);
    for (std::size_t i = 1; i < numbers.size(); ++i) numbers[i] += numbers[i - 1];
    return ::write(2, "done", 4) == 4 && numbers.back() == 1 << 20 ? 7 : 1;
  });
  EXPECT_EQ(ended.code, 7) << ended.err;
  EXPECT_EQ(ended.err, "done");
}

TEST(Jail, NoFileExists) {
  const Ended ended = in_jail([] {
    struct stat about {};
    char text[64];
    if (code_of(::open("/etc/passwd", O_RDONLY)) != ENOENT) return 1;
    if (code_of(::open("/tmp/made", O_WRONLY | O_CREAT, 0600)) != ENOENT) return 2;
    if (code_of(::stat("/etc/passwd", &about)) != ENOENT) return 3;
    if (code_of(::lstat("/", &about)) != ENOENT) return 4;
    if (code_of(::access("/", F_OK)) != ENOENT) return 5;
    if (code_of(::readlink("/proc/self/exe", text, sizeof text)) != ENOENT) return 6;
    if (::opendir("/") != nullptr || errno != ENOENT) return 7;
    if (code_of(::open("/proc/self/fd/0", O_RDONLY)) != ENOENT) return 8;
    return 0;
  });
  EXPECT_EQ(ended.code, 0) << ended.err;
}

struct Denied {
  const char* name;
  std::function<long()> call;
};
std::ostream& operator<<(std::ostream& out, const Denied& denied) { return out << denied.name; }

class JailDenies : public testing::TestWithParam<Denied> {};

TEST_P(JailDenies, AndNamesTheCall) {
  const Ended ended = in_jail([] {
    GetParam().call();
    return 0;
  });
  EXPECT_EQ(ended.signal, SIGSYS) << ended.code << ended.err;
  EXPECT_EQ(denied_call(ended.err), GetParam().name);
}

long raw(long number, long a = 0, long b = 0, long c = 0, long d = 0) {
  return ::syscall(number, a, b, c, d);
}
constexpr char kShell[] = "/bin/sh";

INSTANTIATE_TEST_SUITE_P(
    Calls, JailDenies,
    testing::Values(Denied{"execve", [] { return long{::execl(kShell, kShell, nullptr)}; }},
                    Denied{"clone", [] { return raw(SYS_clone, SIGCHLD); }},
                    Denied{"clone3", [] { return raw(SYS_clone3); }},
                    Denied{"socket", [] { return long{::socket(AF_INET, SOCK_STREAM, 0)}; }},
                    Denied{"socketpair", [] { return raw(SYS_socketpair, AF_UNIX, SOCK_STREAM); }},
                    Denied{"connect", [] { return raw(SYS_connect, 1); }},
                    Denied{"kill", [] { return raw(SYS_kill, 1, 0); }},
                    Denied{"tgkill", [] { return raw(SYS_tgkill, 1, 1, 0); }},
                    Denied{"ptrace", [] { return raw(SYS_ptrace, 16, 1); }},
                    Denied{"process_vm_readv", [] { return raw(SYS_process_vm_readv, 1); }},
                    Denied{"unlinkat", [] { return raw(SYS_unlinkat, AT_FDCWD); }},
                    Denied{"mkdirat", [] { return raw(SYS_mkdirat, AT_FDCWD); }},
                    Denied{"renameat2", [] { return raw(SYS_renameat2); }},
                    Denied{"linkat", [] { return raw(SYS_linkat); }},
                    Denied{"ftruncate", [] { return raw(SYS_ftruncate, 0); }},
                    Denied{"fchmodat", [] { return raw(SYS_fchmodat); }},
                    Denied{"mount", [] { return raw(SYS_mount); }},
                    Denied{"unshare", [] { return raw(SYS_unshare, 0x10000000); }},
                    Denied{"setns", [] { return raw(SYS_setns); }},
                    Denied{"setuid", [] { return raw(SYS_setuid); }},
                    Denied{"prctl", [] { return raw(SYS_prctl, PR_SET_SECCOMP); }},
                    Denied{"seccomp", [] { return raw(SYS_seccomp); }},
                    Denied{"bpf", [] { return raw(SYS_bpf); }},
                    Denied{"io_uring_setup", [] { return raw(SYS_io_uring_setup); }},
                    Denied{"perf_event_open", [] { return raw(SYS_perf_event_open); }},
                    Denied{"userfaultfd", [] { return raw(SYS_userfaultfd); }},
                    Denied{"memfd_create", [] { return raw(SYS_memfd_create); }},
                    Denied{"keyctl", [] { return raw(SYS_keyctl); }},
                    Denied{"personality", [] { return raw(SYS_personality, 0x40000); }},
                    Denied{"prlimit64", [] { return raw(SYS_prlimit64, 1); }},
                    Denied{"mmap",
                           [] {
                             return reinterpret_cast<long>(
                                 ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
                           }},
                    Denied{"mprotect",
                           [] {
                             void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                             return long{::mprotect(page, 4096, PROT_READ | PROT_EXEC)};
                           }}),
    [](const auto& test) { return test.param.name; });

TEST(Jail, LimitsCannotBeRaisedNotEvenByRoot) {
  const Ended ended = in_jail([] {
    const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    ::setrlimit(RLIMIT_NOFILE, &all);
    return 0;
  });
  EXPECT_EQ(ended.signal, SIGSYS);
  EXPECT_EQ(denied_call(ended.err), "prlimit64");
}

TEST(Jail, MemoryIsCountedFromWhatIsThere) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
#endif
  constexpr std::size_t kMore = 64u << 20;
  const Ended ended = in_child([] {
    // Far more than the limit, before it is set.
    void* before =
        ::mmap(nullptr, 8 * kMore, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    enter_jail({.more_memory_bytes = kMore});
    const auto get = [](std::size_t bytes) {
      return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    };
    if (before == MAP_FAILED) return 1;
    if (get(kMore / 2) == MAP_FAILED) return 2;
    return get(kMore) == MAP_FAILED && errno == ENOMEM ? 0 : 3;
  });
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Jail, CpuTimeEnds) {
  const Ended ended = in_jail(
      [] {
        volatile unsigned turns = 0;
        for (bool on = true; on;) {
          turns = turns + 1;
          on = turns != 0 || on;
        }
        return 0;
      },
      {.cpu_seconds = 0.5});
  EXPECT_EQ(ended.signal, SIGXCPU);
}

TEST(Jail, AbortEndsAsEver) {
  EXPECT_EQ(in_jail([]() -> int { std::abort(); }).signal, SIGABRT);
}

/// What stands in for kernels that lack something, and what still holds there.
TEST(Jail, WithoutLandlockSeccompHidesTheFiles) {
  for (const int code : {ENOSYS, EOPNOTSUPP, EPERM}) {
    const Ended ended = in_child([&] {
      take_away(444, code);
      const JailState state = enter_jail({});
      if (state.whole() || state.landlock_abi != 0 || !state.seccomp) return 1;
      if (state.problem.find("Landlock: ") != 0) return 2;
      if (text_of(state) != "seccomp and limits, no Landlock") return 3;
      return code_of(::open("/etc/passwd", O_RDONLY)) == ENOENT ? 0 : 4;
    });
    EXPECT_EQ(ended.code, 0) << ended.err;
  }
}

TEST(Jail, WithoutSeccompLandlockAndTheLimitsHideTheFiles) {
  NEEDS_LANDLOCK();
  const Ended ended = in_child([] {
    take_seccomp_away();
    const JailState state = enter_jail({});
    if (state.whole() || state.seccomp || state.landlock_abi < 1) return 1;
    if (state.problem.find("seccomp: ") != 0) return 2;
    const int code = code_of(::open("/etc/passwd", O_RDONLY));
    if (code != EACCES && code != EMFILE) return 3;
    return ::fork() < 0 || ::geteuid() == 0 ? 0 : 4;  // RLIMIT_NPROC does not count root's
  });
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Jail, WithNeitherTheLimitsStillHideTheFiles) {
  const Ended ended = in_child([] {
    take_away(444, ENOSYS);
    take_seccomp_away();
    const JailState state = enter_jail({});
    if (text_of(state) != "limits only") return 1;
    return code_of(::open("/etc/passwd", O_RDONLY)) == EMFILE ? 0 : 2;
  });
  EXPECT_EQ(ended.code, 0) << ended.err;
}

class JailReading : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_LANDLOCK();
    std::string pattern = testing::TempDir() + "labkit-jail-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::filesystem::create_directories(folder_ / "open/below");
    std::ofstream(folder_ / "open/below/file") << "text";
    std::ofstream(folder_ / "secret") << "secret";
    std::filesystem::create_symlink(folder_ / "secret", folder_ / "open/link");
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }
  std::filesystem::path folder_;
};

TEST_F(JailReading, SeesWhatIsNamedAndNothingElseOnEveryAbi) {
  const int newest = std::min(kernel_abi(), kNewestLandlock);
  for (int abi = 1; abi <= newest; ++abi) {
    const Ended ended = in_child([&] {
      const JailState state = enter_jail({.work = Jail::Work::read_files,
                                          .readable = {(folder_ / "open").string(), "/no/such"},
                                          .landlock_at_most = abi});
      if (state.landlock_abi != abi) return 1;
      char text[8] = {};
      const int file = ::open((folder_ / "open/below/file").c_str(), O_RDONLY);
      if (file < 0 || ::read(file, text, sizeof text) != 4) return 2;
      if (::opendir((folder_ / "open").c_str()) == nullptr) return 3;
      if (code_of(::open((folder_ / "secret").c_str(), O_RDONLY)) != EACCES) return 4;
      if (code_of(::open((folder_ / "open/link").c_str(), O_RDONLY)) != EACCES) return 5;
      if (code_of(::open((folder_ / "open/../secret").c_str(), O_RDONLY)) != EACCES) return 6;
      if (code_of(::open("/etc/passwd", O_RDONLY)) != EACCES) return 7;
      if (::opendir("/") != nullptr) return 8;
      return 0;
    });
    EXPECT_EQ(ended.code, 0) << "ABI " << abi << ": " << ended.err;
  }
}

TEST_F(JailReading, WritesNothing) {
  for (const int how : {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC, O_WRONLY | O_CREAT}) {
    const Ended ended = in_jail(
        [&] { return ::open((folder_ / "open/below/file").c_str(), how, 0600) < 0 ? 0 : 1; },
        {.work = Jail::Work::read_files, .readable = {(folder_ / "open").string()}});
    EXPECT_EQ(ended.signal, SIGSYS) << how;
  }
  std::string text;
  std::ifstream(folder_ / "open/below/file") >> text;
  EXPECT_EQ(text, "text");
}

TEST_F(JailReading, HasNoPrivilegeLeft) {
  const Ended ended = in_jail(
      [] {
        char text[8192] = {};
        const int file = ::open("/proc/self/status", O_RDONLY);
        if (file < 0 || ::read(file, text, sizeof text - 1) <= 0) return 1;
        const std::string status = text;
        if (status.find("CapEff:\t0000000000000000") == std::string::npos) return 2;
        if (status.find("CapPrm:\t0000000000000000") == std::string::npos) return 3;
        if (status.find("NoNewPrivs:\t1") == std::string::npos) return 4;
        return status.find("Seccomp:\t2") == std::string::npos ? 5 : 0;
      },
      {.work = Jail::Work::read_files, .readable = {"/proc"}});
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(Jail, NeedsNoPrivilege) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "is what all these tests show where they do not run as root";
  const int abi = kernel_abi();
  const Ended ended = in_child([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) return 1;
    const JailState state = enter_jail({.more_memory_bytes = 1u << 30, .cpu_seconds = 5});
    if (!state.seccomp || (abi > 0 && !state.whole())) return 2;
    return code_of(::open("/etc/passwd", O_RDONLY)) == ENOENT ? 0 : 3;
  });
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST(DeniedCall, IsReadFromWhatTheProcessWrote) {
  EXPECT_EQ(denied_call("noise\njail: denied call " + std::to_string(SYS_socket) + "\n"), "socket");
  EXPECT_EQ(denied_call("jail: denied call 99999\n"), "number 99999");
  EXPECT_EQ(denied_call("Bad system call"), "");
  EXPECT_EQ(denied_call(""), "");
}

}  // namespace
}  // namespace labkit::process
