#include "device/worker/capture.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "base/descriptor.h"
#include "device/worker/driver.h"

namespace labkit::device::cuda {
namespace {

void redirect(int fd) {
  const Descriptor file(::memfd_create("printed", MFD_CLOEXEC));
  if (file.get() < 0 || ::dup2(file.get(), fd) < 0)
    throw Trouble{"no file in memory can be made for what kernels print", {}, error_id::kOther};
}

}  // namespace

Capture::Capture() : reply_fd_(::fcntl(1, F_DUPFD_CLOEXEC, kMemoryFd + 1)) {
  if (reply_fd_ < 0) throw Trouble{"stdout cannot be duplicated", {}, error_id::kOther};
  redirect(1);
  redirect(2);
}

void Capture::clear() {
  std::fflush(stdout);
  for (const int fd : {1, 2}) {
    ::lseek(fd, 0, SEEK_SET);
    if (::ftruncate(fd, 0) != 0)
      throw Trouble{"a file in memory cannot be emptied", {}, error_id::kOther};
  }
}

std::string Capture::written(int fd) const {
  std::fflush(nullptr);
  std::string text(kMostPrinted, '\0');
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  if (text.size() == kMostPrinted) {
    constexpr char kCut[] = "\n[more was printed than is kept]\n";
    text.resize(kMostPrinted - sizeof kCut);
    text += kCut;
  }
  return text;
}

void send(int fd, const Reply& reply) {
  if (!write_all(fd, encode(reply))) ::_exit(1);
}

}  // namespace labkit::device::cuda
