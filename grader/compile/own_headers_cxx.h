// Those of the kit's own headers that are C++: <type_traits>, <utility>, <limits>.
#pragma once

namespace labkit::compile {

const char* type_traits_text();
const char* utility_text();
const char* limits_text();

}  // namespace labkit::compile
