#include "process/jail.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <system_error>

namespace labkit::process {
namespace {

[[noreturn]] void give_up(const std::string& what, int code = errno) {
  throw std::system_error(code, std::generic_category(), what);
}

void add_problem(JailState& state, const std::string& what, int code) {
  if (!state.problem.empty()) state.problem += "; ";
  state.problem += what + ": " + std::strerror(code);
}

// --- Landlock ---------------------------------------------------------------------------------
// Linux, Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h. The numbers are
// written out because the headers of the systems that the kit builds on are older than the kernels
// that it runs on.

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

struct RulesetAttributes {
  std::uint64_t files = 0;    ///< handled_access_fs, ABI 1
  std::uint64_t network = 0;  ///< handled_access_net, ABI 4
  std::uint64_t scoped = 0;   ///< ABI 6
};
struct [[gnu::packed]] PathRule {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};
constexpr unsigned kAskForVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
constexpr int kPathBeneath = 1;         // LANDLOCK_RULE_PATH_BENEATH
constexpr std::uint64_t kReadFile = 1u << 2, kReadFolder = 1u << 3;

/// All rights that an ABI knows: what is not granted is then refused.
RulesetAttributes all_rights(int abi) {
  RulesetAttributes all;
  // ABI 1: execute to make_sym, bits 0 to 12. Later ones have a bit each: 2 refer, 3 truncate,
  // 5 ioctl on devices.
  all.files = (1u << 13) - 1;
  if (abi >= 2) all.files |= 1u << 13;
  if (abi >= 3) all.files |= 1u << 14;
  if (abi >= 5) all.files |= 1u << 15;
  if (abi >= 4) all.network = 3;  // bind and connect, TCP
  if (abi >= 6) all.scoped = 3;   // abstract Unix sockets, signals
  return all;
}

std::size_t size_for(int abi) { return sizeof(std::uint64_t) * (abi >= 6 ? 3 : abi >= 4 ? 2 : 1); }

void allow_reading(int ruleset, const std::string& path) {
  const int parent = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (parent < 0) return;
  struct stat about {};
  PathRule rule{.allowed = kReadFile, .parent = parent};
  if (::fstat(parent, &about) == 0 && S_ISDIR(about.st_mode)) rule.allowed |= kReadFolder;
  const long added = ::syscall(SYS_landlock_add_rule, ruleset, kPathBeneath, &rule, 0);
  const int code = errno;
  ::close(parent);
  if (added != 0) give_up("Landlock refuses the rule for " + path, code);
}

void restrict_files(const Jail& jail, JailState& state) {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, kAskForVersion);
  if (version < 1) {  // ENOSYS, EOPNOTSUPP: not built or switched off; EPERM: an old container
    add_problem(state, "Landlock", errno);
    return;
  }
  const int abi = static_cast<int>(std::min<long>(version, jail.landlock_at_most));
  const RulesetAttributes rights = all_rights(abi);
  const long made = ::syscall(SYS_landlock_create_ruleset, &rights, size_for(abi), 0u);
  if (made < 0) give_up("Landlock makes no rules");
  const int ruleset = static_cast<int>(made);
  for (const std::string& path : jail.readable) allow_reading(ruleset, path);
  const long restricted = ::syscall(SYS_landlock_restrict_self, ruleset, 0u);
  const int code = errno;
  ::close(ruleset);
  if (restricted != 0) give_up("Landlock does not restrict", code);
  state.landlock_abi = abi;
}

// --- limits and privileges --------------------------------------------------------------------

void limit(int resource, std::uint64_t soft, std::uint64_t hard, const char* name) {
  struct rlimit now {};
  const auto which = static_cast<__rlimit_resource>(resource);
  if (::getrlimit(which, &now) != 0) give_up(name);
  const struct rlimit value = {std::min<rlim_t>(soft, now.rlim_max),
                               std::min<rlim_t>(hard, now.rlim_max)};
  if (::setrlimit(which, &value) != 0) give_up(name);
}

/// Pages that the process has mapped: the first number of /proc/self/statm.
std::uint64_t mapped_bytes() {
  std::array<char, 64> text{};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? -1 : ::read(file, text.data(), text.size() - 1);
  const int code = errno;
  if (file >= 0) ::close(file);
  if (size <= 0) give_up("/proc/self/statm", code);
  return std::strtoull(text.data(), nullptr, 10) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void set_limits(const Jail& jail) {
  limit(RLIMIT_CORE, 0, 0, "RLIMIT_CORE");
  limit(RLIMIT_FSIZE, 0, 0, "RLIMIT_FSIZE");
  // Counted for each user, not for each process: 0 can only mean "no more".
  limit(RLIMIT_NPROC, 0, 0, "RLIMIT_NPROC");
  if (jail.cpu_seconds > 0) {
    // SIGXCPU first, by which the end is told apart from others.
    const auto seconds = static_cast<std::uint64_t>(std::ceil(jail.cpu_seconds));
    limit(RLIMIT_CPU, seconds, seconds + 1, "RLIMIT_CPU");
  }
  if (jail.more_memory_bytes > 0) {
    const std::uint64_t all = mapped_bytes() + jail.more_memory_bytes;
    limit(RLIMIT_AS, all, all, "RLIMIT_AS");
  }
}

/// A process of root's (in a container, say) could raise its limits again.
void give_up_capabilities() {
  struct __user_cap_header_struct header {
    _LINUX_CAPABILITY_VERSION_3, 0
  };
  std::array<struct __user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) give_up("capset");
}

// --- seccomp ----------------------------------------------------------------------------------

constexpr char kDenied[] = "jail: denied call ";

/// Runs in the place of a call that is not on the list: says which, and dies of the same signal.
void tell_denied(int, siginfo_t* info, void*) {
  std::array<char, 16> digits{};
  std::size_t at = digits.size();
  digits[--at] = '\n';
  auto number = static_cast<unsigned>(info->si_syscall);
  do digits[--at] = static_cast<char>('0' + number % 10);
  while ((number /= 10) != 0);
  [[maybe_unused]] ssize_t ignored = ::write(2, kDenied, sizeof kDenied - 1);
  ignored = ::write(2, digits.data() + at, digits.size() - at);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  ::sigaction(SIGSYS, &plain, nullptr);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGSYS);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  ::syscall(SYS_tgkill, ::syscall(SYS_getpid), ::syscall(SYS_gettid), SIGSYS);
  ::_exit(127);
}

