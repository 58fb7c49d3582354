// All sanitizers on one launch: what `labkit profile --check` finds, and every correctness test of a lab.
//
//   race           accesses that nothing orders (races.h); a copy by cp.async that is touched before its thread has waited
//                  for it is one, for it is the copy that races
//   uninitialized  a value that nobody wrote and that decides something (simt/definedness.h). What shfl.sync reads from a
//                  lane that does not take part is undefined in the same sense (PTX ISA, shfl.sync), followed in the same
//                  way, and of this kind, so that what is read and thrown away is no finding; its space is empty
//   barrier        divergent or skipped barriers (sanitizers.h), and instructions between lanes whose masks do not match:
//                  compute-sanitizer's synccheck has both, as "Barrier error detected"
//   out_of_bounds  also of the declared extent of a shared array (sanitizers.h)
//
// What cp.async reads counts as read when it is issued.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "observe/suspects.h"
#include "simt/machine.h"

namespace labkit::observe {

/// An access costs the sanitizers so many times what it costs the quick look, and more (tests/bench/budget_bench).
inline constexpr std::uint64_t kCloseLookCosts = 8;

struct CheckedRun {
  /// Its findings are what stopped the launch; its cost is that of all looks, the close ones kCloseLookCosts times.
  simt::RunResult result;
  std::vector<launch::Finding>
      findings;                 ///< those too, then races, barriers, bounds, uninitialised reads
  bool looked_closely = false;  ///< the quick look was not enough
  std::uint64_t dearest_look =
      0;  ///< the most that one look cost by itself: each has the whole budget
  bool has_errors() const;
};
/// simt::run under all checks. Findings of the same lines and kind come once, with their count. First a quick look
/// (suspicion.h); only if that finds anything odd the launch is run again, from what memory held before, under those of the
/// sanitizers that have something to look at. All blocks run again: what one reads another may have written. Where blocks
/// may race for what decides, all looks that count are on one host thread (result.threads), and say the same for any number
/// of them. Afterwards memory.defined() says of allocations that were not written what is still not.
/// `restore` brings back what `memory` held, at the same addresses; without it a copy is kept.
CheckedRun run_checked(const simt::Program& program, const launch::Launch& launch,
                       std::span<const std::byte> parameter_block, simt::Memory& memory,
                       simt::RunOptions options = {}, const std::function<void()>& restore = {});

/// The sanitizers themselves, without the quick look; those that have something to look at, at what there is.
CheckedRun look_closely(const simt::Program& program, const launch::Launch& launch,
                        std::span<const std::byte> parameter_block, simt::Memory& memory,
                        simt::RunOptions options = {}, const Suspects& suspects = Suspects::all());

/// Adds what `more` has about other lines, or more seriously: findings of the same launch in another build.
void add_findings(std::vector<launch::Finding>& findings, const std::vector<launch::Finding>& more);

}  // namespace labkit::observe
