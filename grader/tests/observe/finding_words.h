// A finding as text, to compare two and to show what failed.
#pragma once
#include <string>

#include "launch/launch.h"
#include "observe/places.h"
#include "words/render.h"

namespace labkit::observe::test {

inline std::string words_of(const launch::Finding& f) {
  std::string text = std::string(launch::name_of(f.kind)) + " " + std::string(id_of(f.cause)) +
                     " " + std::string(name_of(f.other_access)) + " by " + triple(f.other_thread) +
                     triple(f.other_block) + " at " + spelled(f.other) + ", " +
                     std::string(name_of(f.access)) + " by " + triple(f.thread) + triple(f.block) +
                     " at " + spelled(f.where) + ", address " + hex(f.address) + "\n" + f.text;
  for (const words::Message& message : f.evidence) text += "\n" + words::render(message);
  if (f.fix) text += "\nFix: " + words::render(f.fix);
  return text;
}

}  // namespace labkit::observe::test
