#include "program/run.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <exception>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "process/process.h"
#include "words/render.h"

namespace labkit::program {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(what + ": " + std::strerror(errno)); }

bool read_all(int from, void* to, std::size_t bytes) {
  for (auto* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t n = ::read(from, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

/// A message of a program may be its device code; more is a damaged one.
constexpr std::uint32_t kMostBytes = 1u << 30;

/// Until the program closes its end.
void serve(Session& session, int socket) {
  for (Request request; read_all(socket, &request, sizeof request);) {
    if (request.bytes > kMostBytes)
      throw Error("the program's runtime sent what is no message", "", error_id::kBug);
    std::vector<std::byte> bytes(request.bytes);
    if (!read_all(socket, bytes.data(), bytes.size())) return;
    const Session::Response response = session.answer(request.op, bytes);
    if (!response.is_wanted) continue;
    const Reply reply{response.error, static_cast<std::uint32_t>(response.bytes.size())};
    std::string all(sizeof reply + response.bytes.size(), '\0');
    std::memcpy(all.data(), &reply, sizeof reply);
    if (!response.bytes.empty())
      std::memcpy(all.data() + sizeof reply, response.bytes.data(), response.bytes.size());
    for (std::string_view left = all; !left.empty();) {
      const ssize_t n = ::send(socket, left.data(), left.size(), MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;  // the program is gone
      left.remove_prefix(static_cast<std::size_t>(n));
    }
  }
}

/// What knows the blocks of malloc() (heap/), and what was to be loaded anyway; "" where AddressSanitizer does the same.
std::string heap_library(const std::filesystem::path& program) {
  if (read_file(program).find("libasan.so") != std::string::npos) return "";
  const char* before = std::getenv("LD_PRELOAD");
  return process::program_of_the_kit("cudart/labkit-heap.so") +
         (before != nullptr && *before != '\0' ? std::string(":") + before : "");
}

pid_t start(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            int socket, int memory, bool check) {
  std::string path = program.string();
  if (path.find('/') == std::string::npos) path = "./" + path;
  std::vector<std::string> words = {path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string runtime =
      std::filesystem::path(process::program_of_the_kit("cudart/libcudart.so.13")).parent_path();
  const char* before = std::getenv("LD_LIBRARY_PATH");
  const std::string libraries =
      runtime + (before != nullptr && *before != '\0' ? std::string(":") + before : "");
  const std::string heap = check ? heap_library(program) : "";
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail("cannot start the program");
  if (child > 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  const int own_socket = ::dup(socket), own_memory = ::dup(memory);  // without close-on-exec
  const std::string numbers = std::to_string(own_socket) + "," + std::to_string(own_memory);
  ::setenv(kDescriptorsVariable, numbers.c_str(), 1);
  ::setenv("LD_LIBRARY_PATH", libraries.c_str(), 1);
  if (!heap.empty()) ::setenv("LD_PRELOAD", heap.c_str(), 1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  ::execv(path.c_str(), argv.data());
  const std::string text = "cannot start " + path + ": " + std::strerror(errno) + "\n";
  [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(127);
}

/// The session and who serves it: it may outlive the program by the launch that is under way.
struct Serving {
  Serving(const SessionOptions& options, Descriptor ours)
      : session(options), socket(std::move(ours)) {}
  Session session;
  Descriptor socket;
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;
  std::exception_ptr failure;
  std::atomic<pid_t> child{-1};
};

/// The program's status. A launch that takes long is named, after 2, 4, 8, ... seconds. If only this process is asked to stop, it
/// asks the program.
int wait_for(pid_t child, const Session& session, const std::atomic<bool>& stop) {
  constexpr double kLongSeconds = 2;
  constexpr int kLookMilliseconds = 250, kLooksBeforeKill = 8;
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  std::uint64_t told = 0;  // the launch
  double next_seconds = 0;
  int status = 0, asked = 0;
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    struct pollfd watched = {handle.get(), POLLIN, 0};
    ::poll(&watched, handle.get() >= 0 ? 1 : 0, kLookMilliseconds);
    if (stop && asked++ % kLooksBeforeKill == 0) ::kill(child, asked == 1 ? SIGTERM : SIGKILL);
    const auto now = session.under_way();
    if (!now) continue;
    if (now->launch != told) next_seconds = kLongSeconds;
    told = now->launch;
    if (now->seconds < next_seconds) continue;
    next_seconds = 2 * now->seconds;
    std::fprintf(
        stderr, "%s\n",
        words::text(words::Id::program_progress, {{"launch", std::to_string(now->launch)},
                                                  {"kernel", now->kernel},
                                                  {"seconds", fmt::format("{:.0f}", now->seconds)}})
            .c_str());
  }
}

}  // namespace

void require_shared_runtime(const std::filesystem::path& program) {
  const std::string bytes = read_file(program);
  Elf64_Ehdr header;
  const auto refuse = [&](const std::string& why) {
    throw UsageError(program.string() + " " + why,
                     "compile it with: nvcc -cudart shared -lineinfo -gencode "
                     "arch=compute_80,code=compute_80 ...");
  };
  if (bytes.size() < sizeof header || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    refuse("is no program for Linux");
  // as a string of its dynamic section the library's name stands alone
  for (const char* name : {"libcudart.so.12", "libcudart.so.13"})
    if (bytes.find(std::string("\0", 1) + name + std::string("\0", 1)) != std::string::npos) return;
  refuse(bytes.find("cudaMalloc") != std::string::npos ||
                 bytes.find(".nv_fatbin") != std::string::npos
             ? "has CUDA's runtime linked in, or one older than CUDA 12"
             : "is no CUDA program, or has CUDA's runtime linked in");
}

Report run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
           const SessionOptions& options, const std::atomic<bool>& stop) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("cannot make a socket");
  Descriptor theirs(ends[1]);
  SessionOptions of_session = options;
  of_session.program = program;
  const auto serving = std::make_shared<Serving>(of_session, Descriptor(ends[0]));
  const pid_t child =
      start(program, arguments, theirs.get(), serving->session.memory_file(), options.check);
  serving->child = child;
  theirs.close();
  std::thread server([serving] {
    try {
      serve(serving->session, serving->socket.get());
    } catch (...) {
      serving->failure = std::current_exception();
      ::kill(serving->child, SIGKILL);
    }
    const std::lock_guard lock(serving->mutex);
    serving->has_ended = true;
    serving->ended.notify_all();
  });
  const int status = wait_for(child, serving->session, stop);
  Report report;
  {
    // what the program has told and was not waiting for
    std::unique_lock lock(serving->mutex);
    while (!serving->has_ended && !stop)
      serving->ended.wait_for(lock, std::chrono::milliseconds(50));
    if (serving->has_ended) {
      lock.unlock();
      server.join();
      if (serving->failure) std::rethrow_exception(serving->failure);
      if (!stop) serving->session.finish(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    } else {
      server.detach();  // in a launch that nobody waits for
    }
  }
  report = serving->session.report();
  if (const auto now = serving->session.under_way(); now && stop) report.stopped_in = now->kernel;
  report.program = program.filename().string();
  report.stopped = stop;
  if (WIFEXITED(status)) report.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) report.signal = WTERMSIG(status);
  return report;
}

}  // namespace labkit::program
