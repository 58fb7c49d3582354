// Which bits of registers and memory hold what somebody wrote: followed lane by lane while a kernel runs, if asked.
//
// Shared and local memory begin undefined, and so do the bytes of allocations that are marked as not written. A load of
// such bytes is no fault yet: it makes the register's lane undefined, byte by byte. Copying (mov, ld, st, shfl, selp, and
// what shifts or picks bits) carries this along exactly, computing makes the whole result undefined, and bits that an and
// or an or decides anyway stay defined: so that copied padding and masked-off bytes are no alarm. A byte in memory is defined if any bit of it is:
// bit-fields are set by parts. A fault is an undefined
// value that decides: an address, a predicate that guards anything, or what is left in global memory at the end (an element
// stored whole).
//
// Each register has a shadow of the same shape behind the warp's register file: 1 bits are undefined. Nearly always
// nothing is, so a count of registers with any undefined bit decides whether an instruction must be looked at at all;
// only loads and stores are always. A run that does not ask executes a copy of the interpreter without any of this.
// Of the registers those begin undefined that some way through the kernel reads before it writes them (UnsetRegister): so a
// variable that was never set looks in PTX, where its first value has no instruction.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "simt/memory.h"
#include "simt/program.h"

namespace labkit::simt {

/// Memory's shadow, one of these a byte.
inline constexpr std::uint8_t kDefined = Memory::kDefined, kNeverWritten = Memory::kNeverWritten,
                              kStoredUndefined = Memory::kStoredUndefined;

/// UndefinedUse::origin_address where the origin is a register (Space::reg): a variable that was never set. Else it is the
/// lane that a shuffle reads from.
inline constexpr std::uint64_t kNeverSet = ~0ull;
/// Whether the kernel has such variables, for all that its text says.
bool may_read_unset(const Program& program);

struct WarpShadow {
  std::vector<std::uint8_t> local, parameters;  ///< as Warp::local and Warp::parameters
  std::vector<std::uint8_t> undefined;          ///< by slot / 4: the register has undefined bits
  std::vector<std::uint32_t> origin;            ///< by slot / 4: where they came from last
  std::uint32_t count = 0;                      ///< of those registers, and 1 for parameters
  bool parameters_undefined = false;            ///< some were, in this block
  std::uint32_t parameter_origin = 0;
};

/// Of a block under way.
struct BlockShadow {
  std::vector<std::uint8_t> shared;
  std::vector<WarpShadow> warps;
  std::unordered_map<std::uint64_t, std::uint32_t> origins;  ///< of words stored undefined
};

/// How an instruction of lanes treats undefined bits; by row of the instruction table.
struct ShadowRule {
  enum class Kind : std::uint8_t { computes, moves, keeps, ands, ors } kind = Kind::computes;
  std::uint8_t data = 0;     ///< moves: sources that are moved; the others say where to
  std::string_view letters;  ///< of the sources: w h l p i
  char result = 'w';
  bool shifts = false;  ///< shl, shr
};

using UseKey = std::tuple<UndefinedUse::Kind, std::uint32_t, std::uint32_t>;
using UseTable = std::map<UseKey, UndefinedUse>;
/// Keeps the first use of a kind by one instruction from one place: that of the lowest block.
void note_use(UseTable& table, const UndefinedUse& use);

/// What one host thread has stored undefined in global memory, by place: who did, and where it came from.
class UndefinedStores {
 public:
  std::vector<UndefinedUse> origins;  ///< only what is said about the origin; a host thread's
  /// Of an origin: its address for each lane of the warp that read there, if it did.
  struct Lanes {
    std::uint32_t known = 0;
    std::array<std::uint64_t, 32> addresses{};
  };
  std::vector<Lanes> lanes;  ///< as origins
  /// Blocks may learn of one another, and one host thread runs them all: whoever stored last is kept.
  bool keeps_last = false;
  /// What is said of what `thread` of `block` has from an origin; past the end of `origins`: nothing.
  UndefinedUse from(std::uint32_t origin, std::uint64_t block, std::uint32_t thread) const;

  /// An element of up to 8 bytes at a multiple of its size, stored whole.
  struct Element {
    std::uint64_t block = 0;
    std::uint32_t instruction = 0;
    std::uint32_t origin = ~0u;  ///< in `origins`; past their end: not known
    std::uint16_t thread = 0;    ///< linear, in the block
    std::uint8_t bytes = 0;      ///< 0: there is none
  };
  /// Of several the lowest block's is kept, and of its own the last, so that it is the same for any number of host threads.
  void note(std::uint64_t address, Element element);
  std::optional<UndefinedUse> at(std::uint64_t address) const;

  static constexpr std::uint64_t kWordBytes = 4, kPageBytes = 4096;
  /// Elements of 4 and 8 bytes, by the word that they begin with.
  using Page = std::array<Element, kPageBytes / kWordBytes>;
  const std::unordered_map<std::uint64_t, std::unique_ptr<Page>>& pages() const { return pages_; }
  /// Elements of 1 and 2 bytes, by address.
  const std::unordered_map<std::uint64_t, Element>& small() const { return small_; }
  UndefinedUse use_of(const Element& element, std::uint64_t address) const;

 private:
  const Element* word_at(std::uint64_t address) const;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;  ///< by address / kPageBytes
  std::unordered_map<std::uint64_t, Element> small_;
  std::uint64_t near_ = 0;  ///< the page used last
  Page* near_page_ = nullptr;
};

/// What all host threads of a launch share.
class LaunchShadow {
 public:
  explicit LaunchShadow(Memory::Impl& memory);
  /// Null: all of the allocation is defined. `make`: there must be one.
  std::uint8_t* of(const Allocation& allocation, bool make);
  const ShadowRule& rule(std::uint16_t row) const { return rules_[row >> 12][row & 0xFFF]; }

  /// Adds undefined elements that are still in global memory, of what the host threads have stored. Leaves the shadows with
  /// the allocations.
  void finish(const std::vector<const UndefinedStores*>& stored, UseTable& uses) const;

 private:
  Memory::Impl& memory_;
  std::vector<std::atomic<std::uint8_t*>> shadows_;
  std::mutex mutex_;
  std::vector<ShadowRule> rules_[8];
};

}  // namespace labkit::simt
