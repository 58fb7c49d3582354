// How many load latencies stand one behind another.
//
// A warp issues in order and stalls where the value of a load is first used. ptxas moves loads up
// as far as it may, so within a stretch of code loads wait for one another only
//   - through values: an address that needs the result of an earlier load (its level is one
//     deeper);
//   - through memory: a load may not pass an earlier store that might write the same bytes, and
//     that store waits for its own data. `.nc` loads pass every store; stores to another space are
//     passed; so is a store through the same base register to other bytes;
//   - through branches that stay branches: what stands before one has been waited for. Short ones
//     become predicates (`kPredicated`), so loads inside move up with the rest.
// Barriers and loop boundaries end a stretch; levels start at zero again. A load is charged one
// latency if it is the first of its level in the stretch. Checked against the scoreboard waits in
// the SASS that ptxas 13.0 makes for sm_90 of the kernels that latency_depth_test lists.
//
// One walk over the blocks in reverse postorder, with one level a register: PTX is nearly SSA, and
// a register that has definitions in several blocks of a stretch takes the deepest.
#include <algorithm>
#include <array>
#include <limits>

#include "ptx/defs.h"
#include "ptx/passes.h"

namespace labkit::ptx {
namespace {

constexpr std::size_t kPredicatedBlocks = 6;
// Blocks looked at, of all loops together, for each that there is: so deep are loops in loops that are told apart.
constexpr std::size_t kLoopDepth = 64;

// Registers that loads ahead of their use write: more are no such loads.
constexpr std::size_t kMostAhead = 64;

enum class Watched : std::uint8_t { global, shared };
enum : std::size_t { kGlobal, kShared, kLocal, kGeneric, kSpaces, kNoSpace };

std::size_t space_of(const Instruction& instruction) {
  if (instruction.has("global")) return kGlobal;
  if (instruction.has("shared") || instruction.has("shared::cta") ||
      instruction.has("shared::cluster"))
    return kShared;
  if (instruction.has("local")) return kLocal;
  if (instruction.has("param") || instruction.has("const") || instruction.has("param::entry") ||
      instruction.has("param::func"))
    return kNoSpace;
  return kGeneric;
}

bool ends_stretch(const Instruction& instruction) {
  return is_any(instruction, {"bar", "barrier", "call", "mbarrier"});
}

/// Stores of one stretch to one space: the level at which the last may issue, and, while all went
/// through one base register, which bytes around it they wrote.
struct Stores {
  std::uint8_t level = 0;
  bool any = false;
  bool one_base = false;
  std::int32_t base = -1;
  std::uint32_t version = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct State {
  std::int32_t stretch = -1;
  std::uint8_t floor = 0;    ///< level that everything from here on starts at
  std::uint8_t reached = 0;  ///< deepest level waited for so far
  std::uint8_t charged = 0;  ///< levels that some load has paid for
  std::array<Stores, kSpaces> stores;
  /// Registers that loads since the last charged one write, none of which has been read: loads ahead of their use. Empty: one has.
  std::vector<std::int32_t> ahead;
};

std::uint8_t deeper(std::uint8_t level) {
  return static_cast<std::uint8_t>(std::min(level + 1, 255));
}

std::int64_t access_bytes(const Instruction& instruction) {
  std::int64_t count = 1;
  if (instruction.has("v2")) count = 2;
  if (instruction.has("v4")) count = 4;
  if (instruction.has("v8")) count = 8;
  const auto type = type_from_name(instruction.parts.back());
  return count * (type ? size_bytes(*type) : 16);
}

const Operand* address_of(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    if (operand.kind == OperandKind::address) return &operand;
  return nullptr;
}

struct Shape {
  std::vector<std::int32_t> order;    ///< reverse postorder, unreachable blocks last
  std::vector<std::int32_t> loop_of;  ///< head of the innermost loop around a block, or -1
  std::vector<bool> head;
  std::vector<bool> soft;  ///< entered without a branch that ptxas would keep
};

Shape shape_of(const Function& function, const ControlFlow& flow) {
  const std::size_t n = flow.blocks.size();
  Shape shape{{},
              std::vector<std::int32_t>(n, -1),
              std::vector<bool>(n, false),
              std::vector<bool>(n, false)};
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> mark(n, kNew);
  std::vector<std::pair<std::size_t, std::size_t>> back_edges;  // from, head
  std::vector<std::int32_t> postorder;
  for (std::size_t start = n; start-- > 0;) {  // block 0 last, to be the first in the reverse
    if (mark[start] != kNew || (start != 0 && !flow.blocks[start].predecessors.empty())) continue;
    std::vector<std::pair<std::size_t, std::size_t>> stack{{start, 0}};
    mark[start] = kOpen;
    while (!stack.empty()) {
      const std::size_t b = stack.back().first;
      const auto& successors = flow.blocks[b].successors;
      if (stack.back().second == successors.size()) {
        mark[b] = kDone;
        postorder.push_back(static_cast<std::int32_t>(b));
        stack.pop_back();
        continue;
      }
      const std::size_t to = successors[stack.back().second++];
      if (mark[to] == kOpen) {
        back_edges.emplace_back(b, to);
        shape.head[to] = true;
      } else if (mark[to] == kNew) {
        mark[to] = kOpen;
        stack.emplace_back(to, 0);
      }
    }
  }
  shape.order.assign(postorder.rbegin(), postorder.rend());
  for (std::size_t b = 0; b < n; ++b)
    if (mark[b] == kNew)  // cycles that nothing enters
      shape.order.push_back(static_cast<std::int32_t>(b));

  // Loop bodies: whatever reaches the back edge without passing the head. Small ones win over what
  // encloses them.
  std::vector<std::size_t> size_around(n, std::numeric_limits<std::size_t>::max());
  std::ranges::sort(back_edges, {}, &std::pair<std::size_t, std::size_t>::second);
  std::vector<std::size_t> seen(n, n);
  std::size_t looks = kLoopDepth * n;
  for (std::size_t e = 0; e < back_edges.size() && looks > 0;) {
    const std::size_t head = back_edges[e].second;
    std::vector<std::size_t> body{head};
    seen[head] = head;
    for (; e < back_edges.size() && back_edges[e].second == head; ++e) {
      std::vector<std::size_t> work{back_edges[e].first};
      while (!work.empty() && looks > 0) {
        const std::size_t b = work.back();
        work.pop_back();
        --looks;
        if (seen[b] == head) continue;
        seen[b] = head;
        body.push_back(b);
        const auto& predecessors = flow.blocks[b].predecessors;
        work.insert(work.end(), predecessors.begin(), predecessors.end());
      }
    }
    for (const std::size_t b : body) {
      if (body.size() >= size_around[b]) continue;
      size_around[b] = body.size();
      shape.loop_of[b] = static_cast<std::int32_t>(head);
    }
  }

  const auto length = [&](std::size_t b) { return flow.blocks[b].last - flow.blocks[b].first; };
  const auto predicable = [&](std::size_t b) {
    return !shape.head[b] && std::ranges::none_of(instructions_of(function, flow.blocks[b]),
                                                  [](const Instruction& instruction) {
                                                    return ends_stretch(instruction) ||
                                                           leaves(instruction);
                                                  });
  };
  for (std::size_t b = 0; b < n; ++b) {
    const auto& predecessors = flow.blocks[b].predecessors;
    if (predecessors.size() == 1 && flow.blocks[predecessors[0]].successors.size() == 1)
      shape.soft[b] = true;  // only a label between them
    const std::int32_t join = flow.blocks[b].immediate_post_dominator;
    if (flow.blocks[b].successors.size() < 2 || join < 0) continue;
    // All blocks between the branch and where it joins again.
    std::vector<std::int32_t> inside;
    std::int32_t total = 0;
    bool fits = true;
    const auto is_inside = [&](std::int32_t block) {
      return std::ranges::find(inside, block) != inside.end();
    };
    const auto enter = [&](std::size_t from) {
      for (const std::int32_t to : flow.blocks[from].successors) {
        if (inside.size() > kPredicatedBlocks) return;  // that many do not fit
        if (to != join && !is_inside(to)) inside.push_back(to);
      }
    };
    const auto is_entered_from_here = [&](std::int32_t block) {
      return std::ranges::all_of(flow.blocks[block].predecessors, [&](std::int32_t from) {
        return from == static_cast<std::int32_t>(b) || is_inside(from);
      });
    };
    enter(b);
    for (std::size_t k = 0; fits && k < inside.size(); ++k) {
      const std::int32_t at = inside[k];
      total += length(at);
      fits = inside.size() <= kPredicatedBlocks && total <= kPredicated && predicable(at);
      if (fits) enter(at);
    }
    if (!fits || !std::ranges::all_of(inside, is_entered_from_here)) continue;
    for (const std::int32_t at : inside) shape.soft[at] = true;
    if (is_entered_from_here(join)) shape.soft[join] = true;
  }
  return shape;
}

class Walk {
 public:
  Walk(const Function& function, const ControlFlow& flow, const Shape& shape, Watched watched)
      : function_(function),
        flow_(flow),
        shape_(shape),
        watched_(watched),
        registers_(function.registers.size()),
        charge_(function.body.size(), 0) {}

