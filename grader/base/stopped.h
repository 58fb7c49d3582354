// Somebody asked for an end (Ctrl-C, a newer file): neither a result nor anybody's fault.
#pragma once
#include <stdexcept>

namespace labkit {

class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("stopped") {}
};

}  // namespace labkit
