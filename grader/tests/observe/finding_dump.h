// All that a finding says, to compare and to print.
#pragma once
#include <cstdint>
#include <string>

#include "launch/launch.h"

namespace labkit::observe::test {

inline std::string dump(const words::Message& message) {
  std::string text(words::name_of(message.id));
  for (const words::Parameter& parameter : message.parameters) {
    text += " " + parameter.name + "=";
    if (const auto* number = std::get_if<std::int64_t>(&parameter.value))
      text += std::to_string(*number);
    else if (const auto* name = std::get_if<std::string>(&parameter.value))
      text += *name;
    else if (const auto* line = std::get_if<words::SourceLine>(&parameter.value))
      text += "line " + std::to_string(line->line);
  }
  return text;
}

inline std::string dump(const launch::Finding& finding) {
  const auto at = [](const launch::Dim3& d) {
    return " (" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
  };
  std::string text =
      std::string(launch::name_of(finding.kind)) + " " + std::string(launch::id_of(finding.cause)) +
      " " + finding.space + " " + finding.array.name + " " + std::to_string(finding.address) +
      at(finding.thread) + at(finding.block) + at(finding.other_thread) + at(finding.other_block) +
      " " + std::to_string(finding.where.line) + " " + std::to_string(finding.other.line);
  for (const words::Message& message : finding.evidence) text += "\n" + dump(message);
  if (finding.fix) text += "\nFix: " + dump(finding.fix);
  return text;
}

}  // namespace labkit::observe::test
