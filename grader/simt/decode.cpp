#include <algorithm>

#include "base/error.h"
#include "ptx/passes.h"
#include "simt/decoder.h"
#include "simt/limits.h"

namespace labkit::simt {
namespace {

// Sizes in PTX have 64 bits and compilers do not check them. What is over these limits is refused, and all offsets fit
// in 32 bits.
/// Any launch may have 232448 at most and says so (run.cpp).
constexpr std::uint64_t kMostShared = 1u << 30;
constexpr std::uint64_t kMostLocal = 512u << 10;     ///< a thread: CUDA C programming guide, 9.0
constexpr std::uint64_t kMostParameters = 1u << 20;  ///< .param variables of calls, ours
constexpr std::uint64_t kTooMuch = 1ull << 40;       ///< sums stay here, far from 2^64

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}
constexpr std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return std::min(a, kTooMuch) + std::min(b, kTooMuch);
}
/// ptxas takes the words of an atomic in any order, which cooperative groups make use of (`atom.add.release.gpu.u32`);
/// the ISA has order and scope first.
std::vector<std::string_view> in_order(std::vector<std::string_view> words) {
  static constexpr std::string_view kFirst[] = {"relaxed", "acquire", "release", "acq_rel",
                                                "cta",     "cluster", "gpu",     "sys"};
  if (words.size() > 1 && (words[0] == "atom" || words[0] == "red"))
    std::stable_partition(words.begin() + 1, words.end(), [](std::string_view word) {
      return std::find(std::begin(kFirst), std::end(kFirst), word) != std::end(kFirst);
    });
  return words;
}

template <typename F>
void each_operand(const ptx::Operand& operand, const F& visit) {
  visit(operand);
  for (const auto& element : operand.elements) each_operand(element, visit);
}

}  // namespace

Decoder::Decoder(const ptx::Module& module, const ptx::Function& entry,
                 const DecodeOptions& options)
    : module_(module), entry_(entry), options_(options), program_(std::make_shared<Program>()) {
  program_->is_cooperative = options.grid_workspace != 0;
}

/// Static shared variables in the order of their declaration, those of the module first; dynamic shared memory after
/// them. ptxas's order is not published; it matters only to how neighbouring accesses merge.
void Decoder::lay_out_shared() {
  std::uint64_t end = 0;
  std::uint32_t dynamic_align = 16;
  std::vector<bool> used(module_.variables.size(), false);
  for (const auto& f : functions_)
    for (const auto& in : f.ptx->body)
      for (const auto& operand : in.operands)
        each_operand(operand, [&](const ptx::Operand& o) {
          if (o.symbol == ptx::SymbolKind::module_variable && o.id >= 0) used[o.id] = true;
        });
  module_shared_offset_.assign(module_.variables.size(), -1);
  const auto is_dynamic = [](const ptx::Variable& v) { return v.is_extern && v.size_bytes == 0; };
  std::vector<std::pair<const ptx::Variable*, std::int64_t*>> arrays;  // and their offsets
  for (std::size_t v = 0; v < used.size(); ++v)
    if (module_.variables[v].space == ptx::Space::shared && used[v])
      arrays.emplace_back(&module_.variables[v], &module_shared_offset_[v]);
  for (auto& f : functions_) {
    f.variable_offset.assign(f.ptx->variables.size(), -1);
    for (std::size_t v = 0; v < f.variable_offset.size(); ++v)
      if (f.ptx->variables[v].space == ptx::Space::shared)
        arrays.emplace_back(&f.ptx->variables[v], &f.variable_offset[v]);
  }
  auto& facts = program_->facts;
  for (const auto& [variable, offset] : arrays) {
    if (is_dynamic(*variable)) {
      dynamic_align = std::max(dynamic_align, variable->align_bytes);
      continue;
    }
    const auto begin = round_up(end, std::max<std::uint32_t>(variable->align_bytes, 1));
    end = sum(begin, variable->size_bytes);
    *offset = static_cast<std::int64_t>(begin);
    facts.shared_arrays.push_back({std::string(variable->name), static_cast<std::uint32_t>(begin),
                                   static_cast<std::uint32_t>(end)});
  }
  if (end > kMostShared || dynamic_align > kMostShared) {
    refuse_bytes(entry_, words::Id::unsupported_shared_bytes, end, 232448);
    return;
  }
  facts.static_shared_bytes = end;
  const auto dynamic_begin = static_cast<std::uint32_t>(round_up(end, dynamic_align));
  program_->dynamic_shared_begin = dynamic_begin;
  for (const auto& [variable, offset] : arrays) {
    if (!is_dynamic(*variable)) continue;
    *offset = dynamic_begin;
    facts.shared_arrays.push_back(
        {std::string(variable->name), dynamic_begin, dynamic_begin, true});
  }
}

