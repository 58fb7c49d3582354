// Where a launch's global accesses fall, as far as its time depends on it: what counters of single
// requests cannot see. An observer of the access stream, on a sample of the blocks so that it costs
// little; install it beside the counters.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "simt/observer.h"
#include "timing/drawn_blocks.h"
#include "timing/trace.h"

namespace labkit::timing {

/// Lines of which a 64-byte atom was written in part by one block and in part by another.
struct TornLines {
  /// Between the first and the last of the blocks, in launch order.
  std::uint64_t distance_blocks = 0;
  std::uint64_t words = 0;  ///< 4-byte words written to such lines; a whole line has 32
  friend bool operator==(const TornLines&, const TornLines&) = default;
};

/// Sums over the sampled blocks, not scaled. A line is 128 bytes, a sector 32, an atom 64: what an
/// H200's L1 looks up, moves, and reads from DRAM.
struct Locality {
  // Loads (and atomics), of `close_blocks` blocks.
  std::uint64_t close_blocks = 0;
  std::uint64_t load_requests = 0;
  std::uint64_t load_wavefronts = 0;  ///< passes through L1's data array (Touched::wavefronts)
  std::uint64_t load_sectors = 0;     ///< distinct per request
  /// Distinct per block: what an L1 that forgets nothing asks of L2.
  std::uint64_t load_block_sectors = 0;
  std::uint64_t load_packets = 0;      ///< lines of which the block had not all sectors yet
  std::uint64_t load_reuse_lines = 0;  ///< lines per block that L1 must hold between two uses
  std::uint64_t load_atoms = 0;        ///< distinct over the sample: what DRAM must read
  // Stores, of the same blocks.
  std::uint64_t store_requests = 0;
  std::uint64_t store_wavefronts = 0;
  std::uint64_t store_lines = 0;  ///< distinct per request: packets to L2
  // What is stored, of `store_blocks` blocks.
  std::uint64_t store_blocks = 0;
  std::uint64_t store_block_lines = 0;      ///< distinct per block
  std::uint64_t store_sectors = 0;          ///< distinct over the sample
  std::uint64_t store_partial_sectors = 0;  ///< of these: not written as a whole
  std::uint64_t store_chunks = 0;           ///< distinct 256-byte pieces of memory written
  std::uint64_t store_block_requests = 0;   ///< of these `store_blocks` blocks
  bool loads_what_it_stores = false;        ///< the addresses loaded and stored overlap
  std::vector<TornLines> torn;              ///< by rising distance
  // Loads of the same `store_blocks` blocks: of one 256-byte chunk of kWindowPart.
  static constexpr std::uint64_t kWindowPart = 16;
  std::uint64_t window_atoms = 0;                       ///< distinct over the sample
  std::uint64_t window_chunks = 0, window_regions = 0;  ///< the same in chunks, in 64 KiB
  /// Distinct per block, those that another block touched first, by how many blocks before: [0] 1, [1] 2 or 3, [2] 4
  /// to 7, ...
  std::array<std::uint64_t, 12> window_again{};
  // Atomics on global memory, of `close_blocks` blocks.
  /// Passes of requests to the 512-byte chunk that has most, which one slice of L2 serves: of each sector as many as lanes
  /// want one word of it. Lanes that are joined count once.
  std::uint64_t most_chunk_atomics = 0;
  std::uint64_t most_word_floats =
      0;                           ///< lanes on the word that has most, of floating-point numbers
  std::vector<BlockTrace> traces;  ///< of some blocks (trace.h), by rising block
  std::vector<BlockWork> works;    ///< of all blocks, or many (is_work_kept()), by rising block
  // Of every block, sampled or not: the most that one of them does, as a block runs on one SM.
  std::uint64_t most_block_requests = 0;  ///< to global and local memory
  std::uint64_t most_block_bytes = 0;     ///< active lanes x bytes of these requests
  friend bool operator==(const Locality&, const Locality&) = default;
};

struct LocalityOptions {
  /// Neighbouring blocks whose every request is looked at: a run of them at the launch's first or, if the number of its blocks
  /// is given, several runs spread over it. 0: as many as suit the launch.
  std::uint64_t close_blocks = 0;
  std::uint64_t launch_blocks = 0;  ///< 0: not known
  std::uint64_t seed = 0;           ///< that the blocks looked at are drawn from
  /// Of each run, the first blocks that are followed to their end however much they do. If any of the others does so much
  /// that it is given up, only these count. 0: as many as suit the launch.
  std::uint64_t core_blocks = 0;
  /// Neighbouring blocks whose stored lines are kept: a row of blocks and more, somewhere in the launch. 0: as many as
  /// suit the launch.
  std::uint64_t store_blocks = 0;
};

/// The options with what suits the launch filled in: a sixteenth of its blocks or so, and of those more than a few lines'
/// worth by address (locality.cpp).
LocalityOptions suited(LocalityOptions options);

/// First blocks of the runs followed closely, rising. Each lies somewhere in its equal part of the
/// launch, where depends on the number of blocks and the seed.
std::vector<std::uint64_t> close_runs(const LocalityOptions& options);

struct Observed;

/// Give it to simt::run (by itself or beside other observers), then call result().
class LocalityFactory final : public simt::ObserverFactory {
 public:
  explicit LocalityFactory(const LocalityOptions& options = {});
  ~LocalityFactory() override;
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const simt::Executions& executions) override;
  /// The same for any number of host threads. Once: what was kept is gone then.
  Locality result();
  /// Those given, with what suits the launch filled in.
  const LocalityOptions& options() const { return options_; }

 private:
  LocalityOptions options_;
  std::unique_ptr<Observed> seen_;
};

}  // namespace labkit::timing
