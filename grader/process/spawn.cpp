#include "process/spawn.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <vector>

#include "base/error.h"

namespace labkit::process {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

/// What the child does between fork and exec, where only async-signal-safe calls are allowed: all
/// memory is prepared by the parent. A failed step is reported as {step, errno} on `report`.
enum class Step : int { descriptors, directory, limits, exec };

struct Prepared {
  std::vector<char*> argv, environment;
  const char* directory = nullptr;
  Limits limits;
  int in = -1, out = -1, err = -1, report = -1;
  pid_t parent = 0;
  std::vector<int> keep = {};
};

bool limit(int resource, std::uint64_t soft, std::uint64_t hard) {
  const struct rlimit value = {soft, hard};
  return ::setrlimit(static_cast<__rlimit_resource>(resource), &value) == 0;
}

bool apply(const Limits& limits) {
  if (!limit(RLIMIT_CORE, 0, 0)) return false;
  if (limits.cpu_seconds > 0) {
    // SIGXCPU at the soft limit tells it apart from other kills; SIGKILL a second later if that is
    // ignored.
    const auto seconds = static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds));
    if (!limit(RLIMIT_CPU, seconds, seconds + 1)) return false;
  }
  if (limits.address_space_bytes > 0 &&
      !limit(RLIMIT_AS, limits.address_space_bytes, limits.address_space_bytes))
    return false;
  return limits.file_bytes == 0 || limit(RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes);
}

void close_from(int first) {
  if (::close_range(static_cast<unsigned>(first), ~0u, 0) == 0) return;
  for (int fd = first; fd < 65536; ++fd) ::close(fd);  // kernels before 5.9
}

[[noreturn]] void become(const Prepared& child) {
  int report = child.report;
  const auto give_up = [&](Step step) {
    const int message[2] = {static_cast<int>(step), errno};
    [[maybe_unused]] const ssize_t ignored = ::write(report, message, sizeof message);
    ::_exit(127);
  };
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != child.parent) ::_exit(127);  // the parent died before the line above

  // A signal that the parent blocks or ignores would stay so across exec.
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);

  // The parent made all of them larger than any number used here (move_above), so none is
  // overwritten before its turn.
  if (::dup2(child.in, 0) < 0 || ::dup2(child.out, 1) < 0 || ::dup2(child.err, 2) < 0 ||
      ::dup2(child.report, 3) < 0 || ::fcntl(3, F_SETFD, FD_CLOEXEC) < 0)
    give_up(Step::descriptors);
  report = 3;
  int next = kFirstKept;
  for (const int fd : child.keep)
    if (::dup2(fd, next++) < 0) give_up(Step::descriptors);
  close_from(next);
  if (child.directory != nullptr && ::chdir(child.directory) != 0) give_up(Step::directory);
  if (!apply(child.limits)) give_up(Step::limits);
  // A profiler that watches this process (ncu, nsys) rides along through libc's execve, by a library it
  // preloads; in a jail it would only get the child killed. A child without an environment gets nothing.
  if (child.environment.front() == nullptr)
    ::syscall(SYS_execve, child.argv[0], child.argv.data(), child.environment.data());
  else
    ::execve(child.argv[0], child.argv.data(), child.environment.data());
  give_up(Step::exec);
  ::_exit(127);
}

/// A duplicate numbered `lowest` or more.
Descriptor duplicate_above(int fd, int lowest) {
  Descriptor moved(::fcntl(fd, F_DUPFD_CLOEXEC, lowest));
  if (moved.get() < 0) fail("cannot duplicate a descriptor", errno);
  return moved;
}

/// The same, or a duplicate, above the descriptors that the child uses: those below `lowest`.
Descriptor move_above(Descriptor fd, int lowest) {
  return fd.get() >= lowest ? std::move(fd) : duplicate_above(fd.get(), lowest);
}

[[noreturn]] void explain_start_failure(const Command& command, Step step, int code) {
  switch (step) {
    case Step::directory:
      fail("cannot enter " + command.directory, code);
    case Step::exec:
      fail("cannot run " + command.argv[0], code);
    case Step::limits:
      fail("cannot set the limits of " + command.argv[0], code);
    case Step::descriptors:
      break;
  }
  fail("cannot start " + command.argv[0], code);
}

double seconds(const struct timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

void fail(const std::string& what, int code) { throw Error(what + ": " + std::strerror(code)); }

Pipe make_pipe(int lowest) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  Descriptor read(ends[0]), write(ends[1]);
  return {move_above(std::move(read), lowest), move_above(std::move(write), lowest)};
}

void read_some(Descriptor& from, std::string& text) {
  std::array<char, 1 << 16> buffer;
  const ssize_t got = ::read(from.get(), buffer.data(), buffer.size());
  if (got > 0)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  else if (got == 0 || (errno != EINTR && errno != EAGAIN))
    from.close();
}

Child::~Child() {
  if (pid_ < 0) return;
  kill_group();
  collect();
}

void Child::kill_group() const { ::kill(-pid_, SIGKILL); }

bool Child::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}
int Child::collect() {
  int status = 0;
  while (::wait4(pid_, &status, 0, &usage_) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

Started start(const Command& command, Descriptor in) {
  if (command.argv.empty()) throw Error("no program to run was named");
  const int lowest = kFirstKept + static_cast<int>(command.keep.size());
  in = move_above(std::move(in), lowest);
  Pipe out = make_pipe(lowest), err = make_pipe(lowest), report = make_pipe(lowest);
  std::vector<Descriptor> kept;
  for (const int fd : command.keep) kept.push_back(duplicate_above(fd, lowest));

  Prepared prepared = {
      .argv = pointers(command.argv),
      .environment = pointers(command.environment),
      .directory = command.directory.empty() ? nullptr : command.directory.c_str(),
      .limits = command.limits,
      .in = in.get(),
      .out = out.write.get(),
      .err = err.write.get(),
      .report = report.write.get(),
      .parent = ::getpid(),
  };
  for (const Descriptor& fd : kept) prepared.keep.push_back(fd.get());

  const pid_t pid = ::fork();
  if (pid < 0) fail("cannot start " + command.argv[0], errno);
  if (pid == 0) become(prepared);
  ::setpgid(pid, pid);  // also here, so that the group exists before anything below may kill it
  Child child(pid);
  out.write.close();
  err.write.close();
  report.write.close();

  int message[2];
  ssize_t got = 0;
  while ((got = ::read(report.read.get(), message, sizeof message)) < 0 && errno == EINTR) {
  }
  if (got == sizeof message)
    explain_start_failure(command, static_cast<Step>(message[0]), message[1]);

  return {std::move(child), std::move(out.read), std::move(err.read)};
}

void fill_in(Result& result, int status, const struct rusage& usage, const Limits& limits) {
  result.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  if (result.end == End::exited && WIFSIGNALED(status)) {
    result.end = End::signalled;
    result.signal = WTERMSIG(status);
    result.cpu_limit =
        result.signal == SIGXCPU || (result.signal == SIGKILL && limits.cpu_seconds > 0 &&
                                     result.cpu_seconds >= limits.cpu_seconds);
  } else if (result.end == End::exited) {
    result.exit_code = WEXITSTATUS(status);
  }
}

}  // namespace labkit::process
