#include "base/command_name.h"

#include <cstdlib>

namespace labkit {

std::string command_name() {
  const char* said = std::getenv("LABKIT_COMMAND");
  if (!said || !*said) return "labkit";
  for (const char* c = said; *c; ++c)  // it ends in terminals and in files
    if (static_cast<unsigned char>(*c) < 0x20 || *c == 0x7f) return "labkit";
  return said;
}

}  // namespace labkit
