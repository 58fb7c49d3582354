#include "process/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/enum_names.h"
#include "base/error.h"
#include "process/spawn.h"

namespace labkit::process {
namespace {

using Clock = std::chrono::steady_clock;

/// The child's stdin: a file in memory, written whole before the child starts, so that nobody has
/// to feed it.
Descriptor make_input(const std::string& text) {
  Descriptor file(::memfd_create("stdin", MFD_CLOEXEC));
  if (file.get() < 0) fail("cannot make a file in memory", errno);
  if (!write_all(file.get(), text)) fail("cannot write a file in memory", errno);
  if (::lseek(file.get(), 0, SEEK_SET) != 0) fail("cannot rewind a file in memory", errno);
  return file;
}

/// Reads both pipes until they and the child have ended, or a limit is met.
End attend(const Child& child, Descriptor& out, Descriptor& err, const Command& command,
           Clock::time_point start, Result& result) {
  const Limits& limits = command.limits;
  const auto remaining_ms = [&] {
    const std::chrono::duration<double> passed = Clock::now() - start;
    return limits.wall_seconds <= 0 ? 1e9 : 1e3 * (limits.wall_seconds - passed.count());
  };
  bool ended = false;
  while (true) {
    const bool open = out.get() >= 0 || err.get() >= 0;
    if (ended && !open) return End::exited;
    const double left = remaining_ms();
    if (!ended && left <= 0) return End::timed_out;
    if (!ended && command.stop && *command.stop) return End::stopped;
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
      std::string& text = i == 0 ? result.out : result.err;
      read_some(i == 0 ? out : err, text);
      const std::size_t total = result.out.size() + result.err.size();
      if (limits.output_bytes == 0 || total <= limits.output_bytes) continue;
      text.resize(text.size() - (total - limits.output_bytes));
      return End::output_limit;
    }
    if (!ended && child.has_ended()) {
      ended = true;
      child.kill_group();  // what it left behind would hold the pipes open
    }
  }
}

}  // namespace

std::string_view name_of(End end) {
  constexpr std::string_view kNames[] = {"exited", "signalled", "timed_out", "output_limit",
                                         "stopped"};
  return name_in(kNames, end);
}

Result run(const Command& command) {
  const Clock::time_point begin = Clock::now();
  Started started = start(command, make_input(command.input));
  Result result;
  result.end = attend(started.child, started.out, started.err, command, begin, result);
  started.child.kill_group();
  const int status = started.child.collect();
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  fill_in(result, status, started.child.usage(), command.limits);
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
  switch (result.end) {
    case End::exited:
      return fmt::format("exited with code {}", result.exit_code);
    case End::timed_out:
      return fmt::format("stopped after {} s", limits.wall_seconds);
    case End::output_limit:
      return fmt::format("stopped after {} bytes of output", limits.output_bytes);
    case End::stopped:
      return "stopped on request";
    case End::signalled:
      break;
  }
  if (result.cpu_limit) return fmt::format("stopped after {} s of CPU time", limits.cpu_seconds);
  const char* name = ::strsignal(result.signal);
  return fmt::format("killed by signal {} ({})", result.signal, name ? name : "?");
}

std::string own_executable() {
  std::array<char, 4096> path;
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0 || static_cast<std::size_t>(size) == path.size())
    fail("cannot read /proc/self/exe", size < 0 ? errno : ENAMETOOLONG);
  return std::string(path.data(), static_cast<std::size_t>(size));
}

std::string own_version() {
  const std::filesystem::path program = own_executable();
  return program.string() + "|" +
         std::to_string(std::filesystem::last_write_time(program).time_since_epoch().count()) +
         "|" + std::to_string(std::filesystem::file_size(program));
}

std::string program_of_the_kit(const std::string& name) {
  const char* libexec = std::getenv("LABKIT_LIBEXEC");
  const bool is_named = libexec != nullptr && *libexec != '\0';
  const std::filesystem::path folder = is_named
                                           ? std::filesystem::path(libexec)
                                           : std::filesystem::path(own_executable()).parent_path();
  const std::filesystem::path path = folder / name;
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    throw Error("the kit's program " + path.string() + " is not there",
                is_named ? "LABKIT_LIBEXEC should name the folder that holds it."
                         : "Build the whole project: cmake --build --preset default",
                error_id::kNotBuilt);
  return path.string();
}

}  // namespace labkit::process
