// Whether the blocks that were traced stand for the launch: instruction by instruction, as often issued and as many sectors.
// Where they do not, others are traced that do (trace_typical_blocks), or the launch's time is not known from traces.
//
// The counters are of all blocks, so that nothing which a block does elsewhere is left out here. What two blocks do with the
// same instructions, as often, differs in their addresses alone.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "observe/counters.h"
#include "timing/locality.h"

namespace labkit::timing {

/// Kinds of work that are compared apart, so that much of one does not hide little of another.
inline constexpr std::array<std::string_view, 5> kWorkNames = {
    "instructions", "requests", "sectors", "shared accesses", "barriers"};

/// What the traced blocks and the launch differ in most.
struct Unlike {
  std::string work;  ///< one of kWorkNames
  /// Sum over the instructions of how far a traced block is from a block of the launch, over what the latter does. 0: the
  /// same; 2: nothing in common.
  double distance = 0;
};
/// nullopt: they stand for the launch. `counters` are of `blocks` blocks.
std::optional<Unlike> unlike_the_launch(std::span<const BlockTrace> traces,
                                        const observe::LaunchCounters& counters, double blocks);

/// Of a long block only the beginning of each warp is kept. False: the rest does other work (the stores at the end, or what
/// was kept for later on purpose), so that a block which does the mean of all work says more than these traces. Nothing is
/// refused for it: that mean holds all that the blocks do, whenever they do it.
bool beginnings_stand_for_blocks(std::span<const BlockTrace> traces,
                                 const observe::LaunchCounters& counters);

/// Runs the same launch once more, watched by the factory: of a launch whose blocks know nothing of one another, the given
/// blocks alone, else all. False: it did not complete.
using RunAgain = std::function<bool(simt::ObserverFactory&, std::span<const std::uint64_t> blocks)>;

/// Where the traces of `locality` do not stand for the launch: puts those of typical_blocks() in their place, unless they
/// went other ways than the first time.
void trace_typical_blocks(Locality& locality, const observe::LaunchCounters& counters,
                          double blocks, std::uint64_t seed, const RunAgain& run_again);

}  // namespace labkit::timing
