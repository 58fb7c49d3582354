// The watchers' interface. The interpreter calls it for memory accesses and barriers and knows nothing of what is done
// with them. Each host thread has an observer of its own; the factory merges them when the launch is over.
#pragma once
#include <cstdint>
#include <memory>

#include "ptx/module.h"

namespace labkit::simt {

class Program;

/// One warp instruction's memory access, after predication.
struct Access {
  std::uint32_t instruction =
      0;  ///< index into the program's instructions (observe::LaunchCounters uses the same)
  ptx::Space space = ptx::Space::global;  ///< resolved: never generic
  bool is_store = false, is_atomic = false;
  std::uint32_t bytes_per_lane = 4;  ///< of the whole vector access
  std::uint32_t active = 0;          ///< lanes that take part; never 0
  const std::uint64_t* addresses =
      nullptr;  ///< 32 entries, byte address (shared: offset in the block's window); only active lanes mean anything
  std::uint64_t block = 0;  ///< linear block index
  std::uint32_t warp = 0;   ///< in the block
  /// Nonzero: every access that the same observer sees with this number has the same active lanes, bytes per lane and
  /// distances between addresses; what follows from those need be worked out only once. 0: nothing is known.
  std::uint32_t pattern = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_access(const Access& access) = 0;
  virtual void on_barrier(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction) = 0;
  virtual void on_block_end(std::uint64_t block) = 0;
};

class ObserverFactory {
 public:
  virtual ~ObserverFactory() = default;
  virtual std::unique_ptr<Observer> make() = 0;
  /// Called once per observer when the launch is over, from one thread. `executions[i]`, `thread_executions[i]`: how often
  /// instruction i was issued by a warp, and the lanes active then, by that host thread.
  virtual void collect(Observer& observer, const std::uint64_t* warp_executions,
                       const std::uint64_t* thread_executions, std::size_t instructions) = 0;
};

}  // namespace labkit::simt
