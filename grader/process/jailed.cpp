#include "process/jailed.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "base/error.h"
#include "process/spawn.h"

namespace labkit::process {
namespace {

/// What the child writes begins with one of these. An error goes on as base/error.h has it.
constexpr char kResult = 'r', kError = 'e', kUsageError = 'u';

[[noreturn]] void be_the_child(int answer, int err, pid_t parent, const Jail& jail,
                               const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  // Only what it answers through; terminals, databases and locks of the program are not its own.
  if (::dup2(answer, 3) < 0 || ::dup2(err, 2) < 0) ::_exit(1);
  ::close(0);
  ::close(1);
  if (::close_range(4, ~0u, 0) != 0)
    for (int fd = 4; fd < 65536; ++fd) ::close(fd);
  std::string text;
  try {
    enter_jail(jail);
    text = kResult + work();
  } catch (const UsageError& error) {
    text = kUsageError + error_json(error);
  } catch (const Error& error) {
    text = kError + error_json(error);
  } catch (const std::bad_alloc&) {
    text =
        kError + error_json(Error("it takes more memory than it may", {}, error_id::kOutOfMemory));
  } catch (const std::exception& problem) {
    text = kError + error_json(Error(problem.what()));
  }
  ::_exit(write_all(3, text) ? 0 : 1);
}

/// What the child is at, in memory that both have: no call of the system that its jail would have to let it.
class StepBoard {
 public:
  StepBoard() {
    void* memory =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("cannot share memory with a process", errno);
    shared_ = new (memory) Shared;
  }
  StepBoard(const StepBoard&) = delete;
  StepBoard& operator=(const StepBoard&) = delete;
  ~StepBoard() { ::munmap(shared_, sizeof(Shared)); }

  void begin(std::string_view step) {
    shared_->size = 0;  // the parent never reads half a name for a whole one
    const std::size_t size = std::min(step.size(), shared_->text.size());
    std::copy_n(step.data(), size, shared_->text.data());
    shared_->size = size;
    shared_->count += 1;
  }
  std::size_t count() const { return shared_->count; }
  std::string step() const {
    return {shared_->text.data(), std::min<std::size_t>(shared_->size, shared_->text.size())};
  }

 private:
  struct Shared {
    std::atomic<std::size_t> count{0}, size{0};
    std::array<char, 4096> text{};
  };
  Shared* shared_;
};

double cpu_seconds_of(pid_t process) {
  clockid_t clock{};
  struct timespec used {};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Ends a child whose step takes more than its share.
class Watchman {
 public:
  Watchman(pid_t child, const StepBoard& board, const StepWatch& watch)
      : child_(child), board_(board), watch_(watch) {}

  void look() {
    if (watch_.look) watch_.look(board_.count());
    const double now = cpu_seconds_of(child_);
    if (const std::size_t count = board_.count(); count != count_) {
      count_ = count;
      begun_ = now;
      return;
    }
    const std::string step = board_.step();
    if (step.empty() || !too_long_.empty() || now - begun_ <= watch_.cpu_seconds) return;
    too_long_ = step;
    ::kill(child_, SIGKILL);
  }
  /// The step that the child was ended for, or "".
  const std::string& too_long() const { return too_long_; }

 private:
  pid_t child_;
  const StepBoard& board_;
  const StepWatch& watch_;
  std::size_t count_ = std::numeric_limits<std::size_t>::max();
  double begun_ = 0;
  std::string too_long_;
};

/// Both pipes to their ends.
void drain(Pipe& answer, Pipe& err, std::string& answered, std::string& said, Watchman& watchman) {
  constexpr int kTick = 200;  // milliseconds
  while (answer.read.get() >= 0 || err.read.get() >= 0) {
    std::array<struct pollfd, 2> watched = {
        {{answer.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}}};
    const int ready = ::poll(watched.data(), watched.size(), kTick);
    watchman.look();
    if (ready > 0 && watched[0].revents != 0) read_some(answer.read, answered);
    if (ready > 0 && watched[1].revents != 0) read_some(err.read, said);
  }
}

}  // namespace

std::string run_in_jail(const Jail& jail, const std::string& doing,
                        const std::function<std::string()>& work) {
  return run_in_jail(jail, doing, [&](const BeginStep&) { return work(); }, {});
}

std::string run_in_jail(const Jail& jail, const std::string& doing,
                        const std::function<std::string(const BeginStep&)>& work,
                        const StepWatch& watch) {
  constexpr int kLowest = 8;  // above the numbers that the child uses
  Pipe answer = make_pipe(kLowest), err = make_pipe(kLowest);
  StepBoard board;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw Error(doing + ": cannot start a process: " + std::strerror(errno));
  if (child == 0)
    be_the_child(answer.write.get(), err.write.get(), parent, jail,
                 [&] { return work([&](std::string_view step) { board.begin(step); }); });
  answer.write.close();
  err.write.close();
  std::string answered, said;
  Watchman watchman(child, board, watch);
  drain(answer, err, answered, said, watchman);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }

  if (!watchman.too_long().empty())
    throw StepTooLong(doing + " took too long at " + watchman.too_long(), watchman.too_long());
  const std::string call = denied_call(said);
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGSYS && !call.empty())
    throw Error(doing + " called " + call + ", which its jail does not let it",
                "Something in there is built to break the reader: look at it, and leave it out.");
  if (signal == SIGXCPU)
    throw Error(doing + " took too long", "Something in there is built so: leave it out.");
  if (signal != 0)
    throw Error(
        fmt::format("{} ended with signal {} ({}): {}", doing, signal, ::strsignal(signal), said));
  const char kind = status != 0 || answered.empty() ? '\0' : answered.front();
  if (kind == kResult) return answered.substr(1);
  const std::optional<Error> error =
      kind == '\0' ? std::nullopt : read_error_json(answered.substr(1));
  if (!error) throw Error(doing + " came to no end: " + said);
  if (kind == kUsageError) throw UsageError(error->what(), error->remedy(), error->id());
  throw Error(*error);
}

}  // namespace labkit::process