/// All of a module's variables are made when one of its kernels runs, used or not.
void Decoder::measure_variables() {
  std::uint64_t bytes = 0;
  const ptx::Variable* largest = nullptr;
  for (const auto& variable : module_.variables) {
    if ((variable.space != ptx::Space::global && variable.space != ptx::Space::constant) ||
        variable.is_extern)
      continue;
    bytes = sum(bytes, variable.size_bytes);
    if (largest == nullptr || variable.size_bytes > largest->size_bytes) largest = &variable;
  }
  if (bytes <= kMostVariableBytes) return;
  const auto where = first_use(module_, *largest);
  launch::Finding& refused =
      refuse_function(entry_, {words::Id::unsupported_variable_bytes,
                               {{"bytes", words::count(bytes)},
                                {"most", words::count(kMostVariableBytes)},
                                {"name", source_name(std::string(largest->name))}}});
  refused.where = where;
  if (where.line != 0)
    refused.evidence.push_back({words::Id::launch_first_used, {{"line", where}}});
}

void Decoder::lay_out_function(FunctionState& f) {
  auto& code = program_->functions[&f - functions_.data()];
  code.name = std::string(f.ptx->name);
  std::uint64_t local = 0, parameter_end = program_->parameter_bytes_per_lane;
  auto reserve = [&](std::uint64_t bytes) {  // of parameter memory
    const auto at = round_up(parameter_end, 16);
    parameter_end = sum(at, bytes);
    return at;
  };
  code.first_parameter_byte = static_cast<std::uint32_t>(parameter_end);
  for (std::size_t v = 0; v < f.ptx->variables.size(); ++v) {
    const auto& variable = f.ptx->variables[v];
    if (variable.space == ptx::Space::local) {
      local = round_up(local, std::max<std::uint32_t>(variable.align_bytes, 1));
      f.variable_offset[v] = static_cast<std::int64_t>(local);
      local = sum(local, variable.size_bytes);
    } else if (variable.space == ptx::Space::param) {
      f.variable_offset[v] = static_cast<std::int64_t>(reserve(variable.size_bytes));
    }
  }
  auto areas = [&](const std::vector<ptx::Parameter>& parameters, std::vector<ParameterArea>& out) {
    for (const auto& parameter : parameters)
      out.push_back({static_cast<std::uint32_t>(reserve(parameter.size_bytes)),
                     static_cast<std::uint32_t>(parameter.size_bytes)});
  };
  if (!f.ptx->is_entry) {
    areas(f.ptx->parameters, f.parameters);
    areas(f.ptx->returns, f.returns);
  }
  local = round_up(local, 16);
  parameter_end = round_up(parameter_end, 16);
  if (local > kMostLocal) {
    refuse_bytes(*f.ptx, words::Id::unsupported_local_bytes, local, kMostLocal);
    local = 0;
  }
  if (parameter_end > kMostParameters) {
    refuse_bytes(*f.ptx, words::Id::unsupported_parameter_bytes, parameter_end, kMostParameters);
    parameter_end = 0;
  }
  code.local_bytes = static_cast<std::uint32_t>(local);
  program_->parameter_bytes_per_lane = static_cast<std::uint32_t>(parameter_end);
  code.end_parameter_byte = program_->parameter_bytes_per_lane;
  code.parameters = f.parameters;
  code.returns = f.returns;
}

void Decoder::lay_out_registers() {
  Slot at = 0;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    auto& f = functions_[k];
    auto& code = program_->functions[k];
    code.first_register = at;
    code.doubles = f.registers.doubles;
    f.doubles = at;
    at += f.registers.doubles * 256;
    f.words = at;
    at += f.registers.words * 128;
    code.end_register = at;
  }
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    auto& f = functions_[k];
    program_->functions[k].first_predicate = f.predicates = at;
    at += f.registers.predicates * 4;
    program_->functions[k].end_predicate = at;
  }
  carry_slot_ = at;
  at += 4;
  at = static_cast<Slot>(round_up(at, 256));
  scratch_slot_ = at;
  at += 256;
  next_slot_ = at;
}

