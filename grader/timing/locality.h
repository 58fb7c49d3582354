// Where a launch's global accesses fall, as far as its time depends on it: what counters of single
// requests cannot see. An observer of the access stream, on a sample of the blocks so that it costs
// little; install it beside the counters.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "simt/observer.h"

namespace labkit::timing {

/// A line whose 64-byte halves were not each written by one block (or by blocks launched together).
struct TornLines {
  std::uint64_t distance_blocks = 0;  ///< between the blocks, in launch order
  std::uint64_t count = 0;
};

/// Sums over the sampled blocks, not scaled. A line is 128 bytes, a sector 32, an atom 64: what an
/// H200's L1 looks up, moves, and reads from DRAM.
struct Locality {
  // Loads (and atomics), of `load_blocks` blocks.
  std::uint64_t load_blocks = 0;
  std::uint64_t load_requests = 0;
  std::uint64_t load_wavefronts = 0;  ///< passes through 32 banks of 4 bytes, like a shared load's
  std::uint64_t load_lines = 0;       ///< distinct per request
  std::uint64_t load_sectors = 0;     ///< distinct per request
  std::uint64_t load_block_sectors =
      0;  ///< distinct per block: what an L1 that forgets nothing asks of L2
  std::uint64_t load_reuse_lines = 0;  ///< lines per block that L1 must hold between two uses
  std::uint64_t load_atoms = 0;        ///< distinct over the sample: what DRAM must read
  // Stores, of `store_blocks` blocks.
  std::uint64_t store_blocks = 0;
  std::uint64_t store_requests = 0;
  std::uint64_t store_wavefronts = 0;
  std::uint64_t store_lines = 0;        ///< distinct per request: packets to L2
  std::uint64_t store_block_lines = 0;  ///< distinct per block
  std::uint64_t store_atoms = 0;        ///< distinct over the sample
  std::vector<TornLines> torn;          ///< by rising distance
};

struct LocalityOptions {
  std::uint64_t first_block = 0;
  std::uint64_t load_blocks = 24;  ///< blocks whose loads are followed
  std::uint64_t store_blocks =
      1024;  ///< blocks whose stores are followed: must reach across a row of blocks
};

/// Give it to simt::run (by itself or beside other observers), then call result() once.
class LocalityFactory final : public simt::ObserverFactory {
 public:
  explicit LocalityFactory(const LocalityOptions& options = {});
  ~LocalityFactory() override;
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override;
  /// The same for any number of host threads.
  Locality result() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace labkit::timing