/// What computing takes, by what NVRTC 11.8, 12.0 and 13.0 were seen to use (strace) and what the C
/// library does on its own account: memory, locks, signals, clocks, ending.
constexpr int kCompute[] = {
    // files that are open
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(close),
    SCMP_SYS(lseek), SCMP_SYS(fstat),
    // memory, locks and signals
    SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    // who and where it is
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
    SCMP_SYS(getegid), SCMP_SYS(getcwd), SCMP_SYS(sysinfo), SCMP_SYS(uname),
    // time, chance and the end
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time),
    SCMP_SYS(times), SCMP_SYS(getrusage), SCMP_SYS(getrandom), SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group)};

/// Calls that look for a file. Compilers ask for many that are not there and go on.
constexpr int kLookForFiles[] = {
    SCMP_SYS(open),      SCMP_SYS(openat),     SCMP_SYS(openat2),    SCMP_SYS(stat),
    SCMP_SYS(lstat),     SCMP_SYS(statx),      SCMP_SYS(newfstatat), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),   SCMP_SYS(readlinkat),
    SCMP_SYS(statfs),
};

/// With Work::read_files. Which files, Landlock says; nothing is opened for writing.
constexpr int kReadFiles[] = {
    SCMP_SYS(stat),       SCMP_SYS(lstat),     SCMP_SYS(statx),      SCMP_SYS(newfstatat),
    SCMP_SYS(access),     SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(statfs),    SCMP_SYS(fstatfs),    SCMP_SYS(getdents64),
    SCMP_SYS(pread64),    SCMP_SYS(fadvise64), SCMP_SYS(chdir),      SCMP_SYS(fchdir),
    SCMP_SYS(dup),        SCMP_SYS(poll),      SCMP_SYS(ppoll),
};

class Filter {
 public:
  // Another architecture's calls (32-bit, x32) have other numbers: libseccomp ends the process.
  Filter() : context_(::seccomp_init(SCMP_ACT_TRAP), &::seccomp_release) {
    if (!context_) give_up("seccomp_init", ENOMEM);
    check(::seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    check(::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_NNP, 0));       // set already
    check(::seccomp_attr_set(context_.get(), SCMP_FLTATR_API_SYSRAWRC, 1));  // errno as it is
  }
  void allow(int call, const std::vector<scmp_arg_cmp>& when = {}) {
    add(SCMP_ACT_ALLOW, call, when);
  }
  void refuse(int call, int code) { add(SCMP_ACT_ERRNO(static_cast<unsigned>(code)), call, {}); }
  /// 0, or errno's negative.
  int load() { return ::seccomp_load(context_.get()); }

 private:
  void add(std::uint32_t action, int call, const std::vector<scmp_arg_cmp>& when) {
    check(::seccomp_rule_add_array(context_.get(), action, call, static_cast<unsigned>(when.size()),
                                   when.data()));
  }
  static void check(int result) {
    if (result != 0) give_up("seccomp", -result);
  }
  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
};

