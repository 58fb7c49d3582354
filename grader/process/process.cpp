#include "process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace labkit::process {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& what, int code) {
  throw Error(what + ": " + std::strerror(code));
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// The child's stdin: a file in memory, written whole before the child starts, so that nobody has
/// to feed it.
Descriptor make_input(const std::string& text) {
  Descriptor file(::memfd_create("stdin", MFD_CLOEXEC));
  if (file.get() < 0) fail("cannot make a file in memory", errno);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t put = ::write(file.get(), rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("cannot write a file in memory", errno);
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) fail("cannot rewind a file in memory", errno);
  return file;
}

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
  std::vector<int> keep;
  pid_t parent = 0;
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

/// Ends the group and collects the child, also when an exception leaves run().
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ < 0) return;
    kill_group();
    collect();
  }
  void kill_group() const { ::kill(-pid_, SIGKILL); }
  /// True once the child itself has ended; it stays a zombie, and its group's name taken, until
  /// collect().
  bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }
  int collect() {
    int status = 0;
    while (::wait4(pid_, &status, 0, &usage_) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }
  const struct rusage& usage() const { return usage_; }

 private:
  pid_t pid_;
  struct rusage usage_ {};
};

double seconds(const struct timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Reads both pipes until they and the child have ended, or a limit is met.
End attend(const Child& child, Descriptor& out, Descriptor& err, const Limits& limits,
           Clock::time_point start, Result& result) {
  const auto remaining_ms = [&]() -> double {
    if (limits.wall_seconds <= 0) return 1e9;
    const std::chrono::duration<double> passed = Clock::now() - start;
    return 1e3 * (limits.wall_seconds - passed.count());
  };
  bool ended = false;
  while (true) {
    const bool open = out.get() >= 0 || err.get() >= 0;
    if (ended && !open) return End::exited;
    const double left = remaining_ms();
    if (!ended && left <= 0) return End::timed_out;
    // The end of both pipes normally means that the child is gone: then look often. Otherwise a
    // look now and then finds a child that ended while a process of its group still holds a pipe.
    const double wait = open ? 50 : 1;
    std::array<struct pollfd, 2> watched = {{{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}}};
    const int ready = ::poll(watched.data(), watched.size(),
                             ended ? 0 : static_cast<int>(std::ceil(std::min(wait, left))));
    if (ready < 0 && errno != EINTR) fail("cannot wait for a child", errno);
    if (ended && ready == 0) {  // only a process outside the killed group can still hold a pipe
      out.close();
      err.close();
      continue;
    }
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (ready <= 0 || watched[i].revents == 0) continue;
      char buffer[1 << 16];
      const ssize_t got = ::read(watched[i].fd, buffer, sizeof buffer);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) {
        (i == 0 ? out : err).close();
        continue;
      }
      std::size_t keep = static_cast<std::size_t>(got);
      if (limits.output_bytes > 0)
        keep = std::min(keep, static_cast<std::size_t>(limits.output_bytes) - result.out.size() -
                                  result.err.size());
      (i == 0 ? result.out : result.err).append(buffer, keep);
      if (keep < static_cast<std::size_t>(got)) return End::output_limit;
    }
    if (!ended && child.has_ended()) {
      ended = true;
      child.kill_group();  // what it left behind would hold the pipes open
    }
  }
}

}  // namespace

std::string_view name_of(End end) {
  switch (end) {
    case End::exited:
      return "exited";
    case End::signalled:
      return "signalled";
    case End::timed_out:
      return "timed_out";
    case End::output_limit:
      return "output_limit";
  }
  return "?";
}

Result run(const Command& command) {
  if (command.argv.empty()) throw Error("no program to run was named");
  const int lowest = kFirstKept + static_cast<int>(command.keep.size());
  const Descriptor in = move_above(make_input(command.input), lowest);
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Pipe report = make_pipe();
  out.write = move_above(std::move(out.write), lowest);
  err.write = move_above(std::move(err.write), lowest);
  report.write = move_above(std::move(report.write), lowest);

  std::vector<Descriptor> kept;
  for (const int fd : command.keep) kept.push_back(duplicate_above(fd, lowest));

  Prepared prepared;
  for (const Descriptor& fd : kept) prepared.keep.push_back(fd.get());
  prepared.argv = pointers(command.argv);
  prepared.environment = pointers(command.environment);
  prepared.directory = command.directory.empty() ? nullptr : command.directory.c_str();
  prepared.limits = command.limits;
  prepared.in = in.get();
  prepared.out = out.write.get();
  prepared.err = err.write.get();
  prepared.report = report.write.get();
  prepared.parent = ::getpid();

  const Clock::time_point start = Clock::now();
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

  Result result;
  result.end = attend(child, out.read, err.read, command.limits, start, result);
  child.kill_group();
  const int status = child.collect();
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.cpu_seconds = seconds(child.usage().ru_utime) + seconds(child.usage().ru_stime);
  result.peak_memory_bytes = static_cast<std::uint64_t>(child.usage().ru_maxrss) * 1024;
  if (result.end == End::exited && WIFSIGNALED(status)) {
    result.end = End::signalled;
    result.signal = WTERMSIG(status);
    result.cpu_limit =
        result.signal == SIGXCPU || (result.signal == SIGKILL && command.limits.cpu_seconds > 0 &&
                                     result.cpu_seconds >= command.limits.cpu_seconds);
  } else if (result.end == End::exited) {
    result.exit_code = WEXITSTATUS(status);
  }
  return result;
}

std::vector<std::string> inherited(const std::vector<std::string>& names) {
  std::vector<std::string> environment;
  for (const std::string& name : names)
    if (const char* value = std::getenv(name.c_str())) environment.push_back(name + "=" + value);
  return environment;
}

std::vector<std::string> whole_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

std::string describe(const Result& result, const Limits& limits) {
  const auto number = [](double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  switch (result.end) {
    case End::exited:
      return "exited with code " + std::to_string(result.exit_code);
    case End::timed_out:
      return "stopped after " + number(limits.wall_seconds) + " s";
    case End::output_limit:
      return "stopped after " + std::to_string(limits.output_bytes) + " bytes of output";
    case End::signalled:
      break;
  }
  if (result.cpu_limit) return "stopped after " + number(limits.cpu_seconds) + " s of CPU time";
  const char* name = ::strsignal(result.signal);
  return "killed by signal " + std::to_string(result.signal) + " (" + (name ? name : "?") + ")";
}

std::string own_executable() {
  std::array<char, 4096> path;
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0 || static_cast<std::size_t>(size) == path.size())
    fail("cannot read /proc/self/exe", size < 0 ? errno : ENAMETOOLONG);
  return std::string(path.data(), static_cast<std::size_t>(size));
}

}  // namespace labkit::process