  std::vector<std::uint8_t> run() {
    std::vector<State> after(flow_.blocks.size());
    for (const std::int32_t b : shape_.order) {
      State state = entry_of(b, after);
      for (std::int32_t i = flow_.blocks[b].first; i < flow_.blocks[b].last; ++i) step(state, b, i);
      after[b] = state;
    }
    return std::move(charge_);
  }

 private:
  State fresh() {
    State state;
    state.stretch = next_stretch_++;
    return state;
  }

  State entry_of(std::int32_t b, const std::vector<State>& after) {
    const auto& predecessors = flow_.blocks[b].predecessors;
    if (predecessors.empty() || shape_.head[b]) return fresh();
    State state = after[predecessors.front()];
    for (const std::int32_t from : predecessors) {
      const State& other = after[from];
      const bool leaves_loop = shape_.loop_of[from] != shape_.loop_of[b];
      if (leaves_loop || other.stretch < 0 || other.stretch != state.stretch) return fresh();
      state.floor = std::max(state.floor, other.floor);
      state.reached = std::max(state.reached, other.reached);
      state.charged = std::max(state.charged, other.charged);
      if (other.ahead.empty()) state.ahead.clear();
      for (std::size_t s = 0; s < kSpaces; ++s) {
        Stores& mine = state.stores.at(s);
        const Stores& theirs = other.stores.at(s);
        if (!theirs.any) continue;
        if (!mine.any) {
          mine = theirs;
          continue;
        }
        mine.level = std::max(mine.level, theirs.level);
        mine.one_base = mine.one_base && theirs.one_base && mine.base == theirs.base &&
                        mine.version == theirs.version;
        mine.begin = std::min(mine.begin, theirs.begin);
        mine.end = std::max(mine.end, theirs.end);
      }
    }
    if (!shape_.soft[b]) state.floor = std::max(state.floor, state.reached);
    return state;
  }

