// Runs a kernel's PTX on the CPU, warp by warp, 32 lanes at a time. Knows nothing of counters, sanitizers or time: those
// are observers of the same stream of events (observer.h).
//
// Order. Warps of a block take turns: one runs until it waits at a barrier, only polls memory, or has had its share of
// loop turns. Blocks start in launch order; one in which every warp only polls is set aside for the others. Results,
// counters, printed text and findings are the same for any number of host threads if the kernel is free of races between
// blocks. A kernel whose outcome could depend on the order of blocks although it is free of races (atomics whose result is
// used, float atomics, exch and cas, volatile and acquire loads, on global memory) runs its blocks on one host thread, so
// that it is always the same too. Plain accesses of different blocks to the same bytes are the exception: with several
// host threads, the last to write wins. (Who checks such a launch runs it on one: observe/checks.h.)
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"
#include "ptx/module.h"
#include "simt/image.h"
#include "simt/observer.h"

namespace labkit::simt {

/// Device global memory: allocations at device virtual addresses, with unmapped gaps between them, so that an access
/// past an end is never another buffer's business.
class Memory {
 public:
  Memory();
  ~Memory();
  Memory(Memory&&) noexcept;
  Memory& operator=(Memory&&) noexcept;

  /// Allocates like cudaMalloc: 512-byte aligned (512: what cudaMalloc gives on an H200), contents as given (its size is
  /// the allocation's, in bytes; 0 is legal). `written` false marks every byte as not yet written.
  std::uint64_t allocate(std::string name, std::vector<std::byte> contents, bool written = true);
  /// An allocation of somebody who keeps memory from one launch to the next (program/): its bytes are theirs and outlive this.
  struct Placed {
    std::string name;
    std::size_t place = 0;  ///< its address is address_of(place)
    std::span<std::byte> bytes;
    std::span<std::uint8_t> defined = {};  ///< as follow() gives them; empty: all are written
    bool is_constant = false, is_variable = false;
    bool is_heap = false;           ///< of malloc() in kernels, of heap_bytes()
    std::uint64_t freed_bytes = 0;  ///< it had so many before it was freed; `bytes` is empty then
  };
  void place(Placed placed);
  static std::uint64_t address_of(std::size_t place);
  /// The number of the place whose allocation, if there is one, would hold the address.
  static std::optional<std::size_t> number_of(std::uint64_t address);
  /// What a heap takes that is to hold so many bytes. It begins as zeros.
  static std::uint64_t heap_bytes(std::uint64_t held);
  /// The texture and surface objects that there are, by their handles.
  using Images = std::map<std::uint64_t, Image>;
  void set_images(std::shared_ptr<const Images> images);
  /// Where the module's variables were placed, by their index in it; 0: it has no address.
  void place_variables(const ptx::Module& module, std::vector<std::uint64_t> addresses);
  /// Of structures, one behind the other from there on: which bytes of each belong to no member. What is undefined there is
  /// left out of what a launch has stored.
  void set_padding(std::uint64_t address, std::vector<bool> padding);
  /// Current contents of the allocation that starts at `address`.
  std::span<const std::byte> contents(std::uint64_t address) const;
  std::span<std::byte> contents(std::uint64_t address);
  /// The same, and nothing is left there: the allocation is of no more use.
  std::vector<std::byte> take_contents(std::uint64_t address);
  struct Place {
    std::string name;  ///< of the allocation, or the module's variable as in the PTX
    std::uint64_t begin = 0, size = 0;
    bool is_variable = false;
    bool written = true;  ///< before any launch
  };
  /// Of each byte of the allocation: kDefined, or how it is undefined. 0 is never written, so that of much memory nothing need be
  /// kept until it is. Empty: all are as `written` says.
  static constexpr std::uint8_t kNeverWritten = 0, kStoredUndefined = 0xFE, kDefined = 0xFF;
  std::span<const std::uint8_t> defined(std::uint64_t address) const;
  /// The same, to be changed; makes them if there are none.
  std::span<std::uint8_t> follow(std::uint64_t address);
  /// From now on all of it counts as written.
  void mark_written(std::uint64_t address);
  std::vector<Place> places() const;  ///< all allocations
  /// The allocation that holds the byte at `address`.
  std::optional<Place> find(std::uint64_t address) const;

