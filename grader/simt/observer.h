// The watchers' interface. The interpreter calls it for memory accesses and barriers and knows nothing of what is done
// with them. Each host thread has an observer of its own; the factory merges them when the launch is over.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "ptx/module.h"

namespace labkit::simt {

class Program;
struct MemoryOp;
struct Pattern;

/// One warp instruction's memory access, after predication.
struct Access {
  std::uint32_t instruction = 0;          ///< index into the program's instructions
  ptx::Space space = ptx::Space::global;  ///< resolved: never generic
  bool is_store = false, is_atomic = false;
  bool is_async = false;  ///< a store of cp.async: over only when the thread has waited for it
  std::uint32_t bytes_per_lane = 4;  ///< of the whole vector access
  std::uint32_t active = 0;          ///< lanes that take part; never 0
  /// 32 byte addresses (shared: offsets in the block's window); only active lanes mean anything.
  const std::uint64_t* addresses = nullptr;
  std::uint64_t block = 0;  ///< linear block index
  std::uint32_t warp = 0;   ///< in the block
  /// A load that the thread has made already, and since then has only waited for another thread: how often it comes to that hangs
  /// on the order in which blocks are simulated, not on the kernel.
  bool is_repeated_poll = false;
  bool is_of_floats = false;  ///< an atomic that adds floating-point numbers
  /// An atomic that one lane does for all, if all lanes want the same word: of whole numbers, and nobody needs the result or all
  /// know the operand. So ptxas 13 compiles it (VOTE, POPC or REDUX).
  bool is_joined = false;
  bool is_strong = false;        ///< atomic, volatile, relaxed, acquire or release (PTX ISA)
  bool acquires = false;         ///< strong, and the kernel gets to know the value
  bool releases = false;         ///< has release semantics by itself; others need a fence before
  const MemoryOp* op = nullptr;  ///< for stored_bytes()
  const std::byte* registers = nullptr;  ///< for stored_bytes()
  const Pattern* shape = nullptr;        ///< what is known of the distances; may be null
  /// Nonzero: every access that the same observer sees with this number has the same active lanes, bytes per lane and
  /// distances between addresses; what follows from those need be worked out only once. 0: nothing is known.
  std::uint32_t pattern = 0;
  /// Told once for so many warp instructions: see Observer::wants_each_shared_access(). Which of their addresses these
  /// are, and of which warp, is not said.
  std::uint64_t repeats = 1;
};

/// What a plain store writes: `bytes` (1, 2 or 4) of lane `lane` from byte `offset` of its access, both multiples of
/// `bytes`. nullopt for what is no store or takes its value from memory (cp.async).
std::optional<std::uint32_t> stored_bytes(const Access& access, unsigned lane, unsigned offset,
                                          unsigned bytes);

/// Lanes of one warp come to a barrier of the block.
struct BarrierArrival {
  std::uint64_t block = 0;
  std::uint32_t warp = 0, lanes = 0;
  std::uint32_t number = 0;  ///< 0 to 15
  std::uint32_t instruction = 0;
  bool waits = true;        ///< false: bar.arrive
  bool whole_block = true;  ///< false: of as many threads as the instruction says
};

/// At a barrier where threads arrive and wait apart: an mbarrier in shared memory, or that of a cluster of one block.
struct PhaseEvent {
  /// arrive: what these lanes did until now is over for whoever waits. complete: all have come that this phase waits for; what
  /// comes now belongs to the next. wait: these lanes have found a phase complete.
  enum class What : std::uint8_t { arrive, complete, wait };
  What what = What::arrive;
  std::uint64_t block = 0;
  std::uint32_t warp = 0, lanes = 0;  ///< of complete: 0
  std::uint64_t barrier = 0;          ///< its address in shared memory; ~0: the cluster's
};

/// An instruction between lanes (shfl.sync, vote.sync, bar.warp.sync, ...) whose masks or sources are not in order.
/// PTX ISA: undefined if the executing thread is not in its membermask; the result of shfl is undefined if the source
/// lane is not in the membermask or inactive.
struct StrayExchange {
  std::uint64_t block = 0;
  std::uint32_t warp = 0, instruction = 0;
  std::uint32_t lanes = 0;      ///< that have come
  std::uint32_t unnamed = 0;    ///< of those: whose own mask does not name them
  std::uint32_t differing = 0;  ///< whose mask names a lane that has come with another mask
  std::uint32_t stray = 0;      ///< shfl: whose source lane is not named, or has not come
  /// shfl.up, .down, .bfly: over so many lanes, where a warp has 32, so that the remainder of 32 counts (PTX ISA, shfl.sync:
  /// bval = b[4:0]); 0: over fewer.
  std::uint32_t distance = 0;
};

/// What a block has done when it ends.
struct BlockTotals {
  std::uint64_t block = 0;
  /// The same for two blocks of a launch if their warps went through the same code blocks in the same order, whichever
  /// warp it was.
  std::uint64_t path = 0;
  /// Warp instructions, nearly: without those of a guard, and one for each code block.
  std::uint64_t instructions = 0;
  /// By instruction, how often a warp issued it; empty unless Observer::wants_executions().
  std::span<const std::uint64_t> executions;
};

/// What lanes of a warp do about their cp.async.
struct AsyncEvent {
  enum class Kind : std::uint8_t {
    copy,    ///< one has begun; its accesses are reported, too
    commit,  ///< those so far are a group
    wait,    ///< until no more than `groups` of the last groups are under way
    arrive,  ///< at an mbarrier, when all is over
  };
  static constexpr std::uint64_t kAll = ~0ull;  ///< groups: all must be over, in groups or not
  std::uint64_t block = 0;
  std::uint32_t warp = 0, lanes = 0, instruction = 0;
  Kind kind = Kind::copy;
  std::uint64_t groups = kAll;
  std::uint64_t issued = 0;  ///< instructions of the warp before it, nearly
};

/// Only on_access must be told; the others are for those who follow what orders threads.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_access(const Access& access) = 0;
  virtual void on_barrier(std::uint64_t /*block*/, std::uint32_t /*warp*/,
                          std::uint32_t /*instruction*/) {}
  virtual void on_block_end(std::uint64_t /*block*/) {}
  /// Before a block's first instruction. `threads` of the block.
  virtual void on_block_begin(std::uint64_t /*block*/, std::uint32_t /*threads*/) {}
  /// Asked after on_block_begin. False: plain accesses to shared memory of this block that have the same instruction,
  /// pattern number and first address modulo 4 may be told as one with Access::repeats, of any of their warps, at any time
  /// before on_block_end.
  virtual bool wants_each_shared_access() const { return true; }
  /// The same of plain accesses to global memory, whose first addresses are equal modulo 32.
  virtual bool wants_each_global_access() const { return true; }
  /// False: what is told by number may be told after on_block_end(), and of several blocks at once. Only for those whose
  /// answers to the two above are the same for every block.
  virtual bool wants_blocks_apart() const { return true; }
  /// Asked after on_block_begin: whether on_block_total() is to have BlockTotals::executions.
  virtual bool wants_executions() const { return false; }
  /// Just before on_block_end().
  virtual void on_block_total(const BlockTotals&) {}
  virtual void on_arrival(const BarrierArrival&) {}
  /// All have come that the barrier waits for; none has gone on yet.
  virtual void on_release(std::uint64_t /*block*/, std::uint32_t /*barrier*/) {}
  virtual void on_phase(const PhaseEvent&) {}
  /// Lanes of a warp have met in bar.warp.sync, which orders their memory. Shuffles, votes and matches make lanes meet
  /// too, but imply no memory barrier (CUDA C++ programming guide, warp vote, match, reduce and shuffle functions).
  /// `lanes`: also those that had exited before, if the mask names them; who is not named has met nobody.
  virtual void on_warp_sync(std::uint64_t /*block*/, std::uint32_t /*warp*/,
                            std::uint32_t /*lanes*/) {}
  /// `of_block`: of scope .cta (__threadfence_block), which orders for the threads of the same block alone.
  virtual void on_fence(std::uint64_t /*block*/, std::uint32_t /*warp*/, std::uint32_t /*lanes*/,
                        bool /*of_block*/) {}
  virtual void on_async(const AsyncEvent&) {}
  /// malloc() in a kernel gives memory that was freed: what was done there before is nothing to whoever has it now.
  virtual void on_reuse(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
  virtual void on_stray_exchange(const StrayExchange&) {}
  virtual void on_exit(std::uint64_t /*block*/, std::uint32_t /*warp*/, std::uint32_t /*lanes*/) {}
};

/// By one host thread: how often instruction i was issued by a warp, and the lanes active then.
struct Executions {
  std::span<const std::uint64_t> of_warps, of_threads;
};

class ObserverFactory {
 public:
  virtual ~ObserverFactory() = default;
  virtual std::unique_ptr<Observer> make() = 0;
  /// Called once per observer when the launch is over, from one thread.
  virtual void collect(Observer& observer, const Executions& executions) = 0;
};

}  // namespace labkit::simt
