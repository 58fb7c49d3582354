// All sanitizers on one launch: what `labkit profile --check` finds.
#pragma once
#include <span>
#include <vector>

#include "simt/machine.h"

namespace labkit::observe {

struct CheckedRun {
  simt::RunResult result;  ///< its findings are what stopped the launch
  std::vector<launch::Finding>
      findings;  ///< those too, then races, barriers, bounds, uninitialised reads
  bool has_errors() const;
};
/// simt::run under all checks. Findings of the same lines and kind come once, with their count. `also`: another observer of
/// the same launch, may be null.
CheckedRun run_checked(const simt::Program& program, const launch::Launch& launch,
                       std::span<const std::byte> parameter_block, simt::Memory& memory,
                       simt::RunOptions options = {}, simt::ObserverFactory* also = nullptr);

}  // namespace labkit::observe
