// How people call the program that they run, so that messages name what they can type.
#pragma once
#include <string>

namespace labkit {

/// "./kit" for whoever typed that, "docker run ... memory-labs" in the image: what LABKIT_COMMAND says,
/// which the wrapper sets. Without one, "labkit".
std::string command_name();

}  // namespace labkit
