// A suite's set-up that fails as a test. GoogleTest skips the tests of a suite whose SetUpTestSuite failed, and CTest reads
// "skipped" as "not here": nobody would hear of it.
#pragma once
#include <exception>
#include <functional>
#include <string>

namespace labkit {

/// What `set_up` threw, for SetUp() to hold against ""; it must not use EXPECT or ASSERT.
inline std::string failure_of(const std::function<void()>& set_up) {
  try {
    set_up();
    return "";
  } catch (const std::exception& error) {
    return std::string("the suite's set-up failed: ") + error.what();
  }
}

}  // namespace labkit
