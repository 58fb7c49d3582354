// Which registers are affine. Each is taken for uniform (the same in all lanes) at first, and becomes affine, or neither,
// where something that is writes it, until nothing changes: so a loop's counter stays what it is.
#include "simt/affine.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "ptx/defs.h"
#include "simt/decoder.h"
#include "simt/registers.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

enum class Rise : std::uint8_t { uniform, affine, any };

using Step = AffineUse::Step;

/// Of 32- or 64-bit integers: "s64", "b32".
struct IntegerType {
  explicit IntegerType(std::string_view name)
      : is_64_bit(name.ends_with("64")),
        is_signed(name.starts_with('s')),
        is_known(name.find_first_of("bus") == 0 && (is_64_bit || name.ends_with("32"))) {}
  bool is_64_bit, is_signed, is_known;
};

/// What the instruction does to affine values, if it is no comparison or access.
Step arithmetic_of(const ptx::Instruction& in) {
  using Rule = AffineRule;
  static constexpr std::pair<std::string_view, Rule> kRules[] = {
      {"mov", Rule::move},
      {"ld.param", Rule::move},
      {"cvta.to.global", Rule::move},
      {"add", Rule::add},
      {"sub", Rule::subtract},
      {"shl", Rule::shift_left},
      {"mul.lo", Rule::multiply},
      {"mad.lo", Rule::multiply_add},
      {"mul.wide", Rule::multiply_wide},
      {"mad.wide", Rule::multiply_add_wide},
      {"cvt.s64", Rule::widen},
      {"cvt.u64", Rule::widen},
      {"cvt.s32", Rule::move},  // the low half of 64 bits
      {"cvt.u32", Rule::move}};
  const auto dot = std::min(in.spelling.rfind('.'), in.spelling.size() - 1);
  const IntegerType type(in.spelling.substr(dot + 1));
  const auto* found = std::find_if(std::begin(kRules), std::end(kRules), [&](const auto& rule) {
    return rule.first == in.spelling.substr(0, dot);
  });
  if (found == std::end(kRules) || !type.is_known) return {};
  const auto& [name, rule] = *found;
  if (name.starts_with("cvt.")) {
    const bool widens = rule == Rule::widen;
    if (type.is_64_bit == widens) return {};
    return {rule, widens, widens && type.is_signed};
  }
  if (rule == Rule::multiply_wide || rule == Rule::multiply_add_wide)
    return {rule, true, type.is_signed};
  return {rule, type.is_64_bit};
}

/// A plain setp of 32- or 64-bit integers, else nothing.
Step comparison_of(const ptx::Instruction& in) {
  static const std::unordered_map<std::string_view, Comparison> names = {
      {"eq", Comparison::eq}, {"ne", Comparison::ne}, {"lt", Comparison::lt},
      {"lo", Comparison::lt}, {"le", Comparison::le}, {"ls", Comparison::le},
      {"gt", Comparison::gt}, {"hi", Comparison::gt}, {"ge", Comparison::ge},
      {"hs", Comparison::ge}};
  if (in.parts.size() != 3 || in.root() != "setp" || in.operands.size() != 3 ||
      in.operands[0].kind != ptx::OperandKind::reg)
    return {};
  const auto name = names.find(in.parts[1]);
  const IntegerType type(in.parts[2]);
  if (name == names.end() || !type.is_known) return {};
  return {AffineRule::compare, type.is_64_bit, type.is_signed, name->second};
}

/// A load or store whose address is of its space.
bool has_plain_address(const ptx::Instruction& in) {
  return (in.root() == "ld" || in.root() == "st") &&
         (in.has("global") || in.has("shared") || in.has("shared::cta"));
}

class Finder {
 public:
  Finder(const ptx::Function& entry, const std::vector<std::int32_t>& unset)
      : entry_(entry), shape_(entry.registers.size(), Rise::uniform) {
    for (const auto r : unset) shape_[r] = Rise::any;
  }

