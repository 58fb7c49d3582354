// What the warps of some blocks did, in order: what replay.h replays. Recorded beside the counters (locality.h).
#pragma once
#include <cstdint>
#include <vector>

#include "simt/observer.h"
#include "timing/flat_words.h"
#include "timing/request.h"

namespace labkit::timing {

struct TraceEvent {
  /// commit, wait: of cp.async, whose two accesses are a load and a shared store.
  enum class Kind : std::uint8_t {
    load,
    store,
    atomic,
    shared_load,
    shared_store,
    barrier,
    commit,
    wait
  };
  static constexpr std::uint16_t kAllGroups = 0xffff;
  std::uint32_t instruction = 0;  ///< as in simt::Access
  std::uint16_t warp = 0;         ///< in the block
  Kind kind = Kind::load;
  std::uint8_t lines = 0;         ///< of a global access: distinct 128-byte lines
  std::uint16_t wavefronts = 0;   ///< of a global access: passes through L1
  std::uint16_t groups = 0;       ///< of a wait: that may still be under way
  std::uint32_t first_touch = 0;  ///< of its lines in BlockTrace::touches
  friend bool operator==(const TraceEvent&, const TraceEvent&) = default;
};

/// A line that an access touches. Bits 0 to 3: its sectors touched; 4 and 5: its 64-byte atoms that the block had not
/// loaded before (of a load); from 7: the line's address.
using LineTouch = std::uint64_t;

struct BlockTrace {
  std::uint64_t block = 0;
  std::uint32_t warps = 0;
  std::uint64_t events_seen = 0;
  std::uint64_t events_kept = 0;    ///< fewer if the block makes very many; merged ones count
  std::uint64_t requests_seen = 0;  ///< of the events seen: to global and local memory
  std::uint64_t path = 0;           ///< simt::BlockTotals
  /// All of the block, by instruction: how often a warp issued it, and the sectors of its requests seen.
  std::vector<std::uint64_t> executions, sectors;
  std::vector<std::uint32_t> seen, kept;  ///< events of each instruction
  std::vector<TraceEvent> events;
  std::vector<LineTouch> touches;
  friend bool operator==(const BlockTrace&, const BlockTrace&) = default;
};

/// Records block after block; every warp of a block up to its share of the limits.
class TraceRecorder {
 public:
  /// What is kept of a block at most.
  static constexpr std::size_t kEvents = 16384, kTouches = 65536;

  void begin(std::uint64_t block, std::uint32_t threads);
  /// A global or local access.
  void on_access(const simt::Access& access, const Touched& touched);
  void on_shared(const simt::Access& access);
  void on_barrier(std::uint32_t warp, std::uint32_t instruction);
  void on_async(const simt::AsyncEvent& event);
  void on_total(const simt::BlockTotals& total);
  BlockTrace take();
  std::uint64_t block() const { return trace_.block; }

 private:
  bool has_room(std::uint32_t warp, std::uint32_t instruction);
  void add(std::uint32_t warp, std::uint32_t instruction, TraceEvent::Kind kind);

  struct Kept {
    std::uint32_t events = 0, touches = 0;
    std::uint32_t last_store = ~0u;  ///< the event, if the warp did nothing else since
    bool has_loaded = false;
    float merges = 0;  ///< of which a whole one is a store that leaves with the one before
  };
  /// The store leaves with the last one of its warp, which becomes both.
  bool is_merged(Kept& kept, const TraceEvent& event);
  bool goes_to_lines_of(std::uint32_t store, const TraceEvent& event) const;

  BlockTrace trace_;
  FlatWords atoms_;  ///< loaded by the block, by line
  std::vector<Kept> kept_;
};

}  // namespace labkit::timing
