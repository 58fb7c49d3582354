// How a child is started, for run() and Companion. Private to this room.
#pragma once
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "process/process.h"

namespace labkit::process {

/// Throws labkit::Error: `what`, and what errno's `code` says.
[[noreturn]] void fail(const std::string& what, int code);

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

/// Ends the group and collects the child, also when an exception is under way.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)), usage_(other.usage_) {}
  Child& operator=(Child&&) = delete;
  ~Child();
  void kill_group() const;
  /// True once the child itself has ended; it stays a zombie, and its group's name taken, until
  /// collect().
  bool has_ended() const;
  /// Its status, as wait4 gives it.
  int collect();
  const struct rusage& usage() const { return usage_; }

 private:
  pid_t pid_;
  struct rusage usage_ {};
};

struct Started {
  Child child;
  Descriptor out, err;  ///< to read what it writes
};
/// Starts it with `in` as its stdin; Command::input is not looked at. Throws labkit::Error if it cannot
/// be started.
Started start(const Command& command, Descriptor in);

/// What became of a child: `end`, or signalled if its status says so.
void fill_in(Result& result, int status, const struct rusage& usage, const Limits& limits);

}  // namespace labkit::process
