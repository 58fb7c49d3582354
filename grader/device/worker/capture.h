// What the driver writes to stdout and stderr on a kernel's behalf (printf, a failed assert) goes to
// files in memory, so that it can never be mixed with the replies.
#pragma once
#include <string>

#include "device/cuda_protocol.h"

namespace labkit::device::cuda {

class Capture {
 public:
  /// Takes over descriptors 1 and 2. Throws Trouble.
  Capture();
  /// The descriptor that was stdout: replies go there.
  int reply_fd() const { return reply_fd_; }
  void clear();
  /// Since clear(), to stdout and stderr; cut at kMostPrinted.
  std::string printed() const { return written(1); }
  std::string complaint() const { return written(2); }

 private:
  std::string written(int fd) const;
  int reply_fd_ = -1;
};

/// Writes the whole reply; ends the process if nobody reads any more.
void send(int fd, const Reply& reply);

}  // namespace labkit::device::cuda
