// A policy to begin one's own from.
#pragma once
#include <string>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

/// TOML with every key of policy.h and what it means. What stands in it as it is, is what holds without
/// any policy; lines with a key behind a # show another choice.
const char* sample_policy();

/// The policy file that the class was given last, as it was written; "" if none was.
std::string kept_policy_text(const Gradebook& book);

}  // namespace labkit::course
