// What a kernel printed, for a terminal: its first lines, each behind a bar, so that none can pass for one of ours.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace labkit::report {

/// At most `most` lines, and how many more there are; `rest` says where they stand: "labkit profile --json FILE".
std::string printed_lines(std::string_view printed, std::size_t most, std::string_view rest = {});

}  // namespace labkit::report
