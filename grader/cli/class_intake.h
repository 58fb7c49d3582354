// What `class grade` says of what came in, before it grades.
#pragma once
#include <filesystem>

#include "course/intake.h"

namespace labkit::cli {

/// Students, submissions and labs in a line; then what matched nobody, what is for no lab, what could
/// not be read, a screenful at most.
void say_intake(const course::Intake& intake, const std::filesystem::path& input);

}  // namespace labkit::cli
