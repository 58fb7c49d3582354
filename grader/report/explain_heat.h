// How much each line of a source costs, in the three ways that the page shows. Private to report/.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grade/result.h"

namespace labkit::report {

enum class Heat : std::uint8_t {
  sectors,     ///< global and local sectors beyond what the bytes need
  wavefronts,  ///< shared wavefronts beyond what the bytes need: bank conflicts
  traffic,     ///< share, 0 to 1, of what sets the time
};
inline constexpr Heat kHeats[] = {Heat::sectors, Heat::wavefronts, Heat::traffic};
/// "sectors", ...: part of class names.
std::string name_of(Heat heat);

struct LaunchHeat {
  std::map<std::uint32_t, double> lines[3];  ///< by Heat: line -> value, above 0
  std::string traffic;                       ///< what the share is of: "DRAM: global sectors"
  double total(Heat heat) const;
  const std::map<std::uint32_t, double>& of(Heat heat) const {
    return lines[static_cast<std::size_t>(heat)];
  }
};
/// Of the lines of `file` alone.
LaunchHeat heat_of(const lab::LaunchDetail& detail, const std::string& file);

}  // namespace labkit::report
