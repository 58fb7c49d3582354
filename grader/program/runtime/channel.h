// The program's end of the socket to labkit. One request at a time, whichever thread asks.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "program/protocol.h"

namespace labkit::program {

using Bytes = std::span<const std::byte>;
template <typename T>
Bytes bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}
inline Bytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

struct Answer {
  std::int32_t error = kNotSupported;
  std::vector<std::byte> bytes;
  /// The structure at `offset`; as it is made where the answer is shorter.
  template <typename T>
  T get(std::size_t offset = 0) const {
    T value;
    if (offset + sizeof value <= bytes.size())
      __builtin_memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
};

class Channel {
 public:
  Channel();  ///< from the environment; not connected where the program was not started by labkit
  bool is_connected() const { return socket_ >= 0; }
  int memory() const { return memory_; }  ///< the file in memory
  Answer ask(Op op, std::initializer_list<Bytes> parts);
  void tell(Op op, std::initializer_list<Bytes> parts);

 private:
  bool send(Op op, std::initializer_list<Bytes> parts);
  bool receive(void* to, std::size_t bytes);
  int socket_ = -1, memory_ = -1;
};

}  // namespace labkit::program
