// Loads, stores and atomics. The tables name the modifiers that may appear; cache operators and eviction hints change
// nothing that is counted or computed here.
#include "simt/access.h"
#include "simt/decoder.h"

namespace labkit::simt {

using words::Id;
namespace {

std::uint32_t elements_of(const ptx::Instruction& in) {
  return in.has("v4") ? 4 : in.has("v2") ? 2 : 1;
}

}  // namespace

ptx::Space Decoder::space_named(const ptx::Instruction& in) {
  if (in.has("global") || in.root() == "ldu") return ptx::Space::global;
  if (in.has("shared") || in.has("shared::cta") || in.has("shared::cluster"))
    return ptx::Space::shared;
  if (in.has("local")) return ptx::Space::local;
  if (in.has("const")) return ptx::Space::constant;
  return in.has("param") ? ptx::Space::param : ptx::Space::generic;
}

MemoryOp& Decoder::new_memory_op(const ptx::Instruction& in, Op& op, bool is_store,
                                 std::uint32_t element_bytes, std::uint32_t count) {
  auto& program = *program_;
  op.aux = static_cast<std::uint32_t>(program.memory_ops.size());
  MemoryOp memory;
  memory.space = static_cast<std::uint8_t>(space_named(in));
  memory.element_bytes = static_cast<std::uint8_t>(element_bytes);
  memory.count = static_cast<std::uint8_t>(count);
  memory.bytes = element_bytes * count;
  memory.is_store = is_store;
  memory.index = op.index;
  memory.serial = op.aux;
  memory.synchronises =
      in.has("volatile") || in.has("relaxed") || in.has("acquire") || in.has("release");
  memory.acquires = memory.synchronises && !is_store;
  memory.releases = in.has("release") || in.has("acq_rel");
  for (auto& slot : memory.data) slot = kNoSlot;
  auto& facts = program.instructions[op.index];
  facts.space = space_named(in);
  facts.is_store = is_store;
  facts.is_load = !is_store;
  facts.bytes_per_lane = facts.counted_bytes = memory.bytes;
  program.memory_ops.push_back(memory);
  return program.memory_ops.back();
}

void Decoder::decode_address(const ptx::Operand& address, MemoryOp& memory, Op& op) {
  if (address.kind != ptx::OperandKind::address) fail(Id::unsupported_operands);
  op.imm = static_cast<std::uint64_t>(address.offset);
  switch (address.base) {
    case ptx::OperandKind::reg: {
      const auto type = f_->ptx->registers[address.id].type;
      if (class_of(type) != RegisterClass::twice && ptx::size_bytes(type) != 4)
        fail(Id::unsupported_address);
      memory.base_is_32_bit = class_of(type) != RegisterClass::twice;
      op.s[0] = register_slot(address.id);
      return;
    }
    case ptx::OperandKind::immediate:
      op.s[0] = constant(address.bits, true);
      return;
    case ptx::OperandKind::symbol: {
      const auto* variable = variable_of(address);
      if (variable != nullptr && variable->space == ptx::Space::local)
        fail(Id::unsupported_address);
      op.imm = 0;  // symbol_address adds the offset
      op.s[0] = symbol_address(address, true);
      return;
    }
    default:
      fail(Id::unsupported_address);
  }
}

void Decoder::data_registers(const ptx::Operand& data, MemoryOp& memory, ptx::Type type,
                             bool is_store) {
  const std::vector<ptx::Operand> one{data};
  const auto& elements = data.kind == ptx::OperandKind::vector ? data.elements : one;
  if (elements.size() != memory.count) fail(Id::unsupported_operands);
  bool first = true;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const auto& element = elements[k];
    if (element.kind == ptx::OperandKind::sink && !is_store) continue;
    bool is_64_bit = memory.element_bytes == 8;
    if (element.kind == ptx::OperandKind::reg) {
      const auto have = register_type(element);
      if (class_of(have) == RegisterClass::predicate) fail(Id::unsupported_operands);
      is_64_bit = class_of(have) == RegisterClass::twice;
      if (memory.element_bytes > ptx::size_bytes(have)) fail(Id::unsupported_operands);
      memory.data[k] = register_slot(element.id);
    } else if (is_store) {
      memory.data[k] = source(element, letter_of(memory.element_bytes), type);
    } else {
      fail(Id::unsupported_operands);
    }
    if (!first && is_64_bit != memory.register_is_64_bit) fail(Id::unsupported_operands);
    memory.register_is_64_bit = is_64_bit;
    first = false;
  }
  if (first) memory.register_is_64_bit = memory.element_bytes == 8;
}

