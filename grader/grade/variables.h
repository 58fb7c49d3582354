// Contents of variables that a file declares outside its functions.
#pragma once
#include <map>
#include <string>

#include "launch/arguments.h"

namespace labkit::grade {

/// Gives __constant__ and __device__ variables, by their names in the source, other contents in the PTX. Throws
/// std::invalid_argument naming the first that is not there, or is of another size.
void set_variables(std::string& ptx,
                   const std::map<std::string, launch::ParsedArgument>& variables);

/// The array with what its file holds, if it has one. Throws std::invalid_argument where they do not fit.
launch::Buffer array_of(const launch::ParsedArgument& argument);

}  // namespace labkit::grade
