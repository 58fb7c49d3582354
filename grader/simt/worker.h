// One host thread of a launch: it runs blocks one after another. Internal to the room.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simt/access.h"
#include "simt/definedness.h"
#include "simt/memory.h"
#include "simt/program.h"
#include "simt/warp.h"

namespace labkit::simt {

inline constexpr std::uint64_t kNoBlock = ~0ull;

/// What all workers of a launch share. Not changed while blocks run, but for the atomics.
struct LaunchState {
  const Program* program = nullptr;
  const launch::Launch* launch = nullptr;
  std::span<const std::byte> parameters;
  Memory::Impl* memory = nullptr;
  const std::vector<std::uint64_t>* variables = nullptr;  ///< addresses of module variables
  const Target* target = nullptr;
  std::vector<Op> ops, once;   ///< the program's, bound to the target
  std::vector<Op> affine_ops;  ///< `ops` for warps that are affine; empty: none is (affine.h)
  std::uint32_t threads = 0, warps = 0;   ///< of a block
  std::uint32_t shared_bytes = 0;         ///< static and dynamic
  std::span<const std::uint64_t> chosen;  ///< RunOptions::blocks
  std::uint64_t turns = 0;                ///< blocks that run
  std::uint64_t budget = ~0ull;           ///< limits.h
  std::uint64_t budget_of_all = ~0ull;    ///< blocks together
  std::uint64_t block_bytes = 1;          ///< that a block holds (limits.h)
  std::uint64_t block_cost = 0;           ///< of the budget, for beginning a block
  std::uint64_t most_set_aside = 2;       ///< blocks
  LaunchShadow* shadow = nullptr;         ///< null: undefined values are not followed
  bool parallel = false;  ///< several workers: global atomics must be atomic on the host
  std::atomic<std::uint64_t> next_turn{0};
  std::atomic<std::uint64_t> spent{0};  ///< of the budget, by all workers; a little late
  /// Each worker's block; see wait_for_turn().
  std::vector<const std::atomic<std::uint64_t>*> under_way;
  /// Lowest block with a finding; later ones need not run.
  std::atomic<std::uint64_t> stop_at{~0ull};
};

/// One of them.
struct BlockBarrier {
  std::uint32_t arrived = 0;   ///< threads; exited ones are not counted, expected shrinks instead
  std::uint32_t expected = 0;  ///< 0: all threads of the block
  std::uint32_t popc = 0;
  bool all = true, any = false;
  struct Waiting {
    std::uint32_t warp;
    std::int32_t split;
  };
  std::vector<Waiting> waiting;
  struct Came {
    std::uint32_t warp, lanes;
  };
  std::vector<Came> only_arrived;

  void reset() {  // keeps what the vectors have allocated
    arrived = expected = popc = 0;
    all = true;
    any = false;
    waiting.clear();
    only_arrived.clear();
  }
};

/// Of something by its number in a grid or a block, x first.
inline launch::Dim3 place_in(const launch::Dim3& dims, std::uint64_t number) {
  return {static_cast<std::uint32_t>(number % dims.x),
          static_cast<std::uint32_t>(number / dims.x % dims.y),
          static_cast<std::uint32_t>(number / dims.x / dims.y)};
}

/// A block under way. The worker is the one that runs; blocks that wait for others are set aside.
struct BlockState {
  std::uint64_t block_ = 0;
  launch::Dim3 place_;  ///< of the block in the grid
  std::vector<Warp> warps_;
  std::unique_ptr<std::byte[]> register_memory_;
  std::vector<std::byte> shared_;
  std::unique_ptr<BlockShadow> shadow_;  ///< null: undefined values are not followed
  BlockBarrier barriers_[kBarriers + 1];
  std::uint32_t barriers_in_use_ = 0;  ///< one bit each: used since the block began
  std::uint32_t live_threads_ = 0;
  bool failed_ = false;
  std::string print_;
  std::uint64_t block_cost_ = 0;   ///< what this block has taken of the budget so far (limits.h)
  std::uint64_t grown_bytes_ = 0;  ///< what its calls hold beyond LaunchState::block_bytes
  /// By instruction, issued by its warps; empty unless the observer wants it. While the block runs, less what the worker
  /// had counted when it went on.
  std::vector<std::uint64_t> executed_;
  std::uint64_t clock_ = 0;  ///< warp instructions of this block: what clock() returns
  std::uint64_t began_ = 0;  ///< clock_ when the warp that runs began to
};

enum class Stop : std::uint8_t { yielded, blocked, done, fault };

class Worker final : private BlockState, private AccessState {
 public:
  Worker(LaunchState& launch, Observer* observer);
  /// Takes blocks until there are none left.
  void run();

