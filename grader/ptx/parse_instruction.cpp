// One instruction with its guard and operands (PTX ISA 9.0, chapter 6 and 9.1).
#include <algorithm>

#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

// PTX ISA 9.0, chapter 10, but for those with a number (%envreg3, %pm0).
constexpr std::string_view kSpecial[] = {
    // which thread, block and cluster
    "%tid", "%ntid", "%laneid", "%warpid", "%nwarpid", "%ctaid", "%nctaid", "%smid", "%nsmid",
    "%gridid", "%is_explicit_cluster", "%clusterid", "%nclusterid", "%cluster_ctaid",
    "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank",
    // which lanes
    "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
    // clocks and counters
    "%clock", "%clock_hi", "%clock64", "%pm0_64", "%globaltimer", "%globaltimer_lo",
    "%globaltimer_hi",
    // shared memory
    "%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
    "%total_smem_size", "%aggr_smem_size", "%dynamic_smem_size", "%current_graph_exec"};

bool is_special(std::string_view name) {
  const std::string_view whole = name.substr(0, name.find('.'));
  const std::string_view stem = whole.substr(0, whole.find_last_not_of("0123456789") + 1);
  const bool has_numbers = stem == "%pm" || stem == "%envreg" || stem == "%reserved_smem_offset_";
  return has_numbers || std::ranges::count(kSpecial, whole) != 0;
}

}  // namespace

void Parser::parse_instruction(Function& function) {
  Instruction instruction;
  instruction.ptx_line = token_.line;
  instruction.location = location_;
  instruction.inlined_at = inlined_at_;
  instruction.header = header_;
  if (accept("@")) {
    instruction.guard_negated = accept("!");
    const std::uint32_t line = token_.line;
    const std::string_view name = expect_name("a predicate register");
    const std::optional<Name> found = find_local(name);
    if (!found || found->kind != SymbolKind::none)
      fail(line, quoted(name) + " is not a declared register");
    if (function.registers[found->id].type != Type::pred)
      fail(line, "the guard " + quoted(name) + " is not of type .pred");
    instruction.guard = found->id;
  }
  instruction.spelling = expect_name("an instruction");
  if (!(instruction.spelling.front() >= 'a' && instruction.spelling.front() <= 'z'))
    fail(instruction.ptx_line, quoted(instruction.spelling) + " is not an instruction");
  for (std::size_t begin = 0; begin <= instruction.spelling.size();) {
    const std::size_t dot =
        std::min(instruction.spelling.find('.', begin), instruction.spelling.size());
    instruction.parts.push_back(instruction.spelling.substr(begin, dot - begin));
    begin = dot + 1;
  }

  if (!token_.is(";")) {
    do {
      Operand operand = parse_operand(instruction);
      if (operand.kind == OperandKind::label)
        label_uses_.push_back({.name = operand.name,
                               .line = instruction.ptx_line,
                               .scope = scope_,
                               .instruction = static_cast<std::int32_t>(function.body.size()),
                               .operand = instruction.operands.size()});
      instruction.operands.push_back(std::move(operand));
    } while (accept(","));
  }
  if (!accept(";")) unexpected("';' or ',' after " + quoted(instruction.spelling));
  function.body.push_back(std::move(instruction));
}

Operand Parser::parse_operand(const Instruction& instruction, int depth) {
  constexpr int kDeepest = 4;
  if (depth > kDeepest) fail(token_.line, "operands nested too deeply");
  if (token_.is("{")) return parse_operand_group(instruction, OperandKind::vector, "}", depth);
  if (token_.is("(") && instruction.root() == "call")
    return parse_operand_group(instruction, OperandKind::list, ")", depth);
  if (token_.is("[")) return parse_address(instruction, depth);
  if (token_.is("!") && peek().kind == TokenKind::word) {
    advance();
    const std::uint32_t line = token_.line;
    Operand operand = parse_named(instruction);
    operand.negated = true;
    if (operand.kind != OperandKind::reg) fail(line, "'!' needs a predicate register");
    return operand;
  }
  if (token_.kind != TokenKind::word || token_.is("WARP_SZ"))
    return parse_immediate(instruction.spelling);
  Operand first = parse_named(instruction);
  const std::uint32_t line = token_.line;
  if (!accept("|")) return first;
  if (token_.kind != TokenKind::word) unexpected("a register after '|'");
  Operand pair;
  pair.kind = OperandKind::pair;
  pair.elements = {std::move(first), parse_named(instruction)};
  for (const Operand& half : pair.elements)
    if (half.kind != OperandKind::reg && half.kind != OperandKind::sink)
      fail(line, "both sides of '|' must be registers");
  return pair;
}

