// A descriptor of the system's, closed when its owner goes.
#pragma once
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace labkit {

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
  /// Closes now; false with errno set if the system reports a late write error.
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// False with errno set if the system takes only a part.
inline bool write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t put = ::write(fd, contents.data(), contents.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    contents.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace labkit
