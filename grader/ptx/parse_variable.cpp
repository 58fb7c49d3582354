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

Space space_from_directive(std::string_view word) {
  if (word == ".const") return Space::constant;
  if (word == ".shared") return Space::shared;
  if (word == ".local") return Space::local;
  if (word == ".param") return Space::param;
  return Space::global;
}

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

Parser::Declarator Parser::parse_declarator_type() {
  Declarator declarator;
  for (;;) {
    if (accept(".align")) {
      declarator.align_bytes = expect_alignment();
    } else if (accept(".attribute")) {
      expect("(");
      if (!accept(".managed")) unexpected("the attribute .managed");
      expect(")");
      declarator.is_managed = true;
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
  if (!type) unexpected("a type such as .b32");
  declarator.type = *type;
  advance();
  return declarator;
}

Parser::Dimensions Parser::parse_dimensions() {
  Dimensions dimensions;
  std::vector<std::uint64_t>& extents = dimensions.extents;
  while (accept("[")) {
    if (extents.size() >= 8) fail(token_.line, "an array of more than 8 dimensions");
    if (extents.empty() && accept("]")) {
      dimensions.unsized = true;
      extents.push_back(0);
      continue;
    }
    const std::uint32_t line = token_.line;
    const std::uint64_t extent = parse_constant().bits;
    expect("]");
    if (extent > kMaxVariableBytes) fail(line, "an array of more than 2^40 elements");
    extents.push_back(extent);
  }
  return dimensions;
}

void Parser::parse_variables(Linkage linkage, std::vector<Variable>& out, SymbolKind kind) {
  const Space space = space_from_directive(token_.text);
  advance();
  const Declarator declarator = parse_declarator_type();
  if (size_bytes(declarator.type) == 0)
    fail(token_.line,
         "a variable in memory cannot have type ." + std::string(name_of(declarator.type)));
  const std::uint32_t element_bytes = size_bytes(declarator.type) * declarator.vector_width;
  do {
    Variable variable;
    variable.space = space;
    variable.type = declarator.type;
    variable.is_extern = linkage.is_extern;
    variable.is_visible = linkage.is_visible;
    variable.is_managed = declarator.is_managed;
    variable.ptx_line = token_.line;
    variable.align_bytes = declarator.align_bytes != 0 ? declarator.align_bytes : element_bytes;
    variable.name = expect_name("a variable name");
    if (token_.is("<")) fail(token_.line, "parametric names are for registers only");

    const Dimensions dimensions = parse_dimensions();
    variable.size_bytes = element_bytes;
    bool is_empty = false;
    for (const std::uint64_t extent : dimensions.extents) {
      is_empty = is_empty || extent == 0;
      if (extent == 0) continue;  // the others must multiply within bounds all the same
      if (variable.size_bytes > kMaxVariableBytes / extent)
        fail(variable.ptx_line, quoted(variable.name) + " is larger than 2^40 bytes");
      variable.size_bytes *= extent;
    }
    if (is_empty) variable.size_bytes = 0;
    const Name name{kind, static_cast<std::int32_t>(out.size())};
    if (kind == SymbolKind::module_variable)
      declare(variable.name, variable.ptx_line, name);
    else
      declare_local(variable.name, variable.ptx_line, name);
    if (accept("=")) {
      if (space == Space::param || space == Space::local)
        fail(variable.ptx_line, quoted(variable.name) + " cannot have an initialiser");
      parse_initializer(variable, declarator, dimensions);
    } else if (dimensions.unsized && !linkage.is_extern) {
      fail(variable.ptx_line,
           quoted(variable.name) + " has no size: only .extern arrays and initialised ones may");
    }
    out.push_back(std::move(variable));
  } while (accept(","));
  expect(";");
}

void Parser::grow_initial(Variable& variable, std::uint64_t size, std::uint32_t line) {
  if (size <= variable.initial.size()) return;
  const std::uint64_t more = size - variable.initial.size();
  if (more > kMaxInitialBytes - initial_bytes_total_)
    fail(line, "the initialisers of this module exceed 64 MiB");
  initial_bytes_total_ += more;
  variable.initial.resize(size);
}

void Parser::parse_initializer(Variable& variable, const Declarator& declarator,
                               const Dimensions& dimensions) {
  const std::uint32_t line = token_.line;
  std::vector<std::uint64_t> extents = dimensions.extents;
  if (declarator.vector_width > 1) extents.push_back(declarator.vector_width);
  if (!dimensions.unsized) grow_initial(variable, variable.size_bytes, line);
  PendingMask mask;
  parse_initializer_level(variable, extents, 0, 0, dimensions.unsized, mask);
  if (mask.next_bit != 0)
    fail(line, "the bytes of a masked address in this initialiser are not complete");
  if (!dimensions.unsized) return;
  // Whole elements of the outermost dimension.
  std::uint64_t step = size_bytes(variable.type);
  for (std::size_t i = 1; i < extents.size(); ++i) step *= extents[i];
  if (step == 0) fail(line, "an array with an initialiser has a dimension of 0");
  variable.size_bytes = (variable.initial.size() + step - 1) / step * step;
  grow_initial(variable, variable.size_bytes, line);
}

void Parser::parse_initializer_level(Variable& variable, const std::vector<std::uint64_t>& extents,
                                     std::size_t level, std::uint64_t offset, bool grows,
                                     PendingMask& mask) {
  const std::uint64_t element_bytes = size_bytes(variable.type);
  const auto check = [&](bool fits) {
    if (!fits) fail(token_.line, "too many values in the initialiser of " + quoted(variable.name));
  };
  if (!token_.is("{")) {
    if (level == 0 && !extents.empty()) unexpected("'{'");
    if (grows) grow_initial(variable, offset + element_bytes, token_.line);
    check(offset + element_bytes <= variable.initial.size());
    return parse_initializer_element(variable, offset, mask);
  }
  if (level >= extents.size())
    fail(token_.line, "too many nested braces in the initialiser of " + quoted(variable.name));
  advance();
  // A brace fills one dimension; plain values inside it run through the dimensions below in order.
  std::uint64_t inner_bytes = element_bytes;
  for (std::size_t i = level + 1; i < extents.size(); ++i) inner_bytes *= extents[i];
  const bool open_ended = grows && level == 0;
  const std::uint64_t end = open_ended ? std::numeric_limits<std::uint64_t>::max()
                                       : offset + inner_bytes * extents[level];
  if (accept("}")) return;
  do {
    check(offset < end && inner_bytes != 0);
    if (token_.is("{")) {
      if (open_ended) grow_initial(variable, offset + inner_bytes, token_.line);
      parse_initializer_level(variable, extents, level + 1, offset, false, mask);
      offset += inner_bytes;
    } else {
      parse_initializer_level(variable, extents, extents.size(), offset, grows, mask);
      offset += element_bytes;
    }
  } while (accept(","));
  expect("}");
}

Relocation Parser::parse_relocation(std::uint64_t offset_bytes) {
  Relocation relocation;
  relocation.offset_bytes = offset_bytes;
  relocation.generic = token_.is("generic") && peek().is("(");
  if (relocation.generic) {
    advance();
    advance();
  }
  relocation.symbol = expect_name("a variable or function name");
  std::uint64_t addend = parse_offset();
  if (relocation.generic) {
    expect(")");
    addend += parse_offset();
  }
  relocation.addend = static_cast<std::int64_t>(addend);
  return relocation;
}

void Parser::parse_initializer_element(Variable& variable, std::uint64_t offset,
                                       PendingMask& mask) {
  const std::uint32_t line = token_.line;
  const Type type = variable.type;
  const std::uint64_t bytes = size_bytes(type);
  const auto store = [&](std::uint64_t bits) {  // little-endian, as the device is
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(bytes, 8); ++i)
      variable.initial[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  };
  // 0xFF00(generic(x)): one byte of an address, of a pointer that its struct does not align (PTX
  // ISA 5.4.4).
  const bool is_masked = token_.kind == TokenKind::integer && peek().is("(");
  if (is_masked ? bytes != 1 || token_.bits != std::uint64_t{0xFF} << mask.next_bit
                : mask.next_bit != 0)
    fail(line, "expected the mask of the next byte of an address");
  if (is_masked) {
    advance();
    advance();
    const Relocation relocation = parse_relocation(offset);
    expect(")");
    if (mask.next_bit == 0) {
      variable.relocations.push_back(relocation);
    } else if (variable.relocations.back().symbol != relocation.symbol ||
               variable.relocations.back().addend != relocation.addend ||
               mask.next_offset != offset) {
      fail(line, "the masked bytes of an address must follow one another");
    }
    mask = {(mask.next_bit + 8) % 64, offset + 1};
    return;
  }
  if (token_.kind == TokenKind::word && token_.text.front() != '.' && token_.text != "WARP_SZ") {
    if (bytes != 8) fail(line, "an address needs an element of 8 bytes");
    variable.relocations.push_back(parse_relocation(offset));
    return;
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
      fail(line, "a floating-point value in an initialiser of type ." + std::string(name_of(type)));
    }
    return advance();
  }
  const Constant value = parse_constant();
  const double real = value.is_unsigned
                          ? static_cast<double>(value.bits)
                          : static_cast<double>(static_cast<std::int64_t>(value.bits));
  if (type == Type::f64) return store(std::bit_cast<std::uint64_t>(real));
  if (type == Type::f32) return store(std::bit_cast<std::uint32_t>(static_cast<float>(real)));
  if (type == Type::f16 && real != 0) fail(line, "an .f16 initialiser must be zero here");
  store(value.bits);
}

std::uint64_t Parser::parse_offset() {
  if (!token_.is("+") && !token_.is("-")) return 0;
  if (token_.is("+")) advance();  // `+ -4` and `-4` are both a constant from here on
  return parse_constant().bits;
}

Parser::Constant Parser::parse_constant(int minimum_precedence, int depth) {
  Constant value = parse_constant_primary(depth);
  for (;;) {
    const auto* const op = std::ranges::find_if(kBinary, [&](const BinaryOperator& row) {
      return token_.is(row.spelling) && row.precedence >= minimum_precedence;
    });
    if (op == std::end(kBinary)) break;
    const std::uint32_t line = token_.line;
    advance();
    const Constant right = parse_constant(op->precedence + 1, depth + 1);
    const bool shift = op->precedence == 8;
    const bool is_unsigned = value.is_unsigned || (right.is_unsigned && !shift);
    const auto result = evaluate(op->spelling, value.bits, right.bits, is_unsigned);
    if (!result) fail(line, "division by zero in a constant expression");
    const bool logical = op->precedence <= 2 || op->precedence == 6 || op->precedence == 7;
    value = {is_unsigned && !logical, *result};
  }
  if (minimum_precedence > 0 || !accept("?")) return value;
  const Constant yes = parse_constant(0, depth + 1);
  expect(":");
  const Constant no = parse_constant(0, depth + 1);
  return value.bits != 0 ? yes : no;
}

Parser::Constant Parser::parse_constant_primary(int depth) {
  if (depth > kMaxNesting) fail(token_.line, "a constant expression nested too deeply");
  if (token_.kind == TokenKind::integer) {
    const Constant value{token_.is_unsigned, token_.bits};
    advance();
    return value;
  }
  if (accept("WARP_SZ")) return {false, 32};
  if (accept("(")) {
    const bool to_signed = token_.is(".s64");
    const bool is_cast = to_signed || token_.is(".u64");
    if (!is_cast) {
      const Constant value = parse_constant(0, depth + 1);
      expect(")");
      return value;
    }
    advance();
    expect(")");
    return {!to_signed, parse_constant_primary(depth + 1).bits};
  }
  constexpr std::string_view kUnary = "-+~!";
  if (token_.kind != TokenKind::punctuation || kUnary.find(token_.text) == kUnary.npos)
    unexpected("a constant");
  const char op = token_.text.front();
  advance();
  const Constant value = parse_constant_primary(depth + 1);
  if (op == '-') return {value.is_unsigned, 0 - value.bits};
  if (op == '~') return {value.is_unsigned, ~value.bits};
  if (op == '!') return {false, value.bits == 0};
  return value;
}

}  // namespace labkit::ptx