Operand Parser::parse_operand_group(const Instruction& instruction, OperandKind kind,
                                    std::string_view close, int depth) {
  Operand operand;
  operand.kind = kind;
  advance();
  if (accept(close)) return operand;
  do {
    operand.elements.push_back(parse_operand(instruction, depth + 1));
    if (operand.elements.back().kind == OperandKind::label)
      fail(token_.line, "a label cannot stand in a list");
  } while (accept(","));
  expect(close);
  return operand;
}

Operand Parser::parse_address(const Instruction& instruction, int depth) {
  Operand operand;
  operand.kind = OperandKind::address;
  advance();  // [
  if (token_.kind == TokenKind::word && !token_.is("WARP_SZ")) {
    const std::uint32_t line = token_.line;
    operand.name = token_.text;
    advance();
    operand.base = resolve_name(operand, line);
    const bool fits = operand.base == OperandKind::reg || operand.base == OperandKind::symbol;
    if (!fits || operand.symbol == SymbolKind::label_table)
      fail(line, quoted(operand.name) + " cannot be an address");
    operand.offset = static_cast<std::int64_t>(parse_offset());
  } else {
    operand.bits = parse_constant().bits;
    operand.base = OperandKind::immediate;
  }
  while (accept(",")) {  // coordinates of a tensor copy: kept, to be refused by its name
    operand.elements.push_back(parse_operand(instruction, depth + 1));
    if (operand.elements.back().kind == OperandKind::label)
      fail(token_.line, "a label cannot stand in an address");
  }
  expect("]");
  return operand;
}

Operand Parser::parse_named(const Instruction& instruction) {
  Operand operand;
  operand.name = token_.text;
  const std::uint32_t line = token_.line;
  if (operand.name.front() == '.') unexpected("an operand");
  advance();
  if (operand.name == "_") return operand;
  if (instruction.root() == "bra") {
    operand.kind = OperandKind::label;
    return operand;
  }
  operand.kind = resolve_name(operand, line);
  if (operand.kind == OperandKind::symbol)
    operand.offset = static_cast<std::int64_t>(parse_offset());
  return operand;
}

OperandKind Parser::resolve_name(Operand& operand, std::uint32_t line) const {
  std::optional<Name> found = find_local(operand.name);
  if (!found) {
    const auto global = module_names_.find(operand.name);
    if (global != module_names_.end())
      found = global->second;
    else if (is_special(operand.name))
      return OperandKind::special;
    else
      fail(line, quoted(operand.name.substr(0, 200)) + " is not declared");
  }
  operand.symbol = found->kind;
  operand.id = found->id;
  return found->kind == SymbolKind::none ? OperandKind::reg : OperandKind::symbol;
}

Operand Parser::parse_immediate(std::string_view spelling) {
  constexpr std::string_view kStarts = "-+~!(";
  if (token_.kind == TokenKind::end || (token_.kind == TokenKind::punctuation &&
                                        kStarts.find(token_.text) == std::string_view::npos))
    unexpected("';' or an operand of " + quoted(spelling));
  Operand operand;
  const bool minus = token_.is("-") && peek().kind == TokenKind::float64;
  if (minus) advance();
  operand.name = token_.text;
  if (token_.kind == TokenKind::float32 || token_.kind == TokenKind::float64) {
    operand.kind = token_.kind == TokenKind::float32 ? OperandKind::float32 : OperandKind::float64;
    operand.bits = minus ? token_.bits ^ (std::uint64_t{1} << 63) : token_.bits;
    advance();
  } else {
    operand.kind = OperandKind::immediate;
    operand.bits = parse_constant().bits;
  }
  return operand;
}

}  // namespace labkit::ptx
