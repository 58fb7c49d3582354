#pragma once
#include <string>

namespace labkit::cli {

/// `labkit new lab lab9_NAME`: the small complete lab of handouts/new_lab, with its answers, under that name, to be made one's own.
/// A name that is none, and an id that is taken, throw std::invalid_argument; then nothing was made.
int run_new_lab(const std::string& folder);

}  // namespace labkit::cli
