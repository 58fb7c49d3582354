// What counts before something comes in, to tell which grades change although nothing is run.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "class/gradebook/gradebook.h"

namespace labkit::course {

class Standing {
 public:
  explicit Standing(const Gradebook& book);
  /// A line for each student's lab whose grade is another now, or that has one now: "alice lab3: pass,
  /// 100 points, where it was fail, 40 points".
  std::vector<std::string> changes(const Gradebook& book) const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> grades_;
};

}  // namespace labkit::course
