// Which shared accesses ptxas makes into one.
//
// Found by giving ptxas 13.0 (sm_90, -O3) some 250 short PTX kernels and reading the widths of the
// LDS and STS that came out; the kernels of that kind that matter are in merge_shared_test.cpp. It
// explains every row of H200 counters that we have. Addresses count as root + constant
// (address_values.h); W is a window of four elements, at most 16 bytes, aligned to its size; its
// alignment must be known (TrailingZeros), else the window is as small as what is known.
//
// Loads (2, 4 or 8 bytes an element, vectors of them included; unguarded, not volatile):
//   - loads in one window become one load of the window if they cover three or four of four
//     elements (two of two for 8-byte elements), else one load of each aligned pair they cover;
//     loads of the same element are one load;
//   - the loads need not stand in one block: a load joins an earlier one in a block that dominates
//     its own, whatever branches or loops stand between, unless on some way between them there is a
//     store that may write shared memory, a barrier or fence, an atomic on shared memory, cp.async,
//     a call, or what becomes a call (division, square root and reciprocal in full precision,
//     64-bit integer division).
// Stores:
//   - only stores in one block, one after the other, within one window, none overlapping another;
//     four elements (two of 8 bytes) make one store, else aligned pairs do. Any other shared store,
//     what ends loads, a shared or generic load, an atomic anywhere and a division ends the run.
#include <algorithm>
#include <map>
#include <tuple>

#include "ptx/address_values.h"
#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

struct Access {
  std::int32_t instruction = -1;
  std::int32_t block = -1;
  std::uint32_t element_bytes = 0;
  std::uint32_t count = 1;  ///< elements
  std::int32_t root = -1;
  std::uint64_t offset = 0;  ///< from the root

  std::uint64_t bytes() const { return std::uint64_t{element_bytes} * count; }
};

bool may_be_shared(const Instruction& instruction) {
  constexpr std::string_view kElsewhere[] = {"global", "local",        "param",
                                             "const",  "param::entry", "param::func"};
  return std::ranges::none_of(kElsewhere, [&](auto space) { return instruction.has(space); });
}

bool ends_both(const Instruction& instruction) {
  return becomes_call(instruction) ||
         is_any(instruction, {"bar", "barrier", "membar", "fence", "call", "mbarrier", "cp", "wmma",
                              "nanosleep"}) ||
         (is_any(instruction, {"atom", "red"}) && may_be_shared(instruction));
}
bool ends_loads(const Instruction& instruction) {
  return ends_both(instruction) ||
         (is_any(instruction, {"st", "stmatrix"}) && may_be_shared(instruction));
}
bool ends_stores(const Instruction& instruction) {
  return ends_both(instruction) || is_any(instruction, {"atom", "stmatrix"}) ||
         (divides(instruction) && !instruction.parts.back().starts_with('u')) ||
         (is_any(instruction, {"ld", "ldu", "ldmatrix"}) && may_be_shared(instruction)) ||
         (instruction.root() == "st" && may_be_shared(instruction) && !in_shared(instruction));
}

/// Fills in what the spelling says; false if ptxas leaves such an access alone.
bool is_plain(const Instruction& instruction, Access& access) {
  if (instruction.guard >= 0 || instruction.operands.size() != 2 || !in_shared(instruction))
    return false;
  const auto type = type_from_name(instruction.parts.back());
  if (!type || size_bytes(*type) < 2 || size_bytes(*type) > 8) return false;
  access.element_bytes = size_bytes(*type);
  for (std::size_t i = 1; i + 1 < instruction.parts.size(); ++i) {
    const std::string_view part = instruction.parts[i];
    if (part == "v2") {
      access.count = 2;
    } else if (part == "v4") {
      access.count = 4;
    } else if (part != "shared" && part != "shared::cta" && part != "weak" && part != "relaxed" &&
               part != "cta") {
      return false;
    }
  }
  return access.bytes() <= 16;
}

