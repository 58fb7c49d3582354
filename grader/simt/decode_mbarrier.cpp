// mbarrier, and the copies that count at one: operands into Ops. What they do stands in mbarrier.cpp.
#include "simt/access.h"
#include "simt/decoder.h"

namespace labkit::simt {

using words::Id;

/// The 8 bytes of a barrier: written by init, then changed and looked at by accesses that are strong among themselves. What
/// they order is told by events of their own (PhaseEvent).
void Decoder::barrier_memory(const ptx::Instruction& in, Op& op, MbarrierOp& what) {
  using Kind = MbarrierOp::Kind;
  const bool is_store = what.kind == Kind::init || what.kind == Kind::inval;
  auto& memory = new_memory_op(in, op, is_store, 8, 1);
  what.barrier = op.aux;
  memory.register_is_64_bit = true;
  memory.synchronises = what.kind != Kind::init;
  memory.acquires = memory.releases = false;
  if (what.kind == Kind::arrive) memory.data[0] = op.d;
  if (is_store || what.kind == Kind::test) return;
  auto& facts = program_->instructions[op.index];
  facts.is_atomic = true;
  facts.is_load = facts.is_store = false;
}

void Decoder::finish_mbarrier(const MbarrierOp& what, Op& op) {
  op.kind = OpKind::mbarrier;
  op.target = static_cast<std::int32_t>(program_->mbarriers.size());
  program_->mbarriers.push_back(what);
}

/// s[1]: the count, the bytes, the state or the parity.
void Decoder::decode_mbarrier(const ptx::Instruction& in, Op& op) {
  using Kind = MbarrierOp::Kind;
  MbarrierOp what;
  if (in.has("pending_count")) {  // that there were when a state was returned
    what.kind = Kind::pending_count;
    op.d = destination(operand(in, 0), 'w');
    op.s[0] = source(operand(in, 1), 'l');
    return finish_mbarrier(what, op);
  }
  const bool is_copy = in.root() == "cp", waits = in.has("test_wait") || in.has("try_wait");
  const bool arrives = !is_copy && (in.has("arrive") || in.has("arrive_drop"));
  what.drops = in.has("arrive_drop");
  what.expects = is_copy ? in.has("noinc") : in.has("expect_tx");
  what.kind = is_copy           ? Kind::copies
              : waits           ? Kind::test
              : arrives         ? Kind::arrive
              : in.has("init")  ? Kind::init
              : in.has("inval") ? Kind::inval
              : what.expects    ? Kind::expect
                                : Kind::complete;
  what.has_state = waits && !in.has("parity");
  std::size_t at = 0;
  if (waits) op.d = destination(operand(in, at++), 'p');
  if (arrives && operand(in, at++).kind != ptx::OperandKind::sink)
    op.d = destination(operand(in, 0), 'l');
  const auto& address = operand(in, at++);
  const std::size_t rest = in.operands.size() - at;
  const bool may_have_hint = in.has("try_wait");
  const bool has_operand = what.kind != Kind::inval && !is_copy;
  const bool needs_operand = has_operand && (!arrives || what.expects);
  if (rest < (needs_operand ? 1u : 0u) || rest > (has_operand ? 1u : 0u) + (may_have_hint ? 1 : 0))
    fail(Id::unsupported_operands);
  if (rest > 0) op.s[1] = source(operand(in, at), what.has_state ? 'l' : 'w');
  if (rest > 1) source(operand(in, at + 1), 'w');
  barrier_memory(in, op, what);
  decode_address(address, program_->memory_ops[what.barrier], op);
  finish_mbarrier(what, op);
}

/// cp.async.bulk [to], [from], bytes, [barrier]. The load's half lives in the memory op before the store's.
void Decoder::decode_bulk_copy(const ptx::Instruction& in, Op& op) {
  constexpr std::uint32_t kPiece = 16;
  if (in.operands.size() != (in.has("L2::cache_hint") ? 5u : 4u)) fail(Id::unsupported_operands);
  if (in.operands.size() == 5) source(operand(in, 4), 'l');
  MbarrierOp what;
  what.kind = MbarrierOp::Kind::bulk;
  Op barrier, from;
  barrier.index = from.index = op.index;
  barrier_memory(in, barrier, what);
  auto& memory = program_->memory_ops.back();
  memory.synchronises = false;  // the copy is none of the accesses that are strong
  decode_address(operand(in, 3), memory, barrier);
  auto& load = new_memory_op(in, from, false, kPiece, 1);
  load.space = kGlobalSpace;
  decode_address(operand(in, 1), load, from);
  auto& store = new_memory_op(in, op, true, kPiece, 1);
  store.space = kSharedSpace;
  decode_address(operand(in, 0), store, op);
  op.s[1] = from.s[0];
  op.s[2] = source(operand(in, 2), 'w');
  op.s[3] = barrier.s[0];
  what.source_offset = from.imm;
  what.barrier_offset = barrier.imm;
  auto& facts = program_->instructions[op.index];
  facts.space = ptx::Space::global;
  facts.is_atomic = false;
  facts.is_load = facts.is_store = true;
  finish_mbarrier(what, op);
}

}  // namespace labkit::simt
