// Branches, calls, barriers and what lanes of a warp say to one another.
#include "simt/decoder.h"

namespace labkit::simt {

using words::Id;

void Decoder::decode_branch(const ptx::Instruction& in, Op& op) {
  const auto& to = operand(in, 0);
  if (to.kind != ptx::OperandKind::label) fail(Id::unsupported_operands);
  const auto block = f_->flow.block_of[static_cast<std::size_t>(to.id)];
  op.target = f_->first_block + block;
  op.kind = in.guard < 0 ? OpKind::jump : OpKind::branch;
}

void Decoder::decode_branch_table(const ptx::Instruction& in, Op& op) {
  if (in.guard >= 0) fail(Id::unsupported_branch_table);
  op.kind = OpKind::branch_table;
  op.s[0] = source(operand(in, 0), 'w');
  op.aux = static_cast<std::uint32_t>(program_->branch_tables.size());
  std::vector<std::int32_t> table;
  for (const auto block : f_->flow.blocks[static_cast<std::size_t>(block_ - f_->first_block)].table)
    table.push_back(f_->first_block + block);
  if (table.empty()) fail(Id::unsupported_branch_table);
  program_->branch_tables.push_back(std::move(table));
}

ParameterArea Decoder::area_of_list_element(const ptx::Operand& element) const {
  ptx::Operand address = element;
  address.kind = ptx::OperandKind::address;
  address.base = ptx::OperandKind::symbol;
  if (element.kind != ptx::OperandKind::symbol) fail(Id::unsupported_arguments);
  const auto area = parameter_area(address);
  if (!area) fail(Id::unsupported_arguments);
  return *area;
}

void Decoder::decode_call(const ptx::Instruction& in, Op& op) {
  if (in.guard >= 0) fail(Id::unsupported_conditional_call);
  CallSite site;
  site.instruction = op.index;
  const ptx::Operand* callee = nullptr;
  for (const auto& o : in.operands) {
    if (o.kind == ptx::OperandKind::symbol && o.symbol == ptx::SymbolKind::function &&
        callee == nullptr) {
      callee = &o;
    } else if (o.kind == ptx::OperandKind::list) {
      for (const auto& element : o.elements)
        (callee == nullptr ? site.results : site.arguments)
            .push_back(area_of_list_element(element));
    }
  }
  if (callee == nullptr) fail(Id::unsupported_call_through_pointer);
  op.aux = static_cast<std::uint32_t>(program_->calls.size());
  if (callee->name == "vprintf") {
    if (site.arguments.size() != 2) fail(Id::unsupported_arguments);
    op.kind = OpKind::call_printf;
  } else if (callee->name == "__assertfail") {
    if (site.arguments.size() != 5) fail(Id::unsupported_arguments);
    op.kind = OpKind::call_assert;
  } else {
    op.kind = OpKind::call;
    site.function = function_number(*callee);
    if (site.function < 0)
      fail(Id::unsupported_missing_function, source_name(std::string(callee->name)));
    const auto& f = functions_[static_cast<std::size_t>(site.function)];
    if (f.parameters.size() != site.arguments.size() || f.returns.size() < site.results.size())
      fail(Id::unsupported_arguments);
    for (std::size_t k = 0; k < site.arguments.size(); ++k)
      if (site.arguments[k].bytes < f.parameters[k].bytes) fail(Id::unsupported_arguments);
    for (std::size_t k = 0; k < site.results.size(); ++k)
      if (site.results[k].bytes < f.returns[k].bytes) fail(Id::unsupported_arguments);
  }
  program_->calls.push_back(std::move(site));
}

void Decoder::decode_trap(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::trap;
  op.imm = in.root() == "brkpt";
}

/// bar.{sync,arrive,red}: Op::imm has what it does (0 sync, 1 arrive, 2 popc, 3 and, 4 or), bit 4: all lanes of a warp
/// must come together. s[0] the barrier, s[1] the number of threads, s[2] the predicate.
void Decoder::decode_barrier(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::barrier;
  const bool reduces = in.has("red");
  const bool aligned = in.root() == "bar" || in.has("aligned");
  op.imm = word_of(in, {"sync", "arrive", "popc", "and", "or"}) | (aligned ? 16u : 0u);
  std::size_t at = 0;
  if (reduces) op.d = destination(operand(in, at++), in.has("popc") ? 'w' : 'p');
  const auto& number = operand(in, at++);
  if (number.kind == ptx::OperandKind::immediate && number.bits > 15)
    fail(Id::unsupported_barrier_number, std::to_string(static_cast<std::int32_t>(number.bits)));
  op.s[0] = source(number, 'w');
  if (number.kind == ptx::OperandKind::immediate)
    op.aux = static_cast<std::uint32_t>(number.bits) + 1;
  const std::size_t rest = in.operands.size() - at - (reduces ? 1 : 0);
  if (rest == 1) op.s[1] = source(operand(in, at++), 'w');
  if (rest > 1) fail(Id::unsupported_operands);
  if (in.has("arrive") && op.s[1] == kNoSlot) fail(Id::unsupported_operands);
  if (reduces) op.s[2] = predicate(operand(in, at), op, 2);
  program_->instructions[op.index].is_barrier = true;
}

void Decoder::decode_warp_barrier(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::warp_barrier;
  op.s[3] = source(operand(in, 0), 'w');
}

/// Op::imm of shfl: 0 up, 1 down, 2 bfly, 3 idx. The member mask of every warp-wide instruction is s[3].
void Decoder::decode_shuffle(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::shuffle;
  op.imm = word_of(in, {"up", "down", "bfly", "idx"});
  destinations(operand(in, 0), 'w', op);
  for (int n = 0; n < 3; ++n) op.s[n] = source(operand(in, static_cast<std::size_t>(n) + 1), 'w');
  op.s[3] = source(operand(in, 4), 'w');
}

/// Op::imm of vote: 0 all, 1 any, 2 uni, 3 ballot.
void Decoder::decode_vote(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::vote;
  op.imm = word_of(in, {"all", "any", "uni", "ballot"});
  op.d = destination(operand(in, 0), op.imm == 3 ? 'w' : 'p');
  op.s[0] = predicate(operand(in, 1), op, 0);
  op.s[3] = source(operand(in, 2), 'w');
}

void Decoder::decode_match(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::match;
  const bool wide = in.has("b64");
  op.imm = (in.has("all") ? 1u : 0u) | (wide ? 2u : 0u);
  destinations(operand(in, 0), 'w', op);
  op.s[0] = source(operand(in, 1), wide ? 'l' : 'w');
  op.s[3] = source(operand(in, 2), 'w');
}

/// Op::imm of redux: 0 add, 1 min, 2 max, 3 and, 4 or, 5 xor; bit 3: signed.
void Decoder::decode_redux(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::redux;
  op.imm = word_of(in, {"add", "min", "max", "and", "or", "xor"}) | (in.has("s32") ? 8u : 0u);
  op.d = destination(operand(in, 0), 'w');
  op.s[0] = source(operand(in, 1), 'w');
  op.s[3] = source(operand(in, 2), 'w');
}

void Decoder::decode_active_mask(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::active_mask;
  op.d = destination(operand(in, 0), 'w');
}

void Decoder::decode_elect(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::elect;
  const auto& to = operand(in, 0);
  if (to.kind != ptx::OperandKind::pair) fail(Id::unsupported_operands);
  destinations(to, 'w', op);
  op.s[3] = source(operand(in, 1), 'w');
}

void Decoder::decode_sleep(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::sleep;
  op.s[0] = source(operand(in, 0), 'w');
}

}  // namespace labkit::simt