constexpr scmp_arg_cmp argument(unsigned which, std::uint64_t mask, std::uint64_t value) {
  return {.arg = which, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}
constexpr std::uint64_t kAll = ~std::uint64_t{0};

void build(Filter& filter, Jail::Work work) {
  for (const int call : kCompute) filter.allow(call);
  // Memory that holds no code.
  filter.allow(SCMP_SYS(mprotect), {argument(2, PROT_EXEC, 0)});
  if (work == Jail::Work::compute) {
    filter.allow(SCMP_SYS(mmap),
                 {argument(2, PROT_EXEC, 0), argument(3, MAP_ANONYMOUS, MAP_ANONYMOUS)});
    for (const int call : kLookForFiles) filter.refuse(call, ENOENT);
  } else {
    filter.allow(SCMP_SYS(mmap), {argument(2, PROT_EXEC, 0)});
    // The C library loads character sets as modules: code of files, which Landlock names.
    filter.allow(SCMP_SYS(mmap),
                 {argument(2, PROT_EXEC | PROT_WRITE, PROT_EXEC), argument(3, MAP_ANONYMOUS, 0)});
    for (const int call : kReadFiles) filter.allow(call);
    constexpr std::uint64_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC;
    filter.allow(SCMP_SYS(open), {argument(1, kWrites, O_RDONLY)});
    filter.allow(SCMP_SYS(openat), {argument(2, kWrites, O_RDONLY)});
  }
#if defined(__SANITIZE_ADDRESS__)
  // UndefinedBehaviorSanitizer asks in this way whether memory can be read.
  for (const int call : {SCMP_SYS(pipe), SCMP_SYS(pipe2)}) filter.allow(call);
#endif
  // Is it a terminal? No.
  filter.refuse(SCMP_SYS(ioctl), ENOTTY);
  for (const std::uint64_t command : {F_GETFD, F_SETFD, F_GETFL})
    filter.allow(SCMP_SYS(fcntl), {argument(1, 0xffffffff, command)});
  // Signals to itself: abort().
  filter.allow(SCMP_SYS(tgkill),
               {argument(0, 0xffffffff, static_cast<std::uint64_t>(::syscall(SYS_getpid)))});
  // Limits may be read; that of the stack, which NVRTC sets for its recursion, changed as far as it
  // goes.
  filter.allow(SCMP_SYS(prlimit64), {argument(0, 0xffffffff, 0), argument(2, kAll, 0)});
  filter.allow(SCMP_SYS(prlimit64),
               {argument(0, 0xffffffff, 0), argument(1, 0xffffffff, RLIMIT_STACK)});
  filter.allow(SCMP_SYS(getrlimit));
}

void filter_calls(const Jail& jail, JailState& state) {
  // Kernels before 4.14 and qemu-user lack what build() asks for; libseccomp would refuse to build it there.
  if (::seccomp_api_get() < 3) {
    add_problem(state, "seccomp", ENOSYS);
    return;
  }
  struct sigaction told {};
  told.sa_sigaction = tell_denied;
  told.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (::sigaction(SIGSYS, &told, nullptr) != 0) give_up("sigaction(SIGSYS)");
  Filter filter;
  build(filter, jail.work);
  if (const int result = filter.load(); result != 0)
    add_problem(state, "seccomp", -result);
  else
    state.seccomp = true;
}

}  // namespace

JailState enter_jail(const Jail& jail) {
  JailState state;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up("PR_SET_NO_NEW_PRIVS");
  set_limits(jail);
  restrict_files(jail, state);
  // Nothing can be opened after it, with or without the layers above and below; what is open stays
  // so.
  if (jail.work == Jail::Work::compute) limit(RLIMIT_NOFILE, 0, 0, "RLIMIT_NOFILE");
  give_up_capabilities();
  filter_calls(jail, state);
  return state;
}

std::string denied_call(const std::string& stderr_text) {
  const auto at = stderr_text.rfind(kDenied);
  if (at == std::string::npos) return {};
  const int number = std::atoi(stderr_text.c_str() + at + sizeof kDenied - 1);
  const std::unique_ptr<char, void (*)(void*)> name(
      ::seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), &std::free);
  return name ? name.get() : "number " + std::to_string(number);
}

std::string text_of(const JailState& state) {
  const std::string landlock = "Landlock (ABI " + std::to_string(state.landlock_abi) + ")";
  if (state.whole()) return landlock + ", seccomp and limits";
  if (state.landlock_abi > 0) return landlock + " and limits, no seccomp";
  if (state.seccomp) return "seccomp and limits, no Landlock";
  return "limits only";
}

#if defined(__SANITIZE_ADDRESS__)
#define LABKIT_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LABKIT_HAS_ASAN 1
#endif
#endif

bool limit_own_memory(std::uint64_t bytes) {
#ifdef LABKIT_HAS_ASAN
  (void)bytes;
  return false;
#else
  struct rlimit now {};
  if (::getrlimit(RLIMIT_DATA, &now) != 0) return false;
  if (now.rlim_cur != RLIM_INFINITY && now.rlim_cur <= bytes) return false;
  now.rlim_cur = bytes;
  return ::setrlimit(RLIMIT_DATA, &now) == 0;
#endif
}

}  // namespace labkit::process
