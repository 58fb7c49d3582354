// Results of compilations on disk, one file a key. A cache that cannot be read or written costs
// time and nothing else.
#pragma once
#include <optional>
#include <string>

#include "compile/compile.h"

namespace labkit::compile {

/// The result kept under `key`, or nothing: also when the file is cut short, altered or of another
/// format.
std::optional<Result> read_cache(const std::string& directory, const std::string& key);

void write_cache(const std::string& directory, const std::string& key, const Result& result);

}  // namespace labkit::compile
