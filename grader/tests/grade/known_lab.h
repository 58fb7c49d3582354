// The lab that figures.toml's tests are about: one test of correctness, one graded with two gates.
#pragma once
#include "grade/manifest.h"

namespace labkit::grade::test {

inline Manifest manifest() {
  return parse_manifest(R"(
title = "T"
idea = "I."
reference = "correct/a.cu"
[[kernel]]
expressions = ["k"]
parameters = ["float* p"]
[[test]]
name = "K.Right"
points = 1
about = "Right."
[[test]]
name = "K.Fast"
about = "Fast."
block = "32"
size = { n = 32 }
  [[test.gate]]
  name = "sectors"
  figure = "global_load_sectors"
  points = 0.5
  max = 5
  reason = "Because."
  next = "Try."
  [[test.gate]]
  name = "ratio"
  figure = "ratio"
  points = 0.5
  min = 0.5
  reason = "Because."
  next = "Try."
)",
                        "lab9_k", "lab.toml");
}

}  // namespace labkit::grade::test
