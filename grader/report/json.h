// Results as JSON. Numbers that are whole are written as integers; text is valid UTF-8 whatever it
// was.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "grade/profile.h"
#include "grade/result.h"

namespace labkit::report {

/// One lab's result, with a line end at the end. "format": 1 stands for the meaning of the keys.
std::string lab_json(const grade::LabResult& result);
/// Several, as {"format": 1, "labs": [...]}.
std::string labs_json(const std::vector<grade::LabResult>& results);
/// Reads what lab_json wrote. Throws labkit::Error naming `name` if it is anything else.
grade::LabResult read_lab_json(const std::string& text, const std::string& name);

/// {"Transpose.Graded": TestResult::registers as lab_json writes them, ...}. Throws labkit::Error naming `name` if it is
/// anything else.
std::map<std::string, device::Registers> read_registers_json(const std::string& text,
                                                             const std::string& name);

/// `labkit profile`: of each launch metrics, lines, findings, time_us, simulator.
std::string profile_json(std::span<const grade::Profile> launches);

}  // namespace labkit::report
