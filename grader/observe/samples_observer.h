// The observer that keeps samples of accesses: of each instruction its worst.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "launch/launch.h"
#include "observe/access_cost.h"
#include "observe/samples.h"
#include "simt/machine.h"

namespace labkit::observe {

struct CostedAccess {
  AccessCosts::SharedView view;  ///< of shared memory
  AccessCost cost;
};
/// nullopt for what is not counted: another instruction stands for it.
std::optional<CostedAccess> cost_of(const simt::Access& access, AccessCosts& costs);
WarpAccess warp_access(const simt::Access& access, const CostedAccess& costed,
                       std::uint32_t execution);

/// Makes sampling observers; `take()` gives what they kept when simt::run has returned. Memory is bounded by the number of
/// memory instructions, times the warps of a block.
class Sampling final : public simt::ObserverFactory {
 public:
  /// `program` must outlive it.
  Sampling(const simt::Program& program, const launch::Launch& launch);
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const simt::Executions& executions) override;
  /// Without `ranges`.
  AccessSamples take();

 private:
  class Watcher;
  const simt::Program& program_;
  std::uint32_t warps_ = 0;             ///< of a block
  std::vector<std::int32_t> first_of_;  ///< instruction -> its first place, one a space; -1: none
  std::vector<std::uint32_t> instruction_;  ///< of each place
  std::vector<InstructionSamples> kept_;    ///< by place
};

/// The arrays of a launch whose buffers are in `memory`: buffers and module variables under the names that memory and the
/// source have for them, then what is declared in shared memory. By space, then address. Elements are not known here.
std::vector<NamedRange> named_ranges(const simt::Program& program, const launch::Launch& launch,
                                     const simt::Memory& memory);

}  // namespace labkit::observe