  bool is_watched(std::size_t space) const {
    return watched_ == Watched::shared ? space == kShared
                                       : space == kGlobal || space == kLocal || space == kGeneric;
  }

  /// Whether all of `stores` went through the register that `address` is based on, as it is now.
  bool has_base_of(const Stores& stores, const Operand* address) const {
    return stores.one_base && address != nullptr && address->base == OperandKind::reg &&
           address->id == stores.base && registers_[address->id].version == stores.version;
  }

  /// The level that memory order imposes on a load.
  std::uint8_t after_stores(const State& state, std::size_t space, const Operand* address,
                            std::int64_t bytes) const {
    std::uint8_t level = 0;
    for (std::size_t s = 0; s < kSpaces; ++s) {
      const Stores& stores = state.stores.at(s);
      if (!stores.any || (s != space && s != kGeneric && space != kGeneric)) continue;
      if (s == space && has_base_of(stores, address) &&
          (address->offset >= stores.end || address->offset < stores.begin - bytes + 1))
        continue;
      level = std::max(level, stores.level);
    }
    return level;
  }

  void note_store(State& state, std::size_t space, const Operand* address, std::int64_t bytes,
                  std::uint8_t level) {
    Stores& stores = state.stores.at(space);
    // Beyond: offsets that no address has, kept out of the sums.
    constexpr std::int64_t kFar = std::int64_t{1} << 48;
    const bool has_base = address != nullptr && address->base == OperandKind::reg &&
                          address->offset > -kFar && address->offset < kFar;
    if (!stores.any && has_base) {
      stores = {.one_base = true,
                .base = address->id,
                .version = registers_[address->id].version,
                .begin = address->offset,
                .end = address->offset + bytes};
    } else if (has_base && has_base_of(stores, address)) {
      stores.begin = std::min(stores.begin, address->offset);
      stores.end = std::max(stores.end, address->offset + bytes);
    } else {
      stores.one_base = false;
    }
    stores.any = true;
    stores.level = std::max(stores.level, level);
  }

