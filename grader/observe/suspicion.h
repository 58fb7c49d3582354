// A quick look at a launch that tells whether the sanitizers have anything to look at: it may cry wolf, and never misses
// what they would find. Clean kernels, nearly all of them, pay for this alone (checks.h).
//
// For each few bytes it keeps who wrote and who read: nobody, one thread, one warp, or more. Shared memory is judged at
// each barrier of the block (what one writes and another touches in between, ordered or not, is suspect) and then starts
// afresh; lanes of a warp that meet are from then on known only as their warp. Global memory is judged once, at the end;
// who reads it is of no interest where nobody writes, so that it is first followed only in allocations that the launch
// finds unwritten. A launch that writes to others, and reads them, needs a second look that follows all reads.
// A read of what was never written is suspect at once, and so are barriers that part of a block comes to, barriers of
// some warps, and accesses that leave the array they were meant for.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "observe/alike_blocks.h"
#include "observe/suspicion_owners.h"

namespace labkit::observe {

class Suspicion final : public simt::ObserverFactory {
 public:
  /// All must outlive it.
  Suspicion(const simt::Program& program, const launch::Launch& launch, const simt::Memory& memory,
            bool all_reads);
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const simt::Executions& executions) override;
  /// After simt::run.
  Suspects suspects() const;
  /// Whether reads were not followed that may clash with writes (all_reads was false).
  bool wants_all_reads() const;
  /// If there was none: what the launch left unwritten of allocations that were not written (Memory::defined).
  void mark_unwritten(simt::Memory& memory) const;

 private:
  /// By beginning: what each host thread did to it.
  std::map<std::uint64_t, std::vector<const Touched*>> allocations() const;
  class Watcher;
  SuspicionPlan plan_;
  unsigned reasons_ = 0;                                   ///< Suspects::Reason
  std::vector<std::map<std::uint64_t, Touched>> touched_;  ///< of each host thread, by beginning
  AlikeBlocks alike_;                                      ///< suspected of shared_order
};

}  // namespace labkit::observe