/// The parameter memory that an address in a device function or at a call site means.
std::optional<ParameterArea> Decoder::parameter_area(const ptx::Operand& address) const {
  if (address.kind != ptx::OperandKind::address || address.base != ptx::OperandKind::symbol)
    return std::nullopt;
  const auto k = static_cast<std::size_t>(address.id);
  if (address.symbol == ptx::SymbolKind::function_variable &&
      f_->ptx->variables[k].space == ptx::Space::param)
    return ParameterArea{static_cast<std::uint32_t>(f_->variable_offset[k]),
                         static_cast<std::uint32_t>(f_->ptx->variables[k].size_bytes)};
  if (f_->ptx->is_entry) return std::nullopt;
  if (address.symbol == ptx::SymbolKind::parameter) return f_->parameters[k];
  if (address.symbol == ptx::SymbolKind::return_parameter) return f_->returns[k];
  return std::nullopt;
}

/// The policy of .L2::cache_hint is an operand more; it changes nothing that is computed here.
void Decoder::check_cache_hint(const ptx::Instruction& in) {
  const bool hinted = in.has("L2::cache_hint");
  if (in.operands.size() != (hinted ? 3u : 2u)) fail(Id::unsupported_operands);
  if (!hinted) return;
  if (space_named(in) != ptx::Space::global && space_named(in) != ptx::Space::generic)
    fail(Id::unsupported_cache_hint);
  source(operand(in, 2), 'l');
}

/// What a policy's bits mean is the GPU's own affair; here they are 0.
void Decoder::decode_create_policy(const ptx::Instruction& in, Op& op) {
  if (in.operands.empty() || in.operands.size() > 2) fail(Id::unsupported_operands);
  if (in.operands.size() == 2) source(operand(in, 1), 'w', ptx::Type::f32);  // the fraction
  op.kind = OpKind::lanes64;
  op.row = row_number({"mov", "u64"});
  op.d = destination(operand(in, 0), 'l');
  op.s[0] = constant(0, true);
}

/// The memory op of a load or store whose data is operand `data`.
MemoryOp& Decoder::decode_data(const ptx::Instruction& in, std::size_t data, bool is_store,
                               Op& op) {
  const auto type = type_of(in);
  const std::uint32_t bytes = ptx::size_bytes(type), count = elements_of(in);
  if (count * bytes > 16) fail(Id::unsupported_wide_access);
  auto& memory = new_memory_op(in, op, is_store, bytes, count);
  memory.sign_extend = !is_store && is_signed(type);
  data_registers(operand(in, data), memory, type, is_store);
  return memory;
}

/// ... and its address: of a call's parameters, or of memory.
void Decoder::decode_access(const ptx::Instruction& in, const ptx::Operand& address,
                            MemoryOp& memory, Op& op) {
  const bool is_store = memory.is_store;
  if (const auto area = parameter_area(address)) {
    if (address.offset < 0 ||
        static_cast<std::uint64_t>(address.offset) + memory.bytes > area->bytes)
      fail(Id::unsupported_outside_of_parameter);
    op.kind = is_store ? OpKind::parameter_store : OpKind::parameter_load;
    op.imm = area->offset + static_cast<std::uint64_t>(address.offset);
    auto& facts = program_->instructions[op.index];
    facts.is_load = facts.is_store = false;
    facts.space = ptx::Space::reg;
    facts.bytes_per_lane = facts.counted_bytes = 0;
    return;
  }
  if (space_named(in) == ptx::Space::param && (is_store || !f_->ptx->is_entry))
    fail(Id::unsupported_address);
  op.kind = is_store ? OpKind::store : OpKind::load;
  decode_address(address, memory, op);
  memory.plain_word = memory.bytes == 4 && memory.count == 1 && !memory.register_is_64_bit &&
                      memory.data[0] != kNoSlot;
  memory.settled = memory.space == kSharedSpace && is_settled(op.s[0]);
}

void Decoder::decode_load(const ptx::Instruction& in, Op& op) {
  check_cache_hint(in);
  const auto type = type_of(in);
  const std::uint32_t bytes = ptx::size_bytes(type);
  const auto& address = operand(in, 1);
  const bool from_kernel_parameter = space_named(in) == ptx::Space::param && f_->ptx->is_entry &&
                                     address.kind == ptx::OperandKind::address &&
                                     address.symbol == ptx::SymbolKind::parameter;
  if (from_kernel_parameter && elements_of(in) == 1 &&
      operand(in, 0).kind == ptx::OperandKind::reg) {
    // known when the launch begins: a move
    const bool is_64_bit = class_of(register_type(operand(in, 0))) == RegisterClass::twice;
    if (bytes > ptx::size_bytes(register_type(operand(in, 0)))) fail(Id::unsupported_operands);
    const auto& parameter = entry_.parameters[address.id];
    const auto at = parameter.offset_bytes + static_cast<std::uint64_t>(address.offset);
    if (address.offset < 0 ||
        static_cast<std::uint64_t>(address.offset) + bytes > parameter.size_bytes)
      fail(Id::unsupported_outside_of_parameter);
    op.kind = is_64_bit ? OpKind::lanes64 : OpKind::lanes32;
    op.row = row_number({"mov", is_64_bit ? "b64" : "b32"});
    op.d = register_slot(operand(in, 0).id);
    op.s[0] = fixed({.kind = FixedKind::parameter,
                     .is_64_bit = is_64_bit,
                     .value = at,
                     .bytes = bytes,
                     .sign_extend = is_signed(type)});
    return;
  }
  auto& memory = decode_data(in, 0, false, op);
  decode_access(in, address, memory, op);
  // a kernel that polls may wait for another block: blocks must take turns on one host thread
  if (op.kind == OpKind::load && memory.synchronises && memory.space != kSharedSpace &&
      memory.space != kLocalSpace)
    program_->facts.order_matters = true;
}