  AffineUse find() {
    ptx::until_settled(entry_, [&](const ptx::Instruction& in, const auto& changed) {
      const Rise made = result(in);
      ptx::visit_defs(in, [&](std::int32_t r) {  // a register changes twice at most
        if (made <= shape_[r]) return;
        shape_[r] = made;
        changed(r);
      });
    });
    AffineUse use;
    use.is_affine.resize(shape_.size());
    use.needs_lanes.assign(shape_.size(), false);
    for (std::size_t r = 0; r < shape_.size(); ++r)
      use.is_affine[r] =
          shape_[r] != Rise::any && class_of(entry_.registers[r].type) != RegisterClass::predicate;
    for (const auto& in : entry_.body) use.steps.push_back(step_of(in, use));
    return use;
  }

 private:
  static Rise of_special(std::string_view name) {
    if (name == "%tid.x" || name == "%laneid") return Rise::affine;
    // of a block whose rows are no whole warps they are not, which prepare_affine() sees
    return name.starts_with("%tid.") || name.starts_with("%ntid.") || name.starts_with("%ctaid.") ||
                   name.starts_with("%nctaid.") || name == "%warpid"
               ? Rise::uniform
               : Rise::any;
  }
  Rise of(const ptx::Operand& operand) const {
    switch (operand.kind) {
      case ptx::OperandKind::reg:
        return operand.id < 0 ? Rise::any : shape_[operand.id];
      case ptx::OperandKind::immediate:
        return Rise::uniform;
      case ptx::OperandKind::special:
        return of_special(operand.name);
      case ptx::OperandKind::symbol: {
        if (operand.symbol == ptx::SymbolKind::module_variable) return Rise::uniform;
        if (operand.symbol != ptx::SymbolKind::function_variable) return Rise::any;
        const auto& variable = entry_.variables[operand.id];
        return variable.space == ptx::Space::shared ? Rise::uniform : Rise::any;
      }
      case ptx::OperandKind::address:
        return operand.base == ptx::OperandKind::symbol &&
                       operand.symbol == ptx::SymbolKind::parameter
                   ? Rise::uniform
                   : Rise::any;
      default:
        return Rise::any;
    }
  }

  /// Of what the instruction writes.
  Rise result(const ptx::Instruction& in) const {
    if (in.operands.empty() || in.operands[0].kind != ptx::OperandKind::reg) return Rise::any;
    const auto n = [&](std::size_t k) {
      return k < in.operands.size() ? of(in.operands[k]) : Rise::any;
    };
    const auto product = [&] {
      return n(1) == Rise::uniform || n(2) == Rise::uniform ? std::max(n(1), n(2)) : Rise::any;
    };
    switch (arithmetic_of(in).rule) {
      case AffineRule::move:
      case AffineRule::widen:
        return n(1);
      case AffineRule::add:
      case AffineRule::subtract:
        return std::max(n(1), n(2));
      case AffineRule::shift_left:
        return n(2) == Rise::uniform ? n(1) : Rise::any;
      case AffineRule::multiply:
      case AffineRule::multiply_wide:
        return product();
      case AffineRule::multiply_add:
      case AffineRule::multiply_add_wide:
        return std::max(product(), n(3));
      default:
        return Rise::any;
    }
  }

  /// Its rule if it is done to affine values; what it reads lane by lane is noted.
  Step step_of(const ptx::Instruction& in, AffineUse& use) const {
    const RegisterUse registers = register_use(in);
    const auto is_affine = [&](std::int32_t r) { return r >= 0 && use.is_affine[r]; };
    if (registers.writes.size() == 1 && is_affine(registers.writes.front()))
      return arithmetic_of(in);
    if (const Step step = comparison_of(in); step.rule != AffineRule::none &&
                                             of(in.operands[1]) != Rise::any &&
                                             of(in.operands[2]) != Rise::any)
      return step;
    const ptx::Operand* address = nullptr;
    if (has_plain_address(in))
      for (const auto& operand : in.operands)
        if (operand.kind == ptx::OperandKind::address && operand.base == ptx::OperandKind::reg &&
            is_affine(operand.id))
          address = &operand;
    const auto& reads = registers.reads;
    for (const auto r : reads)
      if (address == nullptr || address->id != r || std::ranges::count(reads, r) > 1)
        use.needs_lanes[r] = true;
    return address != nullptr ? Step{AffineRule::address} : Step{};
  }

