// One instruction with its guard and operands (PTX ISA 9.0, chapter 6 and 9.1).
#include <algorithm>
#include <array>

#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

// PTX ISA 9.0, chapter 10. A name with a number (%envreg3, %pm0) is listed without it.
constexpr auto kSpecial = std::to_array<std::string_view>({"%tid",
                                                           "%ntid",
                                                           "%laneid",
                                                           "%warpid",
                                                           "%nwarpid",
                                                           "%ctaid",
                                                           "%nctaid",
                                                           "%smid",
                                                           "%nsmid",
                                                           "%gridid",
                                                           "%is_explicit_cluster",
                                                           "%clusterid",
                                                           "%nclusterid",
                                                           "%cluster_ctaid",
                                                           "%cluster_nctaid",
                                                           "%cluster_ctarank",
                                                           "%cluster_nctarank",
                                                           "%lanemask_eq",
                                                           "%lanemask_le",
                                                           "%lanemask_lt",
                                                           "%lanemask_ge",
                                                           "%lanemask_gt",
                                                           "%clock",
                                                           "%clock_hi",
                                                           "%clock64",
                                                           "%pm",
                                                           "%pm0_64",
                                                           "%envreg",
                                                           "%globaltimer",
                                                           "%globaltimer_lo",
                                                           "%globaltimer_hi",
                                                           "%reserved_smem_offset_begin",
                                                           "%reserved_smem_offset_end",
                                                           "%reserved_smem_offset_cap",
                                                           "%reserved_smem_offset_",
                                                           "%total_smem_size",
                                                           "%aggr_smem_size",
                                                           "%dynamic_smem_size",
                                                           "%current_graph_exec"});

bool is_special(std::string_view name) {
  const std::string_view whole = name.substr(0, name.find('.'));
  std::string_view stem = whole;
  while (!stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.remove_suffix(1);
  return std::any_of(kSpecial.begin(), kSpecial.end(), [&](std::string_view special) {
    return whole == special ||
           ((special == "%pm" || special == "%envreg" || special == "%reserved_smem_offset_") &&
            stem == special);
  });
}

void split_at_dots(std::string_view spelling, std::vector<std::string_view>& parts) {
  std::size_t begin = 0;
  for (std::size_t dot = spelling.find('.'); dot != std::string_view::npos;
       dot = spelling.find('.', begin)) {
    parts.push_back(spelling.substr(begin, dot - begin));
    begin = dot + 1;
  }
  parts.push_back(spelling.substr(begin));
}

}  // namespace

bool Parser::parse_instruction(Function& function) {
  Instruction instruction;
  instruction.ptx_line = token_.line;
  instruction.location = location_;
  instruction.inlined_at = inlined_at_;
  if (accept("@")) {
    instruction.guard_negated = accept("!");
    const std::uint32_t line = token_.line;
    std::string_view name;
    if (!expect_name("a predicate register", name)) return false;
    Name found;
    if (!find_local(name, found) || found.kind != SymbolKind::none)
      return fail(line, "'" + std::string(name) + "' is not a declared register");
    if (function.registers[static_cast<std::size_t>(found.id)].type != Type::pred)
      return fail(line, "the guard '" + std::string(name) + "' is not of type .pred");
    instruction.guard = found.id;
  }
  if (!expect_name("an instruction", instruction.spelling)) return false;
  if (!(instruction.spelling.front() >= 'a' && instruction.spelling.front() <= 'z'))
    return fail(instruction.ptx_line,
                "'" + std::string(instruction.spelling) + "' is not an instruction");
  split_at_dots(instruction.spelling, instruction.parts);

  if (!token_.is(";")) {
    do {
      Operand operand;
      if (!parse_operand(instruction, operand, 0)) return false;
      if (operand.kind == OperandKind::label) {
        LabelUse use;
        use.instruction = static_cast<std::int32_t>(function.body.size());
        use.operand = static_cast<std::int32_t>(instruction.operands.size());
        use.scope = scope_;
        use.line = instruction.ptx_line;
        use.name = operand.name;
        label_uses_.push_back(use);
      }
      instruction.operands.push_back(std::move(operand));
    } while (accept(","));
  }
  if (!token_.is(";"))
    return unexpected("';' or ',' after '" + std::string(instruction.spelling) + "'");
  advance();
  function.body.push_back(std::move(instruction));
  return true;
}