  struct Failure {
    std::uint64_t block;
    launch::Finding finding;
  };
  std::vector<Failure> failures;                                  ///< at most one a block
  std::vector<std::pair<std::uint64_t, std::string>> printed;     ///< block, what it printed
  std::vector<std::pair<std::uint64_t, std::uint64_t>> executed;  ///< block, its cost
  std::uint64_t cost = 0;                                         ///< of all blocks
  /// By instruction, filled by finish_counts().
  std::vector<std::uint64_t> warp_executions, thread_executions;
  void finish_counts();
  UseTable undefined_uses;
  UndefinedStores undefined_stores;
  std::exception_ptr broken;  ///< what ended run() early

 private:
  struct Count {
    std::uint64_t warps = 0, threads = 0;
  };
  void take_blocks();
  void prepare_warps();
  void fill_fixed(Warp& warp, bool per_block_only);
  void start_block(std::uint64_t block);
  void give_up_waiting();
  enum class Outcome : std::uint8_t { finished, failed, waiting };
  Outcome run_block();  ///< until it is done or all its warps only poll
  void finish_block();
  void report_total();
  /// `sign` 1 or -1, of all that this worker has counted.
  void add_counts(std::vector<std::uint64_t>& executed, int sign) const;
  const Count& count_of(std::size_t instruction) const {
    return program_.guarded[instruction] ? guarded_counts_[instruction]
                                         : block_counts_[program_.block_of[instruction]];
  }
  std::uint64_t next_block();  ///< kNoBlock: none is left
  void spend(std::uint64_t slots);
  void wait_for_turn();
  /// False: the block has failed, or need not run.
  bool may_go_on(const Warp& warp, const Split& split);
  bool within_budget();  ///< the same between rounds of all warps
  void set_aside();      ///< the block that runs; an unused one takes its place
  void resume();         ///< the block set aside first
  Stop run_warp(Warp& warp);
  template <bool kFollow, bool kAffine>
  bool run_split(Warp& warp, Stop& stop);  ///< true: go on with warp.current
  // affine.cpp
  void prepare_affine(Warp& warp);
  void begin_affine(Warp& warp);
  bool lane_by_lane(Warp& warp, std::ptrdiff_t op);  ///< from that Op on; true
  static void spread_affine(Warp& warp, Slot slot, bool is_64_bit);
  bool turn(Warp& warp, Split& split, Stop& stop);  ///< a branch backward; false: stop says why
  /// How often a thread looks again for what it waits for hangs on the order in which blocks are simulated: what it executes for
  /// that is not counted.
  void begin_poll(const Warp& warp);
  void forget_repeated_poll(Warp& warp, const Split& split);

