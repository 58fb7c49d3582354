// Names of people and of files, as a download has them.
#pragma once
#include <string>
#include <vector>

#include "base/unicode.h"

namespace labkit::course {

/// Every way in which a name may be squashed or turned around: two that share one of these are one ("libo", "Li, Bo").
/// Canvas writes "Garcia, Ana" as "garciaana".
std::vector<std::string> name_keys(const std::string& name);

}  // namespace labkit::course
