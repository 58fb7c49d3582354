// A limit that a process puts on itself.
#pragma once
#include <cstdint>

namespace labkit::process {

/// At most `bytes` of memory to write to (RLIMIT_DATA), for this process and each child that it starts from now on: beyond
/// it an allocation throws std::bad_alloc. Room that is only reserved, libraries and files that are mapped do not count, so
/// that many threads do no harm. Returns false, and does nothing, in a build with AddressSanitizer (its shadow memory is
/// larger than any limit) and where the limit is lower already.
bool limit_own_memory(std::uint64_t bytes);

}  // namespace labkit::process
