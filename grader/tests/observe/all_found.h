// What run_checked spares must not be missed.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "finding_dump.h"
#include "observe/checks.h"
#include "tests/finding_words.h"

namespace labkit::observe::test {

using launch::all_words;

/// Holds `result` against all sanitizers on all blocks. `memory` is as it was before the launch, at the same addresses.
inline void expect_all_found(const CheckedRun& result, const simt::Program& program,
                             const launch::Launch& launch, std::span<const std::byte> parameters,
                             simt::Memory& memory, const simt::RunOptions& options) {
  const auto all = look_closely(program, launch, parameters, memory, options);
  std::set<std::pair<std::string, std::uint64_t>> found, expected;  // with how often
  for (const auto& finding : result.findings) found.emplace(dump(finding), finding.count);
  for (const auto& finding : all.findings) expected.emplace(dump(finding), finding.count);
  EXPECT_EQ(found, expected);
}

}  // namespace labkit::observe::test
