// Elements of a thread's own arrays, in clang's intermediate code.
#pragma once
#include <string>
#include <string_view>

namespace labkit::compile {

/// `c ? q[i] : q[j]` of an array of the thread's own: clang makes one load of the two before it unrolls the loop around them. Its
/// address is then no constant, and the array stays in local memory, where NVRTC keeps it in registers. So an empty asm is put
/// behind each of the two. `ir`: clang's, before any pass. "" if there is no such load.
std::string keep_loads_apart(std::string_view ir);

}  // namespace labkit::compile