launch::Finding Decoder::refusal() const {
  launch::Finding finding;
  finding.kind = launch::FindingKind::unsupported;
  finding.cause = launch::Cause::unsupported;
  finding.kernel = source_name(std::string(entry_.name));
  return finding;
}

void Decoder::refuse(const ptx::Instruction& in, words::Message why) {
  launch::Finding finding = refusal();
  finding.where = line_at(module_, in.location);
  std::string key(in.spelling);
  key += "\n" + finding.where.file + ":" + std::to_string(finding.where.line) + "\n" +
         std::string(name_of(why.id));
  for (const words::Parameter& parameter : why.parameters)
    if (const auto* name = std::get_if<std::string>(&parameter.value)) key += "\n" + *name;
  const std::string place = finding.where.line == 0 ? std::string()
                                                    : finding.where.file + ":" +
                                                          std::to_string(finding.where.line) + ", ";
  finding.evidence = {{words::Id::unsupported_instruction,
                       {{"instruction", std::string(in.spelling)},
                        {"place", place + "PTX line " + std::to_string(in.ptx_line)}}},
                      std::move(why)};
  const auto [earlier, is_new] = refused_at_.try_emplace(key, refused_.size());
  if (is_new)
    refused_.push_back(std::move(finding));
  else
    ++refused_[earlier->second].count;
}

launch::Finding& Decoder::refuse_function(const ptx::Function& function, words::Message why) {
  launch::Finding finding = refusal();
  finding.evidence = {{words::Id::unsupported_function,
                       {{"function", source_name(std::string(function.name))},
                        {"ptx_line", std::to_string(function.ptx_line)}}},
                      std::move(why)};
  refused_.push_back(std::move(finding));
  return refused_.back();
}

void Decoder::refuse_bytes(const ptx::Function& function, words::Id which, std::uint64_t bytes,
                           std::uint64_t most) {
  refuse_function(function,
                  {which, {{"bytes", words::count(bytes)}, {"most", words::count(most)}}});
}

void Decoder::decode_instruction(const ptx::Instruction& in) {
  auto& program = *program_;
  const auto index = static_cast<std::uint32_t>(program.instructions.size());
  program.instructions.push_back({.function = f_->ptx,
                                  .body_index = body_index_,
                                  .location = in.location,
                                  .inlined_at = in.inlined_at});
  program.block_of.push_back(static_cast<std::uint32_t>(block_));
  program.guarded.push_back(in.guard >= 0);
  Op op;
  op.index = index;
  const auto* row = find_row(in_order(in.parts));
  const std::size_t ops_before = program.ops.size();
  try {
    if (row == nullptr) fail(words::Id::unsupported_unknown);
    if (in.guard >= 0) {
      op.guard = register_slot(in.guard);
      op.guard_xor = in.guard_negated ? kAllLanes : 0;
    }
    decode_row(*row, in, op);
  } catch (const Refusal& refusal) {
    refuse(in, refusal.why);
    op.kind = OpKind::trap;
  }
  op.cost = cost_of(op, program, row);
  auto& block = program.blocks.back();
  if (in.guard < 0) ++block.unguarded;
  block.cost += in.guard < 0 ? op.cost : kPassedCost;
  note_affine(in, op, program.ops.size() == ops_before);
  // What took several Ops is left as it is.
  if (program.ops.size() == ops_before && refused_.empty() &&
      (settle(in, op) || join_product(in, op)))
    return;
  program.ops.push_back(op);
}

void Decoder::decode_row(const InstructionRow& row, const ptx::Instruction& in, Op& op) {
  using Meaning = void (Decoder::*)(const ptx::Instruction&, Op&);
  static constexpr Meaning kMeanings[] = {
#define SYSTEM_ROW(id, spelling, meaning) &Decoder::meaning,
#include "simt/instructions_system.def"
#undef SYSTEM_ROW
  };
  op.modifiers = modifiers_of(in.parts);
  switch (row.chapter) {
    case Chapter::system:
      (this->*kMeanings[row.number])(in, op);
      break;
    case Chapter::compare:
      decode_compare(row, in, op);
      break;
    case Chapter::convert:
      decode_convert(row, in, op);
      break;
    default:
      decode_lanes(row, in, op);
  }
}