bool Parser::parse_operand(Instruction& instruction, Operand& operand, int depth) {
  constexpr int kDeepest = 4;
  if (depth > kDeepest) return fail(token_.line, "operands nested too deeply");
  const bool call = instruction.root() == "call";
  if (token_.is("{"))
    return parse_operand_group(instruction, operand, OperandKind::vector, "}", depth);
  if (token_.is("(") && call)
    return parse_operand_group(instruction, operand, OperandKind::list, ")", depth);
  if (token_.is("[")) return parse_address(operand, instruction, depth);
  if (token_.is("!") && peek().kind == TokenKind::word) {
    advance();
    operand.negated = true;
    const std::uint32_t line = token_.line;
    if (!parse_named(operand, instruction)) return false;
    return operand.kind == OperandKind::reg || fail(line, "'!' needs a predicate register");
  }
  if (token_.kind != TokenKind::word || token_.is("WARP_SZ"))
    return parse_immediate(operand, instruction.spelling);
  if (!parse_named(operand, instruction)) return false;
  if (!token_.is("|")) return true;

  const std::uint32_t line = token_.line;
  advance();
  Operand second;
  if (token_.kind != TokenKind::word) return unexpected("a register after '|'");
  if (!parse_named(second, instruction)) return false;
  const auto fits = [](const Operand& half) {
    return half.kind == OperandKind::reg || half.kind == OperandKind::sink;
  };
  if (!fits(operand) || !fits(second)) return fail(line, "both sides of '|' must be registers");
  Operand pair;
  pair.kind = OperandKind::pair;
  pair.elements.push_back(std::move(operand));
  pair.elements.push_back(std::move(second));
  operand = std::move(pair);
  return true;
}

bool Parser::parse_operand_group(Instruction& instruction, Operand& operand, OperandKind kind,
                                 std::string_view close, int depth) {
  advance();
  operand.kind = kind;
  if (accept(close)) return true;
  do {
    Operand element;
    if (!parse_operand(instruction, element, depth + 1)) return false;
    if (element.kind == OperandKind::label)
      return fail(token_.line, "a label cannot stand in a list");
    operand.elements.push_back(std::move(element));
  } while (accept(","));
  return expect(close);
}

bool Parser::parse_address(Operand& operand, Instruction& instruction, int depth) {
  advance();  // [
  operand.kind = OperandKind::address;
  if (token_.kind == TokenKind::word && !token_.is("WARP_SZ")) {
    const std::uint32_t line = token_.line;
    operand.name = token_.text;
    advance();
    if (!resolve_name(operand.name, line, operand.base, operand.symbol, operand.id)) return false;
    const bool fits = operand.base == OperandKind::reg || operand.base == OperandKind::symbol;
    if (!fits || operand.symbol == SymbolKind::label_table)
      return fail(line, "'" + std::string(operand.name) + "' cannot be an address");
    if ((token_.is("+") || token_.is("-")) && !parse_offset(operand.offset)) return false;
  } else {
    Constant value;
    if (!parse_constant(value, 0, 0)) return false;
    operand.base = OperandKind::immediate;
    operand.bits = value.bits;
  }
  while (
      accept(",")) {  // coordinates of a tensor copy: kept, so that it can be refused by its name
    Operand coordinate;
    if (!parse_operand(instruction, coordinate, depth + 1)) return false;
    if (coordinate.kind == OperandKind::label)
      return fail(token_.line, "a label cannot stand in an address");
    operand.elements.push_back(std::move(coordinate));
  }
  return expect("]");
}

bool Parser::parse_named(Operand& operand, Instruction& instruction) {
  operand.name = token_.text;
  const std::uint32_t line = token_.line;
  if (operand.name.front() == '.') return unexpected("an operand");
  advance();
  if (operand.name == "_") {
    operand.kind = OperandKind::sink;
    return true;
  }
  if (instruction.root() == "bra") {
    operand.kind = OperandKind::label;
    return true;
  }
  if (!resolve_name(operand.name, line, operand.kind, operand.symbol, operand.id)) return false;
  if (operand.kind != OperandKind::symbol || (!token_.is("+") && !token_.is("-"))) return true;
  return parse_offset(operand.offset);
}

bool Parser::resolve_name(std::string_view name, std::uint32_t line, OperandKind& kind,
                          SymbolKind& symbol, std::int32_t& id) {
  Name found;
  const auto global = module_names_.find(name);
  if (!find_local(name, found)) {
    if (global != module_names_.end()) {
      found = global->second;
    } else if (is_special(name)) {
      kind = OperandKind::special;
      return true;
    } else {
      return fail(line, "'" + std::string(name.substr(0, 200)) + "' is not declared");
    }
  }
  kind = found.kind == SymbolKind::none ? OperandKind::reg : OperandKind::symbol;
  symbol = found.kind;
  id = found.id;
  return true;
}

bool Parser::parse_immediate(Operand& operand, std::string_view spelling) {
  constexpr std::string_view kStarts = "-+~!(";
  if (token_.kind == TokenKind::end || (token_.kind == TokenKind::punctuation &&
                                        kStarts.find(token_.text) == std::string_view::npos))
    return unexpected("';' or an operand of '" + std::string(spelling) + "'");
  const bool minus = token_.is("-") && peek().kind == TokenKind::float64;
  if (minus) advance();
  operand.name = token_.text;
  if (token_.kind == TokenKind::float32 || token_.kind == TokenKind::float64) {
    operand.kind = token_.kind == TokenKind::float32 ? OperandKind::float32 : OperandKind::float64;
    operand.bits = minus ? token_.bits ^ (std::uint64_t{1} << 63) : token_.bits;
    advance();
    return true;
  }
  Constant value;
  if (!parse_constant(value, 0, 0)) return false;
  operand.kind = OperandKind::immediate;
  operand.bits = value.bits;
  return true;
}

}  // namespace labkit::ptx