  // instructions (exec_*.cpp). False: fault.
  void masked_lanes(const Op& op, std::uint32_t mask);
  std::uint32_t combine(const Op& op, std::uint32_t result) const;
  void set_predicate(const Op& op, std::uint32_t mask);
  void pack(const Op& op, std::uint32_t mask);
  void unpack(const Op& op, std::uint32_t mask);
  void carry(const Op& op, std::uint32_t mask);
  void write32(Slot slot, const std::uint32_t* values, std::uint32_t mask);
  void write(Slot slot, bool is_64_bit, const std::uint64_t* values, std::uint32_t mask);
  void write_predicate(Slot slot, std::uint32_t bits, std::uint32_t mask);
  std::uint32_t read_predicate(const Op& op, int n) const;
  void other_lanes(Warp& warp, const Split& split, const Op& op, std::uint32_t mask);
  bool atomic(const Op& op, std::uint32_t mask);
  bool async_copy(const Op& op, std::uint32_t mask);
  /// `at`: which of the Ops it is; of an arrival nobody asks how many were before it.
  void report_async(AsyncEvent::Kind kind, const Op& op, std::uint32_t mask, std::ptrdiff_t at = 0);
  // images.cpp
  bool image(const Op& op, std::uint32_t mask);
  bool fetch(const ImageOp& how, const Image& image, const Op& op, std::uint32_t mask);
  bool access_surface(const ImageOp& how, const Image& image, const Op& op, std::uint32_t mask);
  const Image* image_of(const ImageOp& how, const Op& op, std::uint32_t mask, std::uint64_t handle);
  launch::Finding image_finding(launch::FindingKind kind, const MemoryOp& memory,
                                std::uint32_t lane) const;
  bool surface_outside(const MemoryOp& memory, const Image& image, std::uint32_t lane,
                       const std::int64_t* at);
  bool surface_misaligned(const MemoryOp& memory, std::uint32_t lane, std::int64_t x);
  const std::byte* locate_texel(const MemoryOp& memory, const Image& image, std::uint64_t address,
                                std::uint32_t lane);
  void follow_taps(const MemoryOp& memory, const Image& image, std::uint32_t lane,
                   std::uint64_t address, std::uint32_t* undefined, std::uint32_t& origin);
  void access_parameter(Warp& warp, const Op& op, std::uint32_t mask);
  bool call(Warp& warp, const Op& op);
  /// Before a call through a pointer: lanes whose function is another stay at this op, in a split of their own. False: the first
  /// lane's pointer is none to a function of this kernel.
  bool part_by_function(Warp& warp, const Op& op, std::int32_t block, std::uint32_t op_of_block);
  /// -1: the lane's pointer is none to a function.
  std::int32_t function_of(const CallSite& site, std::uint32_t lane) const;
  void return_from(Warp& warp, std::uint32_t lanes);
  void exit_lanes(Warp& warp, std::uint32_t lanes);
  void end_lanes(Warp& warp, std::uint32_t lanes);  ///< which have left all their splits
  bool print(Warp& warp, const Op& op, std::uint32_t mask);
  bool call_heap(Warp& warp, const Op& op, std::uint32_t mask);  ///< malloc, free (heap.cpp)
  const std::byte* locate_generic(std::uint64_t address, std::uint32_t bytes, std::uint32_t lane);
  /// What stands there up to a byte 0, or `most` bytes.
  std::string text_of(std::uint64_t address, std::uint32_t lane, std::size_t most);
  void assert_failed(Warp& warp, const Op& op, std::uint32_t mask);
  /// Warp-wide instructions: false if the split must wait for other lanes.
  bool warp_wide(Warp& warp, const Op& op, std::uint32_t mask);
  void exchange(Warp& warp, const Op& op, std::uint32_t mask);
  /// shfl: what each lane gets from the words in `from`; returns the lanes whose source is in reach.
  std::uint32_t shuffle(const Op& op, Slot from, std::uint32_t* values) const;
  /// shfl: where lane `lane` takes its value from; itself where its source is out of reach (`inside` false).
  std::uint32_t source_lane(const Op& op, std::uint32_t lane, bool& inside) const;
  /// Lanes of a shfl whose source is not among those that their mask names and that have come.
  std::uint32_t stray_lanes(const Op& op, std::uint32_t mask) const;
  void report_stray_exchange(const Warp& warp, const Op& op, std::uint32_t mask,
                             std::uint32_t stray);
  // matrices (matrix.cpp). False: fault.
  bool matrix(const Op& op, std::uint32_t mask);
  bool matrix_access(const Op& op, const MatrixOp& matrix);
  void multiply(const MatrixOp& matrix);
  void follow_multiply(const MatrixOp& matrix);
  void move_halves(const MatrixOp& matrix);
  void place_halves(const MatrixOp& matrix);
  void report_warp_sync(const Warp& warp, const Op& op, std::uint32_t mask);
  void recheck_warp_sync(Warp& warp);
  /// Block barrier: false if the split waits.
  bool barrier(Warp& warp, const Op& op, std::uint32_t mask);
  bool known_barrier(const Warp& warp, const Op& op, std::uint32_t mask,
                     const std::uint32_t* numbers);  ///< false after reporting a fault
  /// The same for how many are to come; `counts` null: all.
  bool known_count(const Warp& warp, const Op& op, std::uint32_t mask, std::uint32_t number,
                   const std::uint32_t* counts);
  void describe_waiting(launch::Finding& finding, const Warp& warp, const Split& split) const;
  bool cluster_wait(Warp& warp, std::uint32_t mask);  ///< the same
  // mbarrier.cpp. False: fault.
  bool mbarrier(const Op& op, std::uint32_t mask);
  bool bulk_copy(const Op& op, const MbarrierOp& what, std::uint32_t mask);
  bool change_barrier(const Op& op, const MbarrierOp& what, std::uint32_t lane, std::byte* at,
                      std::uint64_t address, std::uint32_t arrivals, std::int32_t bytes);
  bool no_barrier(const Op& op, std::uint32_t lane, words::Message why, words::Id fix);
  void barrier_deadlock();
  void report_phase(PhaseEvent::What what, std::uint64_t barrier, std::uint32_t warp,
                    std::uint32_t lanes);
  void complete_barrier(BlockBarrier& barrier);
  void recheck_barriers();
  void deadlock();