void Decoder::decode_function(std::size_t number) {
  auto& program = *program_;
  auto& f = functions_[number];
  f_ = &f;
  f.first_instruction = static_cast<std::uint32_t>(program.instructions.size());
  program.functions[number].entry_block = f.first_block;
  for (std::size_t b = 0; b < f.flow.blocks.size(); ++b) {
    const auto& flow = f.flow.blocks[b];
    block_ = f.first_block + static_cast<std::int32_t>(b);
    const auto first_op = static_cast<std::uint32_t>(program.ops.size());
    program.blocks.push_back(
        {.first_op = first_op,
         .first_instruction = static_cast<std::uint32_t>(program.instructions.size()),
         .cost = kEntryCost,
         .reconvergence = flow.reconvergence < 0 ? -1 : f.first_block + flow.reconvergence,
         .function = static_cast<std::uint32_t>(number)});
    for (body_index_ = flow.first; body_index_ < flow.last; ++body_index_)
      decode_instruction(f.ptx->body[body_index_]);
    const bool is_empty = program.ops.size() == first_op;
    const OpKind last = is_empty ? OpKind::nothing : program.ops.back().kind;
    const bool guarded = !is_empty && program.ops.back().guard != kNoSlot;
    const bool leaves = last == OpKind::ret || last == OpKind::exit || last == OpKind::trap;
    if (leaves && !guarded) continue;
    if (last == OpKind::branch || last == OpKind::jump || last == OpKind::branch_table ||
        last == OpKind::call) {
      program.ops.back().next = flow.fallthrough < 0 ? -1 : f.first_block + flow.fallthrough;
      continue;
    }
    // not an instruction: falling into the next block, or off the end
    program.ops.push_back({.kind = flow.fallthrough < 0 ? OpKind::ret : OpKind::jump,
                           .index = kNoSlot,
                           .target = flow.fallthrough < 0 ? -1 : f.first_block + flow.fallthrough});
  }
}

/// Where ptxas would make one access out of several, the first stands for all.
void Decoder::note_merges(const FunctionState& f) {
  std::vector<std::int64_t> shared(f.variable_offset.size(), -1);
  for (std::size_t v = 0; v < shared.size(); ++v)
    if (f.ptx->variables[v].space == ptx::Space::shared) shared[v] = f.variable_offset[v];
  const auto merges =
      ptx::merge_shared_accesses(*f.ptx, ptx::control_flow(*f.ptx), shared, module_shared_offset_);
  const auto facts_of = [&](std::int32_t body_index) -> InstructionFacts& {
    return program_->instructions[f.first_instruction + static_cast<std::uint32_t>(body_index)];
  };
  for (const auto& group : merges.groups) {
    if (group.members.empty()) continue;
    for (const auto member : group.members) facts_of(member).counted_bytes = 0;
    auto& facts = facts_of(group.representative);
    // may be wider than its members: three words of four make one load of 16 bytes
    facts.counted_bytes = group.bytes;
    facts.counted_offset = group.start_bytes;
  }
}

/// Which array each access to shared memory is meant for.
void Decoder::note_arrays(const FunctionState& f) {
  const auto origins = ptx::shared_origins(module_, *f.ptx);
  for (std::size_t i = 0; i < origins.size(); ++i) {
    if (origins[i].symbol == ptx::SymbolKind::none) continue;
    const auto id = static_cast<std::size_t>(origins[i].id);
    const bool of_module = origins[i].symbol == ptx::SymbolKind::module_variable;
    const auto& variable = of_module ? module_.variables[id] : f.ptx->variables[id];
    const auto offset = of_module ? module_shared_offset_[id] : f.variable_offset[id];
    const auto array = arrays_.find({variable.name, offset});
    if (array != arrays_.end())
      program_->instructions[f.first_instruction + i].shared_array = array->second;
  }
}

