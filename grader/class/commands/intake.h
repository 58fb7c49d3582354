// What `class grade` says of what came in, before it grades.
#pragma once
#include <filesystem>
#include <vector>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

/// Students, submissions and labs in a line; then what matched nobody, what is for no lab, what could
/// not be read, a screenful at most.
void say_intake(const Intake& intake, const std::vector<std::filesystem::path>& inputs);

/// What became of what was there before: who is gone from a download, what was handed in earlier than
/// what is there, what stays because this input is about other labs or students.
void say_merged(const Merged& merged);

}  // namespace labkit::course