  /// A copy of what was loaded is another name of it; any other use waits for it.
  static void read_ahead(State& state, const Instruction& instruction) {
    if (state.ahead.empty()) return;
    const auto is_ahead = [&](std::int32_t id) { return std::ranges::count(state.ahead, id) != 0; };
    bool reads = false;
    visit_uses(instruction, [&](std::int32_t id) { reads = reads || is_ahead(id); });
    if (!reads) return;
    if (instruction.root() == "mov" && state.ahead.size() < kMostAhead)
      visit_defs(instruction, [&](std::int32_t id) { state.ahead.push_back(id); });
    else
      state.ahead.clear();
  }

  void step(State& state, std::int32_t block, std::int32_t index) {
    const Instruction& instruction = function_.body[index];
    if (ends_stretch(instruction)) {
      std::vector<std::int32_t> ahead = std::move(state.ahead);
      state = fresh();
      state.ahead = std::move(ahead);
    }
    read_ahead(state, instruction);
    std::uint8_t level = state.floor;
    visit_uses(instruction, [&](std::int32_t id) {
      if (registers_[id].stretch == state.stretch) level = std::max(level, registers_[id].level);
    });
    const bool is_cp = instruction.root() == "cp";
    const bool copies = is_cp && instruction.has("shared") && instruction.has("global");
    if (is_cp && (instruction.has("wait_all") || instruction.has("wait_group")))
      level = std::max(level, copies_);

    const bool is_wmma = instruction.root() == "wmma";
    const bool loads = is_any(instruction, {"ld", "ldu", "ldmatrix", "atom"}) || copies ||
                       (is_wmma && instruction.has("load"));
    const bool stores = is_any(instruction, {"st", "stmatrix", "atom", "red"}) ||
                        (is_wmma && instruction.has("store"));
    const std::size_t space = copies ? std::size_t{kGlobal} : space_of(instruction);
    const Operand* const address = address_of(instruction);
    std::uint8_t result = level;
    if ((loads || stores) && space != kNoSpace) {
      const std::int64_t bytes = access_bytes(instruction);
      if (loads && !instruction.has("nc"))
        level = std::max(level, after_stores(state, space, address, bytes));
      if (stores) note_store(state, space, address, bytes, level);
      result = level;
      if (loads && is_watched(space)) {
        result = deeper(level);
        if (level >= state.charged) {
          // behind a barrier it joins those that nobody waits for yet
          charge_[index] = level == 0 && !state.ahead.empty() ? 0 : 1;
          state.charged = result;
          if (charge_[index]) state.ahead.clear();
          if (charge_[index] && !copies)
            visit_defs(instruction, [&](std::int32_t id) { state.ahead.push_back(id); });
        } else if (state.ahead.size() >= kMostAhead) {
          state.ahead.clear();
        } else if (!state.ahead.empty()) {
          visit_defs(instruction, [&](std::int32_t id) { state.ahead.push_back(id); });
        }
        if (copies) copies_ = std::max(copies_, result);
      }
    }
    state.reached = std::max(state.reached, level);
    visit_defs(instruction, [&](std::int32_t id) {
      RegisterState& written = registers_[id];
      const bool is_current = written.stretch == state.stretch;
      const bool keeps = is_current && (written.block != block || instruction.guard >= 0);
      written = {.level = keeps ? std::max(written.level, result) : result,
                 .stretch = state.stretch,
                 .block = block,
                 .version = written.version + 1};
    });
  }

