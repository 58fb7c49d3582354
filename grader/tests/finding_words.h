// A finding in words, for tests that compare two and for what they print.
#pragma once
#include <string>

#include "launch/launch.h"
#include "words/render.h"

namespace labkit::launch {

/// All that is said of it, a line each.
inline std::string all_words(const Finding& finding) {
  const auto place = [](const SourceLine& line) {
    return line.file + ":" + std::to_string(line.line);
  };
  std::string text = std::string(name_of(finding.kind)) + " " + std::string(id_of(finding.cause)) +
                     "\n" + std::string(name_of(finding.access)) + " " + finding.space + " " +
                     std::to_string(finding.address) + " at " + place(finding.where) + ", " +
                     place(finding.other) + " by " + triple(finding.thread) +
                     triple(finding.block) + "\n";
  for (const auto& message : finding.evidence) text += words::render(message) + "\n";
  if (finding.fix) text += "Fix: " + words::render(finding.fix) + "\n";
  return text;
}

}  // namespace labkit::launch
