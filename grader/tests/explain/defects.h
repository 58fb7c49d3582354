#pragma once

#include <string>

#include "explain/defect.h"

namespace labkit::explain {

inline grade::LabResult result_of(const std::string& verdict) {
  grade::LabResult result;
  grade::TestResult test;
  test.name = "A.B";
  test.kernel = "k";
  test.verdict = grade::verdict_from_text(verdict);
  test.launch = {{.kernel = "k<float>",
                  .grid = "2x2x1",
                  .block = "32x32x1",
                  .dynamic_shared_bytes = 0,
                  .scalars = {{"rows", "33"}, {"cols", "40"}}}};
  result.tests = {test};
  result.verdict = test.verdict;
  return result;
}

inline launch::Finding finding(launch::FindingKind kind, const std::string& space = {}) {
  launch::Finding made;
  made.kind = kind;
  made.space = space;
  return made;
}

inline std::string id(const grade::LabResult& result, const ExtentsOf& extents = {}) {
  const auto defect = first_defect(result, extents);
  return defect ? defect->id : "none";
}

}  // namespace labkit::explain