  const ptx::Function& entry_;
  std::vector<Rise> shape_;
};

}  // namespace

AffineUse find_affine(const ptx::Function& entry, const std::vector<std::int32_t>& unset) {
  return Finder(entry, unset).find();
}

/// Marks `op`, just decoded from `in`, with what find_affine() says of it. `one_op`: it is all that `in` became.
void Decoder::note_affine(const ptx::Instruction& in, Op& op, bool one_op) {
  if (f_->affine.steps.empty()) return;
  const auto& step = f_->affine.steps[body_index_];
  if (step.rule == AffineRule::none) return;
  const auto kind = step.rule == AffineRule::compare ? OpKind::mask
                    : step.is_64_bit                 ? OpKind::lanes64
                                                     : OpKind::lanes32;
  const bool is_access = op.kind == OpKind::load || op.kind == OpKind::store;
  if (!one_op || (step.rule == AffineRule::address ? !is_access : op.kind != kind)) {
    affine_fails_ = true;
    return;
  }
  if (is_access && (program_->memory_ops[op.aux].settled || is_known(op.s[0]))) return;
  op.affine = step.rule;
  op.affine_64 = step.is_64_bit;
  op.affine_signed = step.is_signed;
  op.comparison = step.comparison;
  if (step.rule != AffineRule::compare && step.rule != AffineRule::address)
    op.needs_lanes = f_->affine.needs_lanes[in.operands[0].id];
}

void Decoder::finish_affine() {
  auto& program = *program_;
  const auto& f = functions_[0];
  if (affine_fails_ || f.affine.steps.empty()) return;
  std::set<Slot> slots;
  for (std::size_t r = 0; r < f.affine.is_affine.size(); ++r) {
    const auto number = f.registers.number[r];
    if (!f.affine.is_affine[r] || f.elsewhere[r] != kNoSlot || number < 0) continue;
    const bool wide = class_of(f.ptx->registers[r].type) == RegisterClass::twice;
    const Slot slot = wide ? f.doubles + static_cast<Slot>(number) * 256
                           : f.words + static_cast<Slot>(number) * 128;
    if (slots.insert(slot).second) program.affine_slots.push_back({slot, wide});
  }
  std::unordered_map<Slot, bool> is_wide;  // of the fixed ones
  for (const auto& fixed : program.fixed) is_wide.try_emplace(fixed.slot, fixed.is_64_bit);
  for (const Op& op : program.once) is_wide.try_emplace(op.d, op.kind == OpKind::lanes64);
  std::set<Slot> sources;
  for (const Op& op : program.ops) {
    const bool access = op.affine == AffineRule::address;
    for (int n = 0; n < 4; ++n) {
      const Slot slot = op.s[n];
      if (slot == kNoSlot) continue;
      if (op.affine == AffineRule::none || op.needs_lanes)
        program.block_needs_lanes = program.block_needs_lanes || of_block_.contains(slot);
      if (op.affine == AffineRule::none || access || slots.contains(slot)) continue;
      if (!sources.insert(slot).second) continue;
      const auto fixed = is_wide.find(slot);
      if (fixed == is_wide.end()) {  // nobody knows what it holds: all goes lane by lane
        program.affine_slots.clear();
        return;
      }
      program.affine_sources.push_back({slot, fixed->second});
    }
  }
  const auto read_by_lane = [&](const auto& slots_read) {
    for (const Slot slot : slots_read)
      program.block_needs_lanes = program.block_needs_lanes || of_block_.contains(slot);
  };
  for (const Op& op : program.once) read_by_lane(op.s);
  for (const MemoryOp& memory : program.memory_ops) read_by_lane(memory.data);
  for (const PackOp& pack : program.packs) read_by_lane(pack.elements);
  for (const MatrixOp& matrix : program.matrices) {
    for (const auto* fragment : {&matrix.a, &matrix.b, &matrix.c, &matrix.d})
      read_by_lane(fragment->registers);
    read_by_lane(matrix.scratch);
  }
}

