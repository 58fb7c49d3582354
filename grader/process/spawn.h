// How a child is started, for run() and Companion. Private to this room.
#pragma once
#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "process/process.h"

namespace labkit::process {

/// Throws labkit::Error: `what`, and what errno's `code` says.
[[noreturn]] void fail(const std::string& what, int code);

struct Pipe {
  Descriptor read, write;
};
/// Both ends numbered `lowest` or more.
Pipe make_pipe(int lowest);

/// Appends to `text` what there is to read, and closes `from` at its end.
void read_some(Descriptor& from, std::string& text);

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
