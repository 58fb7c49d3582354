// Variables with their initialisers, and constant expressions (PTX ISA 9.0, 4.5.5 and 5.4).
#include <algorithm>
#include <bit>
#include <limits>

#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

struct BinaryOperator {
  std::string_view spelling;
  int precedence;
};
constexpr BinaryOperator kBinary[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4}, {"&", 5},
                                      {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7},
                                      {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},
                                      {"*", 10}, {"/", 10}, {"%", 10}};

std::optional<Space> space_from_directive(std::string_view word) {
  if (word == ".global") return Space::global;
  if (word == ".const") return Space::constant;
  if (word == ".shared") return Space::shared;
  if (word == ".local") return Space::local;
  if (word == ".param") return Space::param;
  return std::nullopt;
}

bool is_float(Type type) { return type == Type::f16 || type == Type::f32 || type == Type::f64; }

/// `a op b` with the signedness C would use; nullopt: division by zero.
std::optional<std::uint64_t> evaluate(std::string_view op, std::uint64_t a, std::uint64_t b,
                                      bool is_unsigned) {
  const auto sa = static_cast<std::int64_t>(a);
  const auto sb = static_cast<std::int64_t>(b);
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "/" || op == "%") {
    if (b == 0) return std::nullopt;
    const bool divide = op == "/";
    if (is_unsigned) return divide ? a / b : a % b;
    if (sb == -1) return divide ? 0 - a : 0;  // INT64_MIN / -1 overflows
    return static_cast<std::uint64_t>(divide ? sa / sb : sa % sb);
  }
  if (op == "<<") return b < 64 ? a << b : 0;
  if (op == ">>") {
    if (is_unsigned) return b < 64 ? a >> b : 0;
    return static_cast<std::uint64_t>(sa >> std::min<std::uint64_t>(b, 63));
  }
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "&&") return a != 0 && b != 0;
  if (op == "||") return a != 0 || b != 0;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return is_unsigned ? a < b : sa < sb;
  if (op == ">") return is_unsigned ? a > b : sa > sb;
  if (op == "<=") return is_unsigned ? a <= b : sa <= sb;
  return is_unsigned ? a >= b : sa >= sb;
}

}  // namespace

bool Parser::parse_declarator_type(Declarator& declarator) {
  for (;;) {
    if (accept(".align")) {
      const std::uint32_t line = token_.line;
      if (!expect_count("an alignment", 1U << 16, declarator.align_bytes)) return false;
      if (!std::has_single_bit(declarator.align_bytes))
        return fail(line, "an alignment must be a power of two");
    } else if (accept(".v2")) {
      declarator.vector_width = 2;
    } else if (accept(".v4")) {
      declarator.vector_width = 4;
    } else {
      break;
    }
  }
  const std::optional<Type> type = token_.kind == TokenKind::word && token_.text.front() == '.'
                                       ? type_from_name(token_.text.substr(1))
                                       : std::nullopt;
  if (!type) return unexpected("a type such as .b32");
  declarator.type = *type;
  advance();
  return true;
}

bool Parser::parse_dimensions(std::vector<std::uint64_t>& dimensions, bool& unsized) {
  unsized = false;
  while (accept("[")) {
    if (dimensions.size() >= 8) return fail(token_.line, "an array of more than 8 dimensions");
    if (dimensions.empty() && accept("]")) {
      unsized = true;
      dimensions.push_back(0);
      continue;
    }
    const std::uint32_t line = token_.line;
    Constant extent;
    if (!parse_constant(extent, 0, 0) || !expect("]")) return false;
    if (extent.bits > kMaxVariableBytes) return fail(line, "an array of more than 2^40 elements");
    dimensions.push_back(extent.bits);
  }
  return true;
}

