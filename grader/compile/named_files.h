// The file names in PTX (`.file 1 "/kernel.cu"`), from which findings take theirs.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace labkit::compile {

/// `ptx` in which each file is called as a student knows it: `name` or one of `headers`, without
/// `directory`. Any other name is not the compiler's but the source's own (a `.file` in inline `asm`)
/// and becomes `name`: a report never names a file that was not compiled.
std::string with_known_files(std::string_view ptx, const std::string& name,
                             const std::string& directory,
                             const std::map<std::string, std::string>& headers);

}  // namespace labkit::compile