  /// All that the allocations hold now, and back to it; what was allocated since goes.
  struct Saved {
    std::vector<std::vector<std::byte>> contents;
    std::vector<std::vector<std::uint8_t>> defined;
  };
  Saved save() const;
  void restore(Saved saved);

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

/// Whether a variable of a module lies in global or constant memory, here.
bool has_address(const ptx::Variable& variable);
/// Writes the first values of the variables that have an address; `bytes_of` a variable, by its index, the memory there.
void initialise_variables(const ptx::Module& module, std::span<const std::uint64_t> addresses,
                          const std::function<std::span<std::byte>(std::size_t)>& bytes_of);

struct DecodeOptions {
  /// Count shared accesses as ptxas merges them; false: the source-level view.
  bool merge_shared = true;
  /// Where the grid of a cooperative launch meets (cooperative_groups, grid_group::sync()): 8 bytes that are 0 before it. 0: the
  /// launch is none.
  std::uint64_t grid_workspace = 0;
  /// Kernels may call malloc() and free(): the launch's memory has a heap (Memory::Placed).
  bool has_heap = false;
};

/// A kernel ready to run: predecoded instructions of the entry and everything it calls.
class Program;

/// What of a module cannot be run. Refused before anything runs, by name and source line (FindingKind::unsupported).
struct DecodeResult {
  std::shared_ptr<const Program> program;  ///< null if refused
  std::vector<launch::Finding> refused;
};
/// `module` must outlive the program. `entry` is the mangled name; throws labkit::Error if there is no such entry.
DecodeResult decode(const ptx::Module& module, std::string_view entry,
                    const DecodeOptions& options = {});

/// Static facts of one instruction. The index is the one that observers and counters use: the entry's instructions in
/// text order, then those of each function it calls.
struct InstructionFacts {
  const ptx::Function* function = nullptr;
  std::int32_t body_index = 0;  ///< in function->body
  const ptx::Instruction& text() const { return function->body[body_index]; }
  ptx::SourceLocation location, inlined_at;  ///< as in ptx::Instruction
  /// Of a header's function that several lines call, or one that is not told: its own line says nothing.
  bool line_is_of_caller = false;
  ptx::Space space = ptx::Space::reg;  ///< of an access (generic: known when it runs), else reg
  bool is_load = false, is_store = false, is_atomic = false;
  bool is_of_floats = false, is_joined = false;  ///< as in Access
  bool is_barrier = false;                       ///< of the block
  bool is_strong = false;                        ///< an access as in Access::is_strong
  bool acquires = false;                         ///< as in Access::acquires
  std::int32_t shared_array = -1;    ///< ProgramFacts::shared_arrays of the address; -1: not known
  std::uint32_t bytes_per_lane = 0;  ///< of the whole vector access; 0: no memory access
  /// How the access is counted: `counted_bytes` per lane at `counted_offset` bytes from its own address. ptxas merges
  /// neighbouring shared accesses: the first of a group stands for all, the others have counted_bytes 0.
  std::uint32_t counted_bytes = 0;
  std::int32_t counted_offset = 0;
};

/// A variable in a block's shared memory, at byte offsets [begin, end) of its window.
struct SharedArray {
  std::string name;  ///< as in the PTX
  std::uint32_t begin = 0, end = 0;
  bool is_dynamic = false;  ///< `end` is known only at the launch
};

/// A variable's or function's name in the source: the last part of what the mangled name stands for.
std::string source_name(const std::string& mangled);

/// Facts of a decoded kernel that launches and reports need.
struct ProgramFacts {
  std::string entry;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t local_bytes_per_thread = 0;
  std::uint32_t estimated_registers = 0;  ///< ptx::estimate_registers
  std::vector<ptx::Parameter> parameters;
  std::uint32_t max_threads[3] = {0, 0, 0};  ///< .maxntid / .reqntid, 0: none
  std::vector<SharedArray> shared_arrays;
  /// Threads of different blocks may learn of one another (RunResult.threads is 1 then).
  bool order_matters = false;
  bool uses_heap = false;    ///< calls malloc() or free()
  bool uses_images = false;  ///< textures or surfaces, of which no observer is told
};
const ProgramFacts& facts(const Program& program);
const ptx::Module& module_of(const Program& program);
std::span<const InstructionFacts> instructions(const Program& program);

struct RunOptions {
  unsigned threads = 0;  ///< host threads; 0: all the process may use
  std::string simd;      ///< "", "avx512", "avx2", "portable"; "" is the best there is
  /// Of the whole launch, in the units of RunResult::cost: it bounds the simulation's time whatever the kernel does.
  /// 0: no limit.
  std::uint64_t thread_instruction_budget = 0;
  /// The budget is of each block, not of all together: a large grid is no endless kernel.
  bool budget_is_of_each_block = false;
  /// Dynamic and static, per block (227 KiB: CUDA C programming guide, 9.0).
  std::uint32_t shared_limit_bytes = 232448;
  /// Sampling: the only blocks to run, by rising number in launch order, none twice; empty: all. They must outlive the run.
  std::span<const std::uint64_t> blocks = {};
  bool affine = true;  ///< compute what rises evenly once for all lanes; nothing else differs
  bool follow_undefined = false;  ///< find uses of what nobody wrote (definedness.h)
};

/// A value that nobody wrote and that decided something (RunOptions::follow_undefined).
struct UndefinedUse {
  enum class Kind : std::uint8_t { address, predicate, output };
  Kind kind = Kind::address;
  std::uint32_t instruction = 0;  ///< that used it
  std::uint64_t block = 0;
  std::uint32_t thread = 0;    ///< linear, in the block
  std::uint64_t address = 0;   ///< output: where it lies
  std::uint32_t origin = ~0u;  ///< instruction that read what nobody had written
  ptx::Space origin_space = ptx::Space::shared;
  std::uint64_t origin_address = 0;
  std::uint32_t origin_thread = 0;  ///< that read it
  std::uint64_t count = 1;
};

/// Of what a launch prints so many bytes are kept.
inline constexpr std::size_t kMostPrinted = 1u << 20;

struct RunResult {
  bool completed = false;  ///< every block ran to its end
  /// What stopped the launch (errors), deterministic for any thread count.
  std::vector<launch::Finding> findings;
  std::string printed;  ///< device printf output, in block then warp order, cut at kMostPrinted
  std::vector<UndefinedUse> undefined_uses;  ///< one for each pair of instructions, ordered by them
  std::uint64_t thread_instructions = 0;
  std::uint64_t warp_instructions = 0;
  /// What the launch took of a budget: 32 for a plain warp instruction however many of its lanes are on, more for what
  /// costs the host more (limits.h). The same on every machine and for any number of threads, if the launch completed.
  std::uint64_t cost = 0;
  double wall_seconds = 0;  ///< of the simulation alone
  std::string simd;         ///< the target used
  unsigned threads = 0;
};

/// Runs one launch. Arguments: device addresses are already in `parameter_block` (laid out by Parameter::offset_bytes).
/// A launch that CUDA would refuse (too many threads, too much shared memory, wrong parameter size) comes back as
/// FindingKind::launch. `observers` makes one observer per host thread; may be null: then nothing is observed.
RunResult run(const Program& program, const launch::Launch& launch,
              std::span<const std::byte> parameter_block, Memory& memory,
              ObserverFactory* observers, const RunOptions& options = {});

/// A budget in plain warp instructions (limits.h): 2,000,000 are 62,500.
std::int64_t plain_instructions(std::uint64_t budget);

/// The first line of the kernel's own code, for a finding about the kernel as a whole; line 0: not known.
launch::SourceLine first_line(const Program& program);

/// For a finding about a barrier at `here`: the barrier at which `thread` waited meanwhile.
words::Message waits_elsewhere(const launch::SourceLine& here, const launch::SourceLine& there,
                               const launch::Dim3& thread);

/// SIMD targets this machine can run, best first; the last is always "portable".
std::vector<std::string> simd_targets();

}  // namespace labkit::simt