bool Parser::parse_variables(Linkage linkage, std::vector<Variable>& out, SymbolKind kind) {
  const Space space = space_from_directive(token_.text).value_or(Space::global);
  advance();
  Declarator declarator;
  if (!parse_declarator_type(declarator)) return false;
  if (size_bytes(declarator.type) == 0)
    return fail(token_.line,
                "a variable in memory cannot have type ." + std::string(name_of(declarator.type)));
  const std::uint64_t element_bytes = size_bytes(declarator.type) * declarator.vector_width;
  do {
    Variable variable;
    variable.space = space;
    variable.type = declarator.type;
    variable.is_extern = linkage.is_extern;
    variable.is_visible = linkage.is_visible;
    variable.ptx_line = token_.line;
    variable.align_bytes = static_cast<std::uint32_t>(std::max<std::uint64_t>(
        declarator.align_bytes != 0 ? declarator.align_bytes : element_bytes, 1));
    if (!expect_name("a variable name", variable.name)) return false;
    if (token_.is("<")) return fail(token_.line, "parametric names are for registers only");

    std::vector<std::uint64_t> dimensions;
    bool unsized = false;
    if (!parse_dimensions(dimensions, unsized)) return false;
    std::uint64_t bytes = element_bytes;
    bool empty = false;
    for (const std::uint64_t extent : dimensions) {
      empty = empty || extent == 0;
      if (extent == 0) continue;  // the others must multiply within bounds all the same
      if (bytes > kMaxVariableBytes / extent)
        return fail(variable.ptx_line,
                    "'" + std::string(variable.name) + "' is larger than 2^40 bytes");
      bytes *= extent;
    }
    variable.size_bytes = empty ? 0 : bytes;
    const auto id = static_cast<std::int32_t>(out.size());
    if (kind == SymbolKind::module_variable) {
      if (!declare(variable.name, variable.ptx_line, kind, id)) return false;
    } else if (!declare_local(variable.name, variable.ptx_line, {kind, id})) {
      return false;
    }
    if (accept("=")) {
      if (space == Space::param || space == Space::local)
        return fail(variable.ptx_line,
                    "'" + std::string(variable.name) + "' cannot have an initialiser");
      if (!parse_initializer(variable, declarator, dimensions, unsized)) return false;
    } else if (unsized && !linkage.is_extern) {
      return fail(variable.ptx_line,
                  "'" + std::string(variable.name) +
                      "' has no size: only .extern arrays and initialised ones may");
    }
    out.push_back(std::move(variable));
  } while (accept(","));
  return expect(";");
}

bool Parser::grow_initial(Variable& variable, std::uint64_t size, std::uint32_t line) {
  if (size <= variable.initial.size()) return true;
  const std::uint64_t more = size - variable.initial.size();
  if (more > kMaxInitialBytes - std::min(initial_bytes_total_, kMaxInitialBytes))
    return fail(line, "the initialisers of this module exceed 64 MiB");
  initial_bytes_total_ += more;
  variable.initial.resize(size);
  return true;
}

bool Parser::parse_initializer(Variable& variable, const Declarator& declarator,
                               const std::vector<std::uint64_t>& dimensions, bool unsized) {
  const std::uint32_t line = token_.line;
  std::vector<std::uint64_t> extents = dimensions;
  if (declarator.vector_width > 1) extents.push_back(declarator.vector_width);
  if (!unsized && !grow_initial(variable, variable.size_bytes, line)) return false;
  PendingMask mask;
  if (!parse_initializer_level(variable, declarator.type, extents, 0, 0, unsized, mask))
    return false;
  if (mask.next_bit != 0)
    return fail(line, "the bytes of a masked address in this initialiser are not complete");
  if (unsized) {
    // Whole elements of the outermost dimension.
    std::uint64_t step = size_bytes(declarator.type);
    for (std::size_t i = 1; i < extents.size(); ++i) step *= extents[i];
    if (step == 0) return fail(line, "an array with an initialiser has a dimension of 0");
    const std::uint64_t rounded = (variable.initial.size() + step - 1) / step * step;
    if (!grow_initial(variable, rounded, line)) return false;
    variable.size_bytes = rounded;
  }
  return true;
}

