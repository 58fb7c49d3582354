// The race detector: an observer that finds accesses which nothing orders. Its theory stands in race_clock.h, its memory in
// race_cells.h. It says the same for any number of host threads: within a block it follows the simulation, which is the
// same each time; blocks that nothing can order are compared at the end, cell by cell, whoever has simulated them. Kernels
// whose blocks can learn of one another run on one host thread (ProgramFacts::order_matters) and are followed as a whole.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "observe/race_updates.h"
#include "observe/suspects.h"
#include "observe/watching.h"
#include "simt/machine.h"

namespace labkit::observe {

struct RaceSide {
  std::uint64_t block = 0;   ///< linear
  std::uint32_t thread = 0;  ///< linear, in the block
  std::uint32_t instruction = 0;
  launch::Access access = launch::Access::read;
  bool reads() const { return access == launch::Access::read; }
  bool writes() const { return access == launch::Access::write; }  ///< no atomic operation
  bool is_atomic() const { return access == launch::Access::atomic; }
};
/// Who races; what orders wider ones orders the others, too.
enum class Relation : std::uint8_t { lanes, warps, blocks };

/// Races between the same two instructions, with the first pair of threads as an example.
struct Race {
  ptx::Space space = ptx::Space::shared;
  RaceSide first, second;  ///< in the order of the simulation, or of blocks
  std::uint64_t address = 0;
  bool same_value = false;      ///< both write the same
  bool several_places = false;  ///< it was seen at more than one address
  bool in_flight = false;       ///< the first is a cp.async that its thread has not yet waited for
  bool uncommitted =
      false;                ///< and that is in no group yet, so that the thread's waits left it out
  bool was_copied = false;  ///< the first is a cp.async, waited for
  Update first_update, second_update;  ///< of writes that are the ends of updates
  bool lost_update = false;            ///< both are
  /// A read and a write of updates by condition that all store the same (`if (*m < 7) *m = 7;`).
  bool guarded = false;
  /// The ends of updates that swap two elements: an atomic function cannot do that, a barrier orders the turns.
  bool exchanges = false;
  /// A read and a write, and the write stores what was computed from that read, by whichever thread: `s[t] += s[t + 16];`.
  bool in_one_statement = false;
  UpdateOperation operation = UpdateOperation::other;  ///< of a lost update, the second
  std::uint64_t count = 0;                             ///< places, and how often
  Span first_span, second_span;  ///< of shared memory: what the two instructions write in any block

  Relation relation() const {
    return first.block != second.block               ? Relation::blocks
           : first.thread / 32 != second.thread / 32 ? Relation::warps
                                                     : Relation::lanes;
  }
  bool both_write() const { return !first.reads() && !second.reads(); }
  bool both_store() const { return first.writes() && second.writes(); }
  bool any_atomic() const { return first.is_atomic() || second.is_atomic(); }
  /// Of a race with one read, that and the other.
  const RaceSide& reader() const { return first.reads() ? first : second; }
  const RaceSide& other() const { return first.reads() ? second : first; }
};

class Races final : public simt::ObserverFactory {
 public:
  explicit Races(const simt::Program& program, const Suspects& suspects = Suspects::all());
  ~Races() override;
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const simt::Executions& executions) override;
  /// After simt::run: those between blocks first, then between warps, then ordered by instructions. `failed_block`: of a
  /// launch that did not complete, the block that failed; only what earlier blocks did counts then.
  std::vector<Race> take(std::optional<std::uint64_t> failed_block = std::nullopt);

 private:
  struct Shadows;
  std::unique_ptr<Shadows> shadows_;
};

}  // namespace labkit::observe
