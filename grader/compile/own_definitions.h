// The toolkit's headers for NVRTC define integer types and limits themselves, since there is no host
// library: cuda_pipeline_helpers.h and libcu++ have uint64_t as a long long, which clashes with the long
// that <cstdint> has (ours, and nvcc's).
#pragma once
#include <string>
#include <string_view>

namespace labkit::compile {

/// A toolkit header's text that takes our integer types, and our macros where they are there first:
/// whichever of the two is included first, nothing clashes.
std::string with_own_definitions(std::string_view text);

}  // namespace labkit::compile
