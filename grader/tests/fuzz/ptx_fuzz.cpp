// Any text at all: ptx::parse and the passes must come back, with a module that keeps its promises
// or with an error.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/ptx/run_everything.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  labkit::ptx::test::run_everything(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