bool Parser::parse_initializer_level(Variable& variable, Type type,
                                     const std::vector<std::uint64_t>& extents, std::size_t level,
                                     std::uint64_t offset, bool grows, PendingMask& mask) {
  if (!token_.is("{")) {
    if (level == 0 && !extents.empty()) return unexpected("'{'");
    if (grows && !grow_initial(variable, offset + size_bytes(type), token_.line)) return false;
    if (offset + size_bytes(type) > variable.initial.size())
      return fail(token_.line,
                  "too many values in the initialiser of '" + std::string(variable.name) + "'");
    return parse_initializer_element(variable, type, offset, mask);
  }
  if (level >= extents.size())
    return fail(token_.line, "too many nested braces in the initialiser of '" +
                                 std::string(variable.name) + "'");
  advance();
  // A brace fills one dimension; plain values inside it run through the dimensions below in order.
  std::uint64_t inner_bytes = size_bytes(type);
  for (std::size_t i = level + 1; i < extents.size(); ++i) inner_bytes *= extents[i];
  const bool open_ended = grows && level == 0;
  const std::uint64_t end = open_ended ? std::numeric_limits<std::uint64_t>::max()
                                       : offset + inner_bytes * extents[level];
  if (accept("}")) return true;
  do {
    if (offset >= end || inner_bytes == 0)
      return fail(token_.line,
                  "too many values in the initialiser of '" + std::string(variable.name) + "'");
    const bool nested = token_.is("{");
    if (nested) {
      if (open_ended && !grow_initial(variable, offset + inner_bytes, token_.line)) return false;
      if (!parse_initializer_level(variable, type, extents, level + 1, offset, false, mask))
        return false;
      offset += inner_bytes;
    } else {
      if (!parse_initializer_level(variable, type, extents, extents.size(), offset, grows, mask))
        return false;
      offset += size_bytes(type);
    }
  } while (accept(","));
  return expect("}");
}

bool Parser::parse_relocation(Relocation& relocation) {
  relocation.generic = token_.is("generic") && peek().is("(");
  if (relocation.generic) {
    advance();
    advance();
  }
  if (!expect_name("a variable or function name", relocation.symbol)) return false;
  if (token_.is("+") || token_.is("-")) {
    if (!parse_offset(relocation.addend)) return false;
  }
  if (!relocation.generic) return true;
  if (!expect(")")) return false;
  if (!token_.is("+") && !token_.is("-")) return true;
  std::int64_t outside = 0;
  if (!parse_offset(outside)) return false;
  relocation.addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(relocation.addend) +
                                                static_cast<std::uint64_t>(outside));
  return true;
}

bool Parser::parse_initializer_element(Variable& variable, Type type, std::uint64_t offset,
                                       PendingMask& mask) {
  const std::uint32_t line = token_.line;
  const std::uint64_t bytes = size_bytes(type);
  const auto store = [&](std::uint64_t bits) {  // little-endian, as the device is
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(bytes, 8); ++i)
      variable.initial[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  };
  // 0xFF00(generic(x)): one byte of an address, of a pointer that its struct does not align (PTX
  // ISA 5.4.4).
  if (token_.kind == TokenKind::integer && peek().is("(")) {
    const std::uint64_t wanted = std::uint64_t{0xFF} << mask.next_bit;
    if (bytes != 1 || token_.bits != wanted)
      return fail(line, "expected the mask of the next byte of an address");
    advance();
    advance();
    Relocation relocation;
    if (!parse_relocation(relocation) || !expect(")")) return false;
    if (mask.next_bit == 0) {
      relocation.offset_bytes = offset;
      variable.relocations.push_back(relocation);
    } else if (variable.relocations.back().symbol != relocation.symbol ||
               variable.relocations.back().addend != relocation.addend ||
               mask.next_offset != offset) {
      return fail(line, "the masked bytes of an address must follow one another");
    }
    mask.next_bit = (mask.next_bit + 8) % 64;
    mask.next_offset = offset + 1;
    return true;
  }
  if (mask.next_bit != 0) return fail(line, "expected the mask of the next byte of an address");
  if (token_.kind == TokenKind::word && token_.text.front() != '.' && token_.text != "WARP_SZ") {
    if (bytes != 8) return fail(line, "an address needs an element of 8 bytes");
    Relocation relocation;
    relocation.offset_bytes = offset;
    if (!parse_relocation(relocation)) return false;
    variable.relocations.push_back(relocation);
    return true;
  }
  const bool minus = token_.is("-") && peek().kind == TokenKind::float64;
  if (minus) advance();
  if (token_.kind == TokenKind::float32 || token_.kind == TokenKind::float64) {
    const bool narrow = token_.kind == TokenKind::float32;
    const double value =
        narrow ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(token_.bits)))
               : std::bit_cast<double>(token_.bits);
    const double signed_value = minus ? -value : value;
    if (type == Type::f32) {
      // The exact bits of a 0f literal, NaN payloads included.
      store(narrow ? token_.bits : std::bit_cast<std::uint32_t>(static_cast<float>(signed_value)));
    } else if (type == Type::f64) {
      store(narrow || minus ? std::bit_cast<std::uint64_t>(signed_value) : token_.bits);
    } else {
      return fail(
          line, "a floating-point value in an initialiser of type ." + std::string(name_of(type)));
    }
    advance();
    return true;
  }
  Constant value;
  if (!parse_constant(value, 0, 0)) return false;
  if (is_float(type)) {
    const double real = value.is_unsigned
                            ? static_cast<double>(value.bits)
                            : static_cast<double>(static_cast<std::int64_t>(value.bits));
    if (type == Type::f16 && real != 0) return fail(line, "an .f16 initialiser must be zero here");
    store(type == Type::f64   ? std::bit_cast<std::uint64_t>(real)
          : type == Type::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(real))
                              : 0);
  } else {
    store(value.bits);
  }
  return true;
}

