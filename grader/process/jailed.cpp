#include "process/jailed.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
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

/// Both pipes to their ends.
void drain(Pipe& answer, Pipe& err, std::string& answered, std::string& said) {
  while (answer.read.get() >= 0 || err.read.get() >= 0) {
    std::array<struct pollfd, 2> watched = {
        {{answer.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}}};
    const int ready = ::poll(watched.data(), watched.size(), -1);
    if (ready > 0 && watched[0].revents != 0) read_some(answer.read, answered);
    if (ready > 0 && watched[1].revents != 0) read_some(err.read, said);
  }
}

}  // namespace

std::string run_in_jail(const Jail& jail, const std::string& doing,
                        const std::function<std::string()>& work) {
  constexpr int kLowest = 8;  // above the numbers that the child uses
  Pipe answer = make_pipe(kLowest), err = make_pipe(kLowest);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw Error(doing + ": cannot start a process: " + std::strerror(errno));
  if (child == 0) be_the_child(answer.write.get(), err.write.get(), parent, jail, work);
  answer.write.close();
  err.write.close();
  std::string answered, said;
  drain(answer, err, answered, said);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }

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
