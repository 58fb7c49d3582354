// Pieces that the JSON writers share. Private to report/.
#pragma once
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text.h"
#include "device/device.h"
#include "grade/result.h"
#include "launch/launch.h"

namespace labkit::report {

using Json = nlohmann::ordered_json;

/// Whole numbers as integers; what JSON has no number for (NaN, infinity) as null.
inline Json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::floor(value) && std::fabs(value) < 0x1p53)
    return static_cast<std::int64_t>(value);
  return value;
}
inline Json text(const std::string& value) { return to_valid_utf8(value); }
inline Json texts(const std::vector<std::string>& values) {
  Json array = Json::array();
  for (const std::string& value : values) array.push_back(text(value));
  return array;
}
template <typename Map>
Json numbers(const Map& map) {
  Json object = Json::object();
  for (const auto& [name, value] : map) object[name] = json_number(value);
  return object;
}
inline Json dim(const launch::Dim3& d) { return Json::array({d.x, d.y, d.z}); }
launch::Dim3 read_dim(const Json& json);
Json place(const launch::SourceLine& where);
launch::SourceLine read_place(const Json& json);

launch::Cause read_cause(const Json& json);
Json message(const words::Message& m);
words::Message read_message(const Json& json);
Json messages(const std::vector<words::Message>& all);
std::vector<words::Message> read_messages(const Json& json);
Json idle_statements(const std::vector<device::IdleStatement>& all);
std::vector<device::IdleStatement> read_idle_statements(const Json& json);
Json finding(const launch::Finding& f);
launch::Finding read_finding(const Json& json);

Json registers(const device::Registers& r);
device::Registers read_registers(const Json& json);

// ---- detail_json.cpp: what a launch did, by line and by memory instruction

/// "lines": per-line metrics, as `labkit profile --json` has them.
Json lines_json(const observe::LaunchCounters& counters);

/// The summary of samples: of each memory instruction its worst access; the shown block's accesses are left to the page.
Json samples_json(const observe::AccessSamples& samples);

/// All of the above, the counters of instructions that touch memory, and the bytes.
Json detail_json(const grade::LaunchDetail& detail);
/// What detail_json wrote: instructions that touch memory alone, and no accesses but the worst.
grade::LaunchDetail read_detail(const Json& json);

}  // namespace labkit::report