class Merger {
 public:
  Merger(const Function& function, const ControlFlow& flow,
         const std::vector<std::int64_t>& shared_offset_of,
         const std::vector<std::int64_t>& module_shared_offset_of)
      : function_(function),
        flow_(flow),
        dominance_(flow),
        zeros_(function, shared_offset_of, module_shared_offset_of),
        values_(function, flow, dominance_, zeros_),
        epoch_at_exit_(flow.blocks.size(), 0),
        ends_loads_in_(flow.blocks.size(), false) {
    merges_.group_of.assign(function.body.size(), -1);
    for (std::size_t b = 0; b < flow.blocks.size(); ++b)
      ends_loads_in_[b] =
          std::ranges::any_of(instructions_of(function, flow.blocks[b]), ends_loads);
  }

  SharedMerges run() {
    std::vector<std::int32_t> between;
    for (const std::int32_t block : dominance_.order()) {
      const bool known = dominance_.between(block, between);
      values_.enter(block, between, known);
      const std::int32_t above = dominance_.immediate_dominator(block);
      const bool continues =
          above >= 0 && known &&
          std::ranges::none_of(between, [&](std::int32_t other) { return ends_loads_in_[other]; });
      epoch_ = continues ? epoch_at_exit_[above] : ++epochs_;
      for (std::int32_t i = flow_.blocks[block].first; i < flow_.blocks[block].last; ++i)
        step(block, i);
      close_run();
      epoch_at_exit_[block] = epoch_;
    }
    for (const auto& [key, accesses] : loads_) merge_loads(accesses);
    return std::move(merges_);
  }

 private:
  /// Loads that may meet: no store between them, the same root, element size and window.
  using Key = std::tuple<std::int32_t, std::int32_t, std::uint32_t, std::uint64_t>;

  /// Bytes of the widest aligned window around an access that its root's known zero bits allow.
  std::uint64_t window_bytes(const Access& access) const {
    const int known = std::min(values_.zeros_of(access.root), 4);
    return std::min(std::uint64_t{access.element_bytes} * 4, std::uint64_t{1} << known);
  }
  std::uint64_t window_begin(const Access& access) const {
    return access.offset / window_bytes(access) * window_bytes(access);
  }

  void step(std::int32_t block, std::int32_t index) {
    const Instruction& instruction = function_.body[index];
    if (ends_loads(instruction)) epoch_ = ++epochs_;
    if (ends_stores(instruction)) close_run();
    Access access;
    access.instruction = index;
    access.block = block;
    const bool load = instruction.root() == "ld";
    if (load || instruction.root() == "st") {
      const bool plain =
          is_plain(instruction, access) && locate(access, instruction.operands[load ? 1 : 0]);
      if (load && plain) {
        loads_[{epoch_, access.root, access.element_bytes, window_begin(access)}].push_back(access);
      } else if (!load && in_shared(instruction)) {
        add_store(access, plain);
      }
    }
    values_.execute(instruction);
  }

  /// False if the address is not understood, or not aligned as its size demands (then it would
  /// fault).
  bool locate(Access& access, const Operand& address) {
    if (address.kind != OperandKind::address) return false;
    const Value value = values_.of(address);
    access.root = value.root;
    access.offset = value.offset;
    if (value.root < 0) return false;
    return value.offset % access.bytes() == 0 && window_bytes(access) >= access.bytes();
  }

  void add_store(const Access& access, bool plain) {
    const auto fits = [&](const Access& other) {
      return other.root == access.root && other.element_bytes == access.element_bytes &&
             window_begin(other) == window_begin(access) &&
             access.offset - other.offset >= other.bytes() &&
             other.offset - access.offset >= access.bytes();
    };
    if (!plain || !std::ranges::all_of(run_, fits)) close_run();
    if (plain) run_.push_back(access);
  }

