#include "device/worker/reply.h"

#include <unistd.h>

#include <cerrno>

namespace labkit::device::cuda {

void send(int fd, const Reply& reply) {
  const std::string bytes = encode(reply);
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t put = ::write(fd, rest.data(), rest.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) ::_exit(1);
    rest.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace labkit::device::cuda