bool Parser::parse_offset(std::int64_t& offset) {
  if (token_.is("+")) advance();  // `+ -4` and `-4` are both a constant from here on
  Constant value;
  if (!parse_constant(value, 0, 0)) return false;
  offset = static_cast<std::int64_t>(value.bits);
  return true;
}

bool Parser::parse_constant(Constant& value, int minimum_precedence, int depth) {
  if (!parse_constant_primary(value, depth)) return false;
  for (;;) {
    const auto* const op =
        std::find_if(std::begin(kBinary), std::end(kBinary), [&](const BinaryOperator& row) {
          return token_.kind == TokenKind::punctuation && token_.text == row.spelling &&
                 row.precedence >= minimum_precedence;
        });
    if (op == std::end(kBinary)) break;
    const std::uint32_t line = token_.line;
    advance();
    Constant right;
    if (!parse_constant(right, op->precedence + 1, depth + 1)) return false;
    const bool shift = op->precedence == 8;
    const bool is_unsigned = shift ? value.is_unsigned : value.is_unsigned || right.is_unsigned;
    const auto result = evaluate(op->spelling, value.bits, right.bits, is_unsigned);
    if (!result) return fail(line, "division by zero in a constant expression");
    const bool logical = op->precedence <= 2 || op->precedence == 6 || op->precedence == 7;
    value = {is_unsigned && !logical, *result};
  }
  if (minimum_precedence > 0 || !accept("?")) return true;
  Constant yes;
  Constant no;
  if (!parse_constant(yes, 0, depth + 1) || !expect(":") || !parse_constant(no, 0, depth + 1))
    return false;
  value = value.bits != 0 ? yes : no;
  return true;
}

bool Parser::parse_constant_primary(Constant& value, int depth) {
  if (depth > kMaxNesting) return fail(token_.line, "a constant expression nested too deeply");
  if (accept("-")) {
    if (!parse_constant_primary(value, depth + 1)) return false;
    value.bits = 0 - value.bits;
    return true;
  }
  if (accept("+")) return parse_constant_primary(value, depth + 1);
  if (accept("~")) {
    if (!parse_constant_primary(value, depth + 1)) return false;
    value.bits = ~value.bits;
    return true;
  }
  if (accept("!")) {
    if (!parse_constant_primary(value, depth + 1)) return false;
    value = {false, value.bits == 0 ? std::uint64_t{1} : std::uint64_t{0}};
    return true;
  }
  if (accept("(")) {
    const bool to_signed = token_.is(".s64");
    if (to_signed || token_.is(".u64")) {  // a cast
      advance();
      if (!expect(")") || !parse_constant_primary(value, depth + 1)) return false;
      value.is_unsigned = !to_signed;
      return true;
    }
    return parse_constant(value, 0, depth + 1) && expect(")");
  }
  if (accept("WARP_SZ")) {
    value = {false, 32};
    return true;
  }
  if (token_.kind != TokenKind::integer) return unexpected("a constant");
  value = {token_.is_unsigned, token_.bits};
  advance();
  return true;
}

}  // namespace labkit::ptx