  // undefined values (definedness.cpp, undefined_memory.cpp). Called before the instruction does its work.
  std::byte* shadow_of(Slot slot) const;
  bool is_undefined(Slot slot) const {
    return slot != kNoSlot && warp_shadow_->undefined[slot / 4];
  }
  void set_shadow(Slot slot, bool is_64_bit, const std::uint64_t* bits, std::uint32_t mask,
                  std::uint32_t origin);
  void set_whole_lanes(Slot slot, bool is_64_bit, std::uint32_t undefined, std::uint32_t mask,
                       std::uint32_t origin);
  void set_shadow_predicate(Slot slot, std::uint32_t bits, std::uint32_t mask,
                            std::uint32_t origin);
  void forget_unset(Warp& warp);
  void define(Slot slot, char letter, std::uint32_t mask);  ///< the result is defined
  std::uint32_t undefined_lanes(Slot slot, char letter) const;
  /// Any instruction while some register of the warp is undefined. `mask`: lanes that came, `m`: those that its guard lets
  /// through.
  void follow(const Op& op, std::uint32_t mask, std::uint32_t m);
  void follow_row(const Op& op, std::uint32_t m, std::uint32_t always);
  void follow_other(const Op& op, std::uint32_t m);
  void follow_exchange(const Op& op, std::uint32_t mask, std::uint32_t stray);
  void follow_parameter(const Op& op, std::uint32_t m, bool store);
  void define_loaded(const MemoryOp& memory, std::uint32_t mask);
  /// `pattern`: of plain loads and stores, where it is known; else null.
  void follow_access(const MemoryOp& memory, std::uint8_t space, std::uint32_t mask,
                     const std::uint64_t* addresses, const Pattern* pattern);
  bool settle_together(const MemoryOp& memory, std::uint8_t space, std::uint32_t mask,
                       const std::uint64_t* addresses, const Pattern& pattern);
  void follow_lanes(const MemoryOp& memory, std::uint8_t space, std::uint32_t mask,
                    const std::uint64_t* addresses, std::uint8_t** at);
  std::uint32_t origin_of(std::uint8_t space, std::uint64_t address, std::uint32_t lane,
                          std::uint8_t how, const MemoryOp& memory);
  std::uint32_t new_origin(const UndefinedUse& origin);
  void note_lane(std::uint32_t origin, const MemoryOp& memory, std::uint32_t lane,
                 std::uint64_t address);
  void note_undefined(UndefinedUse::Kind kind, std::uint32_t instruction, std::uint32_t lane,
                      std::uint32_t origin);