void Decoder::finish_program() {
  auto& program = *program_;
  program.module = &module_;
  program.register_bytes = static_cast<std::uint32_t>(round_up(next_slot_, 64)) +
                           64;  // an odd number of cache lines keeps warps apart in the cache
  if ((program.register_bytes / 64) % 2 == 0) program.register_bytes += 64;
  auto& facts = program.facts;
  facts.entry = std::string(entry_.name);
  for (const auto& function : program.functions)
    facts.local_bytes_per_thread += function.local_bytes;
  if (facts.local_bytes_per_thread > kMostLocal && refused_.empty())
    refuse_bytes(entry_, words::Id::unsupported_local_bytes, facts.local_bytes_per_thread,
                 kMostLocal);
  facts.estimated_registers = ptx::estimate_registers(entry_, ptx::control_flow(entry_));
  facts.parameters = entry_.parameters;
  for (const auto& memory : program.memory_ops) {
    auto& instruction = program.instructions[memory.index];
    instruction.is_strong = instruction.is_strong || memory.synchronises;
    instruction.acquires = instruction.acquires || memory.acquires;
  }
  std::uint64_t end = 0;
  for (const auto& parameter : entry_.parameters)
    end = std::max(end, parameter.offset_bytes + parameter.size_bytes);
  program.parameter_block_bytes = static_cast<std::uint32_t>(end);
  for (int k = 0; k < 3; ++k)
    facts.max_threads[k] =
        entry_.required_threads[k] != 0 ? entry_.required_threads[k] : entry_.max_threads[k];
}

DecodeResult Decoder::decode() {
  find_functions();
  program_->functions.resize(functions_.size());
  find_recursion();
  lay_out_shared();
  measure_variables();
  std::int32_t blocks = 0;
  for (auto& f : functions_) {
    lay_out_function(f);
    f.flow = analyse_flow(*f.ptx);
    auto live = live_registers(*f.ptx, f.flow);
    if (live.too_many) refuse_function(*f.ptx, {words::Id::unsupported_live_registers});
    // A shuffle may read what a lane holds that takes no part.
    if (&f == functions_.data() && !has_shuffle_) f.affine = find_affine(*f.ptx, live.unset);
    f.registers = assign_registers(*f.ptx, std::move(live), f.affine.is_affine);
    f.once = used_once(*f.ptx, f.registers);
    f.elsewhere.assign(f.ptx->registers.size(), kNoSlot);
    f.first_block = blocks;
    blocks += static_cast<std::int32_t>(f.flow.blocks.size());
    const auto& cluster = f.ptx->cluster_blocks;
    if (std::uint64_t{cluster[0]} * cluster[1] * cluster[2] != 1)
      refuse_function(*f.ptx, {words::Id::unsupported_cluster});
    if (f.flow.blocks.empty()) refuse_function(*f.ptx, {words::Id::unsupported_no_body});
    for (const auto& r : f.ptx->registers)
      if (class_of(r.type) == RegisterClass::unsupported)
        refuse_function(*f.ptx, {words::Id::unsupported_register_type,
                                 {{"name", r.name}, {"type", std::string(ptx::name_of(r.type))}}});
  }
  lay_out_registers();
  for (std::size_t k = 0; k < functions_.size(); ++k) decode_function(k);
  if (refused_.empty()) finish_affine();
  if (refused_.empty()) {
    const auto& arrays = program_->facts.shared_arrays;
    for (std::size_t a = 0; a < arrays.size(); ++a)
      arrays_[{arrays[a].name, arrays[a].begin}] = static_cast<std::int32_t>(a);
    for (auto& f : functions_) {
      note_arrays(f);
      note_unset(f);
    }
  }
  if (refused_.empty() && options_.merge_shared)
    for (auto& f : functions_) note_merges(f);
  if (refused_.empty()) note_callers();
  finish_program();
  DecodeResult result;
  if (refused_.empty()) result.program = program_;
  result.refused = std::move(refused_);
  return result;
}

DecodeResult decode(const ptx::Module& module, std::string_view entry,
                    const DecodeOptions& options) {
  const auto* function = module.find_function(entry);
  if (function == nullptr || !function->is_entry)
    throw Error("the compiled module has no kernel named " + std::string(entry));
  return Decoder(module, *function, options).decode();
}

const ProgramFacts& facts(const Program& program) { return program.facts; }
const ptx::Module& module_of(const Program& program) { return *program.module; }
std::span<const InstructionFacts> instructions(const Program& program) {
  return program.instructions;
}

}  // namespace labkit::simt