  struct RegisterState {
    std::uint8_t level = 0;  ///< valid if its stretch is the current one
    std::int32_t stretch = -1;
    std::int32_t block = -1;
    std::uint32_t version = 0;
  };

  const Function& function_;
  const ControlFlow& flow_;
  const Shape& shape_;
  Watched watched_;
  std::int32_t next_stretch_ = 0;
  std::vector<RegisterState> registers_;
  std::uint8_t copies_ = 0;  ///< level at which the cp.async so far have arrived
  std::vector<std::uint8_t> charge_;
};

constexpr std::ptrdiff_t kMostUnrolledInstructions = 40;
constexpr int kLoadsInFlight = 16, kMostTurns = 4;

/// Turns of the one-block loop `block` that ptxas unrolls: 1 unless it is short, counts by a constant and has neither
/// barriers nor calls nor stores, which loads may not pass. Source: registers and times of sums_4096 and matvec_4096 in
/// tests/timing/data (loops that NVVM unrolled by four), against reduce_shuffle (counts by a variable: not unrolled).
std::uint8_t turns_in_flight(const Function& function, const ControlFlow& flow, std::size_t at) {
  const BasicBlock& block = flow.blocks[at];
  if (std::ranges::count(block.successors, static_cast<std::int32_t>(at)) == 0 ||
      block.last - block.first > kMostUnrolledInstructions)
    return 1;
  int loads = 0;
  std::vector<std::int32_t> counters, compared;
  for (const Instruction& in : instructions_of(function, block)) {
    const std::string_view root = in.root();
    if (is_any(in, {"bar", "barrier", "call", "st", "atom", "red", "membar", "fence"})) return 1;
    if (root == "ld" && (in.has("global") || in.has("local"))) ++loads;
    if (root == "add" && in.operands.size() == 3 && in.operands[0].kind == OperandKind::reg &&
        in.operands[1].kind == OperandKind::reg && in.operands[0].id == in.operands[1].id &&
        in.operands[2].kind == OperandKind::immediate)
      counters.push_back(in.operands[0].id);
    if (root == "setp")
      for (const Operand& operand : in.operands)
        if (operand.kind == OperandKind::reg) compared.push_back(operand.id);
  }
  const bool counted = std::ranges::find_first_of(counters, compared) != counters.end();
  if (!loads || !counted) return 1;
  return static_cast<std::uint8_t>(std::clamp(kLoadsInFlight / loads, 1, kMostTurns));
}

}  // namespace

LatencyDepth latency_depth(const Function& function, const ControlFlow& flow) {
  const Shape shape = shape_of(function, flow);
  LatencyDepth depth;
  depth.serial_loads_at = Walk(function, flow, shape, Watched::global).run();
  depth.serial_shared_loads_at = Walk(function, flow, shape, Watched::shared).run();
  depth.turns_in_flight_at.assign(function.body.size(), 1);
  for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
    const std::uint8_t turns = turns_in_flight(function, flow, b);
    std::fill(depth.turns_in_flight_at.begin() + flow.blocks[b].first,
              depth.turns_in_flight_at.begin() + flow.blocks[b].last, turns);
  }
  return depth;
}

}  // namespace labkit::ptx
