#pragma once
#include <string_view>
#include <vector>

#include "class/intake/intake.h"

namespace labkit::course {

/// The one student whose id is `named`; else whose name (in any order of its words, with or without
/// accents), e-mail, login or number it is; else whose name has all its words. Throws
/// std::invalid_argument, listing who comes near, for nobody and for several.
const Student& find_student(const std::vector<Student>& students, std::string_view named);

}  // namespace labkit::course