void Decoder::decode_store(const ptx::Instruction& in, Op& op) {
  check_cache_hint(in);
  const auto& address = operand(in, 0);
  decode_access(in, address, decode_data(in, 1, true, op), op);
}

void Decoder::decode_atomic(const ptx::Instruction& in, Op& op) {
  using Kind = AtomicOp::Kind;
  const bool returns = in.root() == "atom";
  AtomicOp atomic;
  atomic.kind = static_cast<Kind>(
      word_of(in, {"add", "inc", "dec", "min", "max", "and", "or", "xor", "exch", "cas"}));
  atomic.type = type_of(in);
  const bool is_float = ptx::name_of(atomic.type).find('f') != std::string_view::npos;
  if (is_float && atomic.kind != Kind::add) fail(Id::unsupported_float_atomic);
  const auto bytes = ptx::size_bytes(atomic.type);
  const char letter = letter_of(bytes);
  const std::size_t first = returns ? 1 : 0;
  auto& memory = new_memory_op(in, op, false, bytes, 1);
  memory.register_is_64_bit = bytes == 8;
  memory.synchronises = true;
  if (returns && operand(in, 0).kind != ptx::OperandKind::sink) {
    memory.data[0] = destination(operand(in, 0), letter);
    atomic.result_used = f_->registers.is_read[operand(in, 0).id];
  }
  memory.data[1] = source(operand(in, first + 1), letter, atomic.type);
  if (atomic.kind == Kind::cas)
    memory.data[2] = source(operand(in, first + 2), letter, atomic.type);
  if (in.operands.size() != first + (atomic.kind == Kind::cas ? 3u : 2u))
    fail(Id::unsupported_operands);
  memory.acquires = atomic.result_used;
  decode_address(operand(in, first), memory, op);
  op.kind = OpKind::atomic;
  op.target = static_cast<std::int32_t>(program_->atomics.size());
  auto& facts = program_->instructions[op.index];
  facts.is_atomic = true;
  facts.is_of_floats = is_float;
  facts.is_joined =
      !is_float && bytes == 4 && atomic.kind != Kind::exch && atomic.kind != Kind::cas &&
      (!atomic.result_used || operand(in, first + 1).kind == ptx::OperandKind::immediate);
  facts.is_load = facts.is_store = false;
  // On shared memory only the block's own order counts, and that is always the same.
  const bool commutes =
      !atomic.result_used && !is_float && atomic.kind != Kind::exch && atomic.kind != Kind::cas;
  if (!commutes && memory.space != kSharedSpace) program_->facts.order_matters = true;
  program_->atomics.push_back(atomic);
}

/// cp.async copies at once; that it may take until somebody waits for it is the observers' business.
void Decoder::decode_cp_async(const ptx::Instruction& in, Op& op) {
  const auto& size = operand(in, 2);
  if (size.kind != ptx::OperandKind::immediate ||
      (size.bits != 4 && size.bits != 8 && size.bits != 16))
    fail(Id::unsupported_operands);
  if (in.operands.size() > 4) fail(Id::unsupported_operands);
  op.kind = OpKind::async_copy;
  Op from;  // the load's half lives in two memory ops that follow one another
  from.index = op.index;
  auto& load = new_memory_op(in, from, false, static_cast<std::uint32_t>(size.bits), 1);
  load.space = kGlobalSpace;
  decode_address(operand(in, 1), load, from);
  auto& store = new_memory_op(in, op, true, static_cast<std::uint32_t>(size.bits), 1);
  store.space = kSharedSpace;
  decode_address(operand(in, 0), store, op);
  op.s[1] = from.s[0];
  op.target = static_cast<std::int32_t>(from.imm);
  if (in.operands.size() == 4) op.s[2] = source(operand(in, 3), 'w');
  auto& facts = program_->instructions[op.index];
  facts.space = ptx::Space::global;
  facts.is_load = facts.is_store = true;
}

/// imm: groups that may still be under way; ~0: none, and copies of no group neither (wait_all).
void Decoder::decode_async_wait(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::async_wait;
  op.imm = ~0ull;
  if (in.operands.empty()) return;
  const auto& groups = operand(in, 0);
  if (groups.kind != ptx::OperandKind::immediate) fail(Id::unsupported_operands);
  op.imm = groups.bits;
}

/// imm: not 0 if it orders for the threads of the block alone.
void Decoder::decode_fence(const ptx::Instruction& in, Op& op) {
  op.kind = OpKind::fence;
  op.imm = in.has("cta") ? 1 : 0;  // between proxies it orders as much as any other
}

}  // namespace labkit::simt
