// Read before each source that clang compiles as a whole program: what nvcc reads before it.
#pragma once
#define LABKIT_WITH_HOST 1
#include <cassert>
#include <math.h>  // isnan() and the like without std::, too
#include <cstdlib>
#include <cstring>
// clang-format off: the second needs the first's types
#include <labkit_cuda.h>
#include <cuda_runtime.h>
// clang-format on

/// What assert() of the C library calls, in device code.
extern "C" __attribute__((device, noreturn)) inline void __assert_fail(const char* condition,
                                                                       const char* file,
                                                                       unsigned int line,
                                                                       const char* function) {
  __assertfail(condition, file, line, function, 1);
}
