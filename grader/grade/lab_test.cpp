// GoogleTest's side of lab_test.h. What failed is in the session; GoogleTest is told only that
// something did.
#include "grade/lab_test.h"

#include "grade/session.h"

namespace labkit::lab {
namespace {

void tell_googletest(const Verdict& verdict) {
  if (verdict.kind == "not_attempted") GTEST_SKIP();
  if (!verdict.passed()) GTEST_FAIL() << verdict.text();
}

}  // namespace

void check(const std::vector<Case>& cases) {
  session().check(cases);
  tell_googletest(session().current_verdict());
}
void check(const Case& one) { check(std::vector<Case>{one}); }

void grade(const std::function<Case()>& make) {
  session().grade(make);
  tell_googletest(session().current_verdict());
}

std::optional<std::vector<int>> shape_from_kernel(std::string_view kernel, std::string_view name,
                                                  std::initializer_list<Limit> limits) {
  auto values = session().shape_from_kernel(kernel, name, limits);
  if (!values) tell_googletest(session().current_verdict());
  return values;
}

}  // namespace labkit::lab