  // findings (faults.cpp)
  launch::Finding finding_at(launch::FindingKind kind, std::uint32_t instruction,
                             std::uint32_t warp, std::uint32_t lane) const;
  ptx::SourceLocation caller_line(const Warp& warp, std::uint32_t instruction,
                                  std::uint32_t lane) const;
  void fail(launch::Finding finding);
  /// With a finding about the first of these lanes of a warp. False.
  bool fail(launch::FindingKind kind, launch::Cause cause, std::uint32_t instruction,
            std::uint32_t warp, std::uint32_t lanes, std::vector<words::Message> evidence,
            words::Message fix = {});
  void access_fault(const MemoryOp& memory, std::uint8_t space, std::uint32_t lane,
                    std::uint64_t address, bool misaligned, std::uint32_t lanes,
                    std::uint32_t other_lanes);
  void describe_outside(launch::Finding& finding, const MemoryOp& memory, std::uint8_t space,
                        bool before_window) const;
  void describe_outside_heap(launch::Finding& finding, const Allocation& memory) const;
  void describe_outside_shared(launch::Finding& finding, std::int32_t shared_array) const;
  void describe_misaligned(launch::Finding& finding, std::uint8_t space,
                           const InstructionFacts& facts) const;
  launch::Extent extent_of(std::int32_t shared_array) const;
  void budget_fault(const Warp& warp, const Split& split, bool prints = false);

  // memory (access.cpp)
  const Pattern* look_up(const MemoryOp& memory, AccessMemo& memo, const std::uint64_t* addresses,
                         std::uint32_t mask) override;
  bool slow_access(const MemoryOp& memory, std::uint32_t mask, std::uint64_t* addresses) override;
  void note_poll(Access& access, const MemoryOp& memory, std::uint64_t address);
  void report_access(const MemoryOp& memory, std::uint32_t mask, const std::uint64_t* addresses,
                     const Pattern* pattern) override;
  void retally(const MemoryOp& memory, AccessMemo& memo, const Pattern* pattern,
               std::uint64_t start) override;
  bool find_window(std::uint64_t low, std::uint64_t high, bool is_store, Window& out) override;
  void report_tally(const MemoryOp& memory, AccessMemo& memo);
  void report_tallies();  ///< at the end of a block
  /// Host pointers of all active lanes, space by space; false after reporting a fault. Tells the observer.
  bool locate(const MemoryOp& memory, std::uint32_t mask, const std::uint64_t* addresses,
              std::byte** host);
  std::byte* locate_lane(std::uint8_t space, std::uint64_t address, std::uint32_t bytes,
                         std::uint32_t lane, bool is_store);
  void move_elements(const MemoryOp& memory, std::uint32_t mask, std::byte* const* host);
  void form_addresses(Slot base, std::uint64_t offset, const MemoryOp& memory, std::uint32_t mask,
                      std::uint64_t* addresses) const;
  bool is_async_copy(const MemoryOp& memory) const {  ///< either half of one
    const auto& facts = program_.instructions[memory.index];
    return facts.is_load && facts.is_store;
  }
  void forget_patterns();
  static void fill_pattern(Pattern& pattern, const std::uint64_t* addresses, std::uint32_t mask,
                           std::uint32_t bytes);
  std::uint32_t* words(Slot slot) { return words_at(registers + slot); }
  const std::uint32_t* words(Slot slot) const { return words_at(registers + slot); }

