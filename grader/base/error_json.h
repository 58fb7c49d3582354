// Errors between the programs of the kit: {"id": ..., "message": ..., "remedy": ...}. A parent asks a
// program that it starts for this object (check programs: --error-fd; the workers answer with it), and
// never reads what the program prints for people.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace labkit {

/// One line; bytes that are no UTF-8 are replaced.
std::string error_json(const Error& error);
/// Empty if `text` is no such object: the program that was to write it was killed, say.
std::optional<Error> read_error_json(std::string_view text);

}  // namespace labkit
