// What run_checked spares must not be missed.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <span>
#include <string>

#include "observe/checks.h"

namespace labkit::observe::test {

/// Holds `result` against all sanitizers on all blocks. `memory` is as it was before the launch, at the same addresses.
inline void expect_all_found(const CheckedRun& result, const simt::Program& program,
                             const launch::Launch& launch, std::span<const std::byte> parameters,
                             simt::Memory& memory, const simt::RunOptions& options) {
  const auto all = look_closely(program, launch, parameters, memory, options);
  std::set<std::string> found, expected;
  for (const auto& finding : result.findings) found.insert(finding.text);
  for (const auto& finding : all.findings) expected.insert(finding.text);
  EXPECT_EQ(found, expected);
}

}  // namespace labkit::observe::test
