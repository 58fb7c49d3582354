// The observer that keeps samples of accesses: of each instruction its worst, and what one block did.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "launch/launch.h"
#include "observe/samples.h"
#include "simt/machine.h"

namespace labkit::observe {

/// Makes sampling observers; `take()` gives what they kept when simt::run has returned. Memory is bounded by the number of
/// memory instructions, times the warps of a block.
class Sampling final : public simt::ObserverFactory {
 public:
  /// `program` must outlive it.
  Sampling(const simt::Program& program, const launch::Launch& launch);
  ~Sampling() override;
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override;
  /// Without `ranges`.
  AccessSamples take();

 private:
  struct Plan;
  class Watcher;
  struct Kept;
  std::unique_ptr<Plan> plan_;
  std::vector<Kept> kept_;
};

/// The arrays of a launch whose buffers are in `memory`: buffers and module variables under the names that memory and the
/// source have for them, then what is declared in shared memory. By space, then address. Elements are not known here.
std::vector<NamedRange> named_ranges(const simt::Program& program, const launch::Launch& launch,
                                     const simt::Memory& memory);

}  // namespace labkit::observe
