// The profiles that the program carries, as text (profiles.cpp.in).
#pragma once
#include <string>
#include <vector>

namespace labkit::timing {

struct ProfileText {
  std::string name;
  std::string toml;
};
const std::vector<ProfileText>& profile_texts();

}  // namespace labkit::timing
