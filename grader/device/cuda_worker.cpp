#include "device/cuda_worker.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include "base/error.h"

namespace labkit::device::cuda {
namespace {

/// For the driver's end; a profiler may have much to write.
constexpr double kEndSeconds = 20;

[[noreturn]] void fail(const std::string& what) {
  throw Error(what + ": " + std::strerror(errno),
              "Use smaller inputs, or a machine with more memory.");
}

process::Command command_for(const SharedMemory& memory,
                             const std::vector<std::string>& environment) {
  process::Command command;
  command.argv = {process::program_of_the_kit(kWorkerName)};
  // The worker runs no student's host code, and CUDA, its profilers and its debugger are told what
  // to do through the environment.
  command.environment = environment;
  command.keep = {memory.fd()};
  return command;
}

struct Idle {
  std::mutex mutex;
  std::unique_ptr<Worker> worker;
};
Idle& idle() {
  static Idle kept;
  return kept;
}

}  // namespace

SharedMemory::SharedMemory() : file_(::memfd_create("labkit-plan", MFD_CLOEXEC)) {
  if (fd() < 0) fail("cannot make a file in memory");
}

SharedMemory::~SharedMemory() { unmap(); }

void SharedMemory::unmap() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
  data_ = nullptr;
}

void SharedMemory::resize(std::uint64_t bytes) {
  unmap();
  bytes_ = bytes;
  if (::ftruncate(fd(), 0) != 0 || ::ftruncate(fd(), static_cast<off_t>(bytes)) != 0)
    fail("cannot make a file in memory of " + std::to_string(bytes >> 20) + " MiB");
  if (bytes == 0) return;
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd(), 0);
  if (at == MAP_FAILED) fail("cannot map " + std::to_string(bytes >> 20) + " MiB of memory");
  data_ = static_cast<std::byte*>(at);
}

std::vector<std::byte> SharedMemory::take(std::uint64_t at, std::uint64_t bytes) {
  std::vector<std::byte> taken(data_ + at, data_ + at + bytes);
  // Large outputs would lie in memory twice otherwise; if the system will not, they do.
  if (bytes > 0)
    ::fallocate(fd(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at),
                static_cast<off_t>(whole_pages(bytes)));
  return taken;
}

Worker::Worker() : environment_(process::whole_environment()) { restart(); }

void Worker::restart() {
  companion_ = std::make_unique<process::Companion>(command_for(memory_, environment_));
}

Worker::~Worker() { companion_->finish(is_watched_by_tools() ? 0 : kEndSeconds); }

std::vector<Reply> Worker::ask(Request request, double wall_seconds) {
  if (presence_) request.idle_contexts = presence_->others();
  std::string answer;
  companion_->ask(encode(request), answer, is_done, is_watched_by_tools() ? 0 : wall_seconds);
  return decode_replies(answer);
}

std::string describe_end(const process::Result& run, double wall_seconds) {
  return process::describe(run, {.wall_seconds = wall_seconds});
}

void worker_error(const process::Result& run, double wall_seconds) {
  throw Error(std::string(kWorkerName) + " " + describe_end(run, wall_seconds) +
                  (run.err.empty() ? "" : ": " + run.err),
              "See whether nvidia-smi works, and run it again; --device sim needs no GPU.",
              error_id::kGpuFailed);
}

void keep_idle(std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(idle().mutex);
  if (!worker->has_ended()) idle().worker = std::move(worker);
}

std::unique_ptr<Worker> idle_or_new() {
  {
    const std::lock_guard lock(idle().mutex);
    if (std::unique_ptr<Worker> worker = std::move(idle().worker); worker && worker->is_current())
      return worker;
  }
  return std::make_unique<Worker>();
}

}  // namespace labkit::device::cuda
