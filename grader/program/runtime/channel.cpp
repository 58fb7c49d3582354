#include "program/runtime/channel.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace labkit::program {

Channel::Channel() {
  const char* text = std::getenv(kDescriptorsVariable);
  if (text == nullptr || std::sscanf(text, "%d,%d", &socket_, &memory_) != 2) {
    socket_ = memory_ = -1;
    std::fputs("cudart: this program needs a GPU, or the simulator: labkit run PROGRAM\n", stderr);
  }
}

bool Channel::send(Op op, std::initializer_list<Bytes> parts) {
  std::size_t size = 0;
  for (const Bytes& part : parts) size += part.size();
  const Request request{op, static_cast<std::uint32_t>(size)};
  std::vector<std::byte> all(sizeof request + size);
  __builtin_memcpy(all.data(), &request, sizeof request);
  std::size_t at = sizeof request;
  for (const Bytes& part : parts) {
    if (!part.empty()) __builtin_memcpy(all.data() + at, part.data(), part.size());
    at += part.size();
  }
  for (std::size_t sent = 0; sent < all.size();) {
    const ssize_t n = ::send(socket_, all.data() + sent, all.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

bool Channel::receive(void* to, std::size_t bytes) {
  for (auto* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t n = ::read(socket_, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

Answer Channel::ask(Op op, std::initializer_list<Bytes> parts) {
  Answer answer;
  if (!is_connected()) return answer;
  Reply reply;
  if (send(op, parts) && receive(&reply, sizeof reply)) {
    answer.error = reply.error;
    answer.bytes.resize(reply.bytes);
    if (receive(answer.bytes.data(), reply.bytes)) return answer;
  }
  std::fputs("cudart: labkit has ended\n", stderr);
  std::_Exit(3);
}

void Channel::tell(Op op, std::initializer_list<Bytes> parts) {
  if (is_connected()) send(op, parts);
}

}  // namespace labkit::program
