// What NVRTC sees of the machine beside its job: the time and the current folder, both as the job has
// them. A result that depended on the real ones would be another one tomorrow, or elsewhere.
#pragma once
#include <cstdint>
#include <string>

namespace labkit::compile {

/// Before the jail: a fixed time zone, and the time stands still from here on.
void fix_surroundings();

/// `clock` in seconds since 1970; `directory` is what NVRTC puts before a relative name in the line
/// table.
void set_surroundings(std::int64_t clock, const std::string& directory);

}  // namespace labkit::compile