// While a kernel runs: a warp whose threads' numbers rise evenly, as long as its lanes stay together: affine values are computed once for all
// lanes. Where that ends (lanes part, a value comes around its width, an access is no plain one), each register gets its
// lanes, and the warp goes on lane by lane from the very instruction until the block ends.
namespace {

template <typename T>
void spread(std::byte* at, Affine value) {
  auto* lanes = reinterpret_cast<T*>(at);
  for (int i = 0; i < kLanes; ++i)
    lanes[i] = static_cast<T>(value.base + static_cast<std::uint64_t>(i) * value.step);
}

bool rises_evenly(const std::byte* at, bool is_64_bit, Affine& value) {
  const auto lane = [&](std::size_t i) { return read_lane(at, is_64_bit, i); };
  const std::uint64_t width = is_64_bit ? ~0ull : 0xFFFFFFFF;
  value = {lane(0), (lane(1) - lane(0)) & width};
  for (std::uint64_t i = 0; i < kLanes; ++i)
    if (lane(i) != ((value.base + i * value.step) & width)) return false;
  return true;
}

/// Warps that a worker begins as affine before it asks whether that pays.
constexpr std::uint64_t kTried = 64;

}  // namespace

/// Once a warp, when what no block changes is in its registers.
void Worker::prepare_affine(Warp& warp) {
  warp.can_be_affine = false;
  if (launch_.affine_ops.empty() || launch_.threads < (warp.number + 1) * kLanes) return;
  warp.affine.assign(program_.register_bytes / 128 + 1, {});
  for (const auto& source : program_.affine_sources) {
    const std::byte* at = warp.registers + source.slot;
    Affine& value = file_at(warp.affine.data(), affine_place(source.slot));
    if (!rises_evenly(at, source.is_64_bit, value)) return;
  }
  warp.can_be_affine = true;
}

void Worker::begin_affine(Warp& warp) {
  // Where lanes part in most warps, it is not worth the while.
  warp.is_affine =
      warp.can_be_affine && (affine_begun_ < kTried || affine_left_ * 2 < affine_begun_);
  if (!warp.is_affine) return fill_fixed(warp, true);
  ++affine_begun_;
  if (program_.block_needs_lanes) fill_fixed(warp, true);
  for (const auto& slot : program_.of_block) {
    const std::uint32_t of[3] = {place_.x, place_.y, place_.z};
    file_at(warp.affine.data(), affine_place(slot.slot)) = {
        of[static_cast<int>(slot.kind) - static_cast<int>(FixedKind::ctaid_x)], 0};
  }
}

bool Worker::lane_by_lane(Warp& warp, std::ptrdiff_t op) {
  resume_ = launch_.ops.data() + op;
  ++affine_left_;
  warp.is_affine = false;
  if (!program_.block_needs_lanes) fill_fixed(warp, true);
  for (const auto& slot : program_.affine_slots) spread_affine(warp, slot.slot, slot.is_64_bit);
  return true;
}

void Worker::spread_affine(Warp& warp, Slot slot, bool is_64_bit) {
  const Affine value = file_at(warp.affine.data(), affine_place(slot));
  if (is_64_bit)
    spread<std::uint64_t>(warp.registers + slot, value);
  else
    spread<std::uint32_t>(warp.registers + slot, value);
}

}  // namespace labkit::simt
