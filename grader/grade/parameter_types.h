// Types of a kernel's parameters, which PTX does not know: it has bits alone.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace labkit::grade {

/// As the entry's mangled name says: "float const*". "" where it does not, as with `extern "C"`.
std::string parameter_type(std::string_view entry, std::size_t parameter);

}  // namespace labkit::grade