  void close_run() {
    // A vector with single elements after it stays as it is, and so do they.
    const auto is_single = [](const Access& access) { return access.count == 1; };
    if (run_.size() > 1 && (is_single(run_.front()) || std::ranges::none_of(run_, is_single)))
      join(run_, false);
    run_.clear();
  }

  /// Splits loads of one window into those that a common dominating load can speak for.
  void merge_loads(const std::vector<Access>& accesses) {
    std::vector<std::vector<Access>> anchored;
    for (const Access& access : accesses) {  // dominators come first
      const auto home = std::ranges::find_if(anchored, [&](const std::vector<Access>& group) {
        const std::int32_t anchor = group.front().block;
        // 2-byte elements are joined only within a block.
        return access.element_bytes > 2 ? dominance_.dominates(anchor, access.block)
                                        : anchor == access.block;
      });
      if (home != anchored.end()) {
        home->push_back(access);
      } else if (anchored.size() < kMostAnchors) {
        anchored.push_back({access});
      }
    }
    for (const std::vector<Access>& group : anchored)
      if (group.size() > 1) join(group, true);
  }

  /// Accesses of one window become the widest accesses that they cover.
  void join(const std::vector<Access>& accesses, bool loads) {
    const std::uint64_t element = accesses.front().element_bytes;
    const std::uint64_t window = window_bytes(accesses.front());
    const std::uint64_t base = window_begin(accesses.front());
    const auto covered = [&](std::uint64_t begin, std::uint64_t bytes) {
      std::uint64_t count = 0;
      for (std::uint64_t at = begin; at != begin + bytes; at += element)
        count += std::ranges::any_of(accesses, [&](const Access& access) {
          return at - access.offset < access.bytes();  // offsets may wrap below zero
        });
      return count;
    };
    const std::uint64_t elements = window / element;
    const std::uint64_t enough = loads && elements == 4 ? 3 : elements;
    if (covered(base, window) >= enough) {
      emit(accesses, base, window);
      return;
    }
    for (std::uint64_t step = 0; step < window; step += 2 * element) {
      const std::uint64_t pair = base + step;
      if (covered(pair, 2 * element) == 2) {
        emit(accesses, pair, 2 * element);
      } else {
        emit(accesses, pair, element);
        emit(accesses, pair + element, element);
      }
    }
  }

  void emit(const std::vector<Access>& accesses, std::uint64_t begin, std::uint64_t bytes) {
    std::vector<Access> inside;
    for (const Access& access : accesses)
      if (access.offset - begin < bytes) inside.push_back(access);
    if (inside.size() < 2) return;
    MergedAccess group;
    group.representative = inside.front().instruction;
    group.bytes = static_cast<std::uint32_t>(bytes);
    group.start_bytes =
        static_cast<std::int32_t>(static_cast<std::int64_t>(begin - inside.front().offset));
    std::ranges::stable_sort(inside, {}, &Access::offset);
    for (const Access& access : inside) {
      group.members.push_back(access.instruction);
      merges_.group_of[access.instruction] = static_cast<std::int32_t>(merges_.groups.size());
    }
    merges_.groups.push_back(std::move(group));
  }

  /// Blocks that load one window and of which none dominates another.
  static constexpr std::size_t kMostAnchors = 64;

  const Function& function_;
  const ControlFlow& flow_;
  Dominance dominance_;
  TrailingZeros zeros_;
  AddressValues values_;
  std::int32_t epoch_ = 0;
  std::int32_t epochs_ = 0;
  std::vector<std::int32_t> epoch_at_exit_;
  std::vector<bool> ends_loads_in_;
  std::map<Key, std::vector<Access>> loads_;
  std::vector<Access> run_;
  SharedMerges merges_;
};

}  // namespace

SharedMerges merge_shared_accesses(const Function& function, const ControlFlow& flow,
                                   const std::vector<std::int64_t>& shared_offset_of,
                                   const std::vector<std::int64_t>& module_shared_offset_of) {
  return Merger(function, flow, shared_offset_of, module_shared_offset_of).run();
}

}  // namespace labkit::ptx