  LaunchState& launch_;
  const Program& program_;
  Observer* observer_;
  std::vector<AccessMemo> memos_;
  std::vector<Access> accesses_;        ///< by MemoryOp::serial: what is the same each time
  std::vector<SettledPlace> settled_;   ///< by warp and MemoryOp::serial
  std::vector<std::uint32_t> tallied_;  ///< serials of the memos with a tally
  struct PatternPlace {
    std::uint64_t hash = 0;
    std::unique_ptr<Pattern> pattern;
  };
  /// Open addressing by hash.
  std::vector<PatternPlace> patterns_ = std::vector<PatternPlace>(8192);
  std::uint32_t pattern_count_ = 0;
  /// Hashes of patterns seen once.
  std::vector<std::uint64_t> seen_ = std::vector<std::uint64_t>(1024);
  Pattern passing_;  ///< the pattern of an access that is not remembered

  std::deque<std::unique_ptr<BlockState>> waiting_;  ///< blocks set aside
  std::vector<std::unique_ptr<BlockState>> spare_;   ///< for reuse
  std::uint64_t polled_slots_ = 0;  ///< cost of blocks that were set aside afterwards

  std::uint64_t unspent_ = 0;                    ///< not yet added to LaunchState::spent
  std::atomic<std::uint64_t> under_way_{~0ull};  ///< the block that runs, if it waits for none

  WarpShadow* warp_shadow_ = nullptr;  ///< of the warp that runs
  std::unordered_map<std::uint64_t, std::uint32_t> origin_index_;
  std::vector<std::uint8_t> in_flight_;  ///< of a cp.async: what its load found, 16 bytes a lane
  bool in_flight_any_ = false;
  std::uint32_t in_flight_origin_ = 0;

  Warp* warp_ = nullptr;  ///< that runs
  std::uint64_t printed_bytes_ = 0;
  /// What the warp has polled since the last backward branch.
  static constexpr std::uint8_t kPollsMemory = 1, kPollsTime = 2, kPollsBarrier = 4,
                                kReadsClock = 8;
  std::uint8_t polled_ = 0;
  std::uint8_t polls_ = 0;  ///< the same of all warps, since they began to do nothing else
  /// The barrier in shared memory that was polled last, and what it held.
  struct PolledBarrier {
    std::uint32_t instruction = 0, warp = 0, lanes = 0;
    std::uint64_t word = 0;
  } polled_barrier_;
  bool changed_ = false;     ///< since then: memory may have changed
  Poll last_poll_ = {};      ///< the last access to memory, if it was one
  bool spun_ = false;        ///< the warp gave way because it only polls
  bool is_polling_ = false;  ///< the split has done nothing since but repeat what it gave way for
  struct Counts {
    std::vector<Count> blocks, guarded;
    std::uint64_t path = 0, clock = 0;
  } before_poll_;
  std::uint64_t stretches_ = 0;  ///< splits run so far
  std::uint32_t turns_ = 0;      ///< backward branches since the warp was chosen
  const Op* resume_ = nullptr;   ///< where a warp that has just ceased to be affine goes on
  std::uint64_t affine_begun_ = 0, affine_left_ = 0;  ///< warps

  std::vector<Count> block_counts_;    ///< per code block
  std::vector<Count> guarded_counts_;  ///< per instruction
  void count_guarded(const Op& op, std::uint32_t lanes) {
    Count& count = guarded_counts_[op.index];
    ++count.warps;
    count.threads += lane_count(lanes);
    block_cost_ += op.cost;
  }
};

/// Of a launch that used up its budget with printf.
void describe_printing(launch::Finding& finding);
void describe_local_memory(launch::Finding& finding);
/// The same where nearly all was done by one lane of a warp, by what the launch did in instructions.
void describe_one_lane(launch::Finding& finding, std::uint64_t warp_instructions,
                       std::uint64_t thread_instructions);

}  // namespace labkit::simt
