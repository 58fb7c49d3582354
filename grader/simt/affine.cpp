// Which registers are affine. Each is taken for uniform (the same in all lanes) at first, and becomes affine, or neither,
// where something that is writes it, until nothing changes: so a loop's counter stays what it is.
#include "simt/affine.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "simt/decoder.h"
#include "simt/registers.h"

namespace labkit::simt {
namespace {

enum class Rise : std::uint8_t { uniform, affine, any };

using Step = AffineUse::Step;

const std::unordered_map<std::string_view, Step>& steps_by_spelling() {
  using Rule = AffineRule;
  static const std::unordered_map<std::string_view, Step> all = [] {
    std::unordered_map<std::string_view, Step> steps;
    const auto each = [&](std::initializer_list<std::string_view> names, Step step) {
      for (const auto name : names) steps[name] = step;
    };
    each({"mov.b32", "mov.u32", "mov.s32"}, {Rule::move});
    each({"ld.param.b32", "ld.param.u32", "ld.param.s32"}, {Rule::move});
    each({"mov.b64", "mov.u64", "mov.s64", "cvta.to.global.u64"}, {Rule::move, true});
    each({"ld.param.b64", "ld.param.u64", "ld.param.s64"}, {Rule::move, true});
    each({"add.s32", "add.u32"}, {Rule::add});
    each({"add.s64", "add.u64"}, {Rule::add, true});
    each({"sub.s32", "sub.u32"}, {Rule::subtract});
    each({"sub.s64", "sub.u64"}, {Rule::subtract, true});
    each({"shl.b32"}, {Rule::shift_left});
    each({"shl.b64"}, {Rule::shift_left, true});
    each({"mul.lo.s32", "mul.lo.u32"}, {Rule::multiply});
    each({"mul.lo.s64", "mul.lo.u64"}, {Rule::multiply, true});
    each({"mad.lo.s32", "mad.lo.u32"}, {Rule::multiply_add});
    each({"mad.lo.s64", "mad.lo.u64"}, {Rule::multiply_add, true});
    each({"mul.wide.s32"}, {Rule::multiply_wide, true, true});
    each({"mul.wide.u32"}, {Rule::multiply_wide, true});
    each({"mad.wide.s32"}, {Rule::multiply_add_wide, true, true});
    each({"mad.wide.u32"}, {Rule::multiply_add_wide, true});
    each({"cvt.s64.s32", "cvt.u64.s32"}, {Rule::widen, true, true});
    each({"cvt.u64.u32", "cvt.s64.u32"}, {Rule::widen, true});
    // the low half of 64 bits
    each({"cvt.u32.u64", "cvt.s32.s64", "cvt.u32.s64", "cvt.s32.u64"}, {Rule::move});
    return steps;
  }();
  return all;
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
  const std::string_view type = in.parts[2];
  const bool is_64_bit = type.ends_with("64"), is_integer = type.find_first_of("bus") == 0;
  if (name == names.end() || !is_integer || !(is_64_bit || type.ends_with("32"))) return {};
  return {AffineRule::compare, is_64_bit, type.starts_with('s'), name->second};
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
    for (const auto r : unset) shape_[static_cast<std::size_t>(r)] = Rise::any;
  }

  AffineUse find() {
    std::vector<std::vector<std::size_t>> readers(shape_.size());  // of each register
    std::vector<std::size_t> work;
    std::vector<RegisterUse> uses;
    for (const auto& in : entry_.body) uses.push_back(register_use(in));
    for (std::size_t i = uses.size(); i-- > 0;) {  // text order first
      for (const auto r : uses[i].reads) readers[static_cast<std::size_t>(r)].push_back(i);
      work.push_back(i);
    }
    while (!work.empty()) {  // a register changes twice at most
      const std::size_t i = work.back();
      work.pop_back();
      const Rise made = result(entry_.body[i]);
      for (const auto r : uses[i].writes) {
        const auto k = static_cast<std::size_t>(r);
        if (made <= shape_[k]) continue;
        shape_[k] = made;
        work.insert(work.end(), readers[k].begin(), readers[k].end());
      }
    }
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
        return operand.id < 0 ? Rise::any : shape_[static_cast<std::size_t>(operand.id)];
      case ptx::OperandKind::immediate:
        return Rise::uniform;
      case ptx::OperandKind::special:
        return of_special(operand.name);
      case ptx::OperandKind::symbol: {
        if (operand.symbol == ptx::SymbolKind::module_variable) return Rise::uniform;
        if (operand.symbol != ptx::SymbolKind::function_variable) return Rise::any;
        const auto& variable = entry_.variables[static_cast<std::size_t>(operand.id)];
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
    const auto& steps = steps_by_spelling();
    const auto found = steps.find(in.spelling);
    if (found == steps.end() || in.operands.empty() || in.operands[0].kind != ptx::OperandKind::reg)
      return Rise::any;
    const auto n = [&](std::size_t k) {
      return k < in.operands.size() ? of(in.operands[k]) : Rise::any;
    };
    const auto product = [&] {
      return n(1) == Rise::uniform || n(2) == Rise::uniform ? std::max(n(1), n(2)) : Rise::any;
    };
    switch (found->second.rule) {
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
    const auto is_affine = [&](std::int32_t r) {
      return r >= 0 && use.is_affine[static_cast<std::size_t>(r)];
    };
    if (registers.writes.size() == 1 && is_affine(registers.writes.front()))
      return steps_by_spelling().at(in.spelling);
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
      if (address == nullptr || address->id != r || std::count(reads.begin(), reads.end(), r) > 1)
        use.needs_lanes[static_cast<std::size_t>(r)] = true;
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
  const auto& step = f_->affine.steps[static_cast<std::size_t>(body_index_)];
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
    op.needs_lanes = f_->affine.needs_lanes[static_cast<std::size_t>(in.operands[0].id)];
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
}

}  // namespace labkit::simt
