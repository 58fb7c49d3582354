// What the tests that need NVRTC share.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "compile/compile.h"

namespace labkit::compile {

/// About 3 MB of PTX from a few lines.
inline constexpr char kHugeTable[] = R"(
#define TEN(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ \
  __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
__device__ int table[] = {TEN(TEN(TEN(TEN(TEN(TEN(1,))))))};
__global__ void k(int* p) { p[0] = table[p[1]]; }
)";

/// Sets an environment variable (or unsets it, for nullptr) and puts it back.
class ScopedEnvironment {
 public:
  ScopedEnvironment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, was_set_ = true;
    set(value);
  }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
  ~ScopedEnvironment() { set(was_set_ ? old_.c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value == nullptr)
      ::unsetenv(name_);
    else
      ::setenv(name_, value, 1);
  }
  const char* name_;
  std::string old_;
  bool was_set_ = false;
};

/// A fixture whose tests are skipped, visibly, on a machine without NVRTC. They run on whichever
/// find_nvrtc() finds: LABKIT_NVRTC=/path/libnvrtc.so ctest -R compile runs them on another
/// version.
class WithNvrtc : public testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_ = find_nvrtc();
    } catch (const Error& error) {
      GTEST_SKIP() << "needs NVRTC: " << error.what();
    }
  }
  static Request request(std::string source, std::vector<std::string> kernels = {"k"}) {
    Request request;
    request.source = std::move(source);
    request.name = "kernel.cu";
    request.kernels = std::move(kernels);
    return request;
  }
  NvrtcInfo nvrtc_;
};

}  // namespace labkit::compile
