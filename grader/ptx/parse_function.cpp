// Signatures, bodies and their directives; scopes and labels.
#include <algorithm>
#include <array>
#include <bit>

#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

std::uint64_t location_key(const SourceLocation& location) {
  // file <= 16 bits by kMaxFileIndex; lines above 2^32 do not occur, columns are cut.
  return (std::uint64_t{location.file} << 48) ^ (std::uint64_t{location.line} << 16) ^
         (location.column & 0xFFFFU);
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// "%r12" -> "%r" and 12; nullopt if the name does not end in a number without leading zeros.
std::optional<std::pair<std::string_view, std::uint64_t>> split_number(std::string_view name) {
  std::size_t first = name.size();
  while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9') --first;
  const std::string_view digits = name.substr(first);
  if (first == 0 || digits.empty() || digits.size() > 9 ||
      (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return std::pair{name.substr(0, first), value};
}

}  // namespace

bool Parser::parse_function(Linkage linkage, bool is_entry) {
  Function function;
  function.is_entry = is_entry;
  scopes_.assign(1, {});
  scope_ = 0;
  label_uses_.clear();
  spellings_.clear();
  call_site_of_.clear();
  location_ = {};
  inlined_at_ = {};

  if (token_.is("(")) {
    if (is_entry) return fail(token_.line, "an .entry returns nothing");
    if (!parse_parameters(function.returns)) return false;
  }
  function.ptx_line = token_.line;
  if (!expect_name("a function name", function.name)) return false;
  if (token_.is("(") && !parse_parameters(function.parameters)) return false;
  if (!parse_function_directives(function)) return false;
  function.is_declaration = !token_.is("{");
  if (function.is_declaration) {
    if (!token_.is(";")) return unexpected("';' or a function body");
  } else if (linkage.is_extern) {
    return fail(token_.line,
                "'" + std::string(function.name) + "' is .extern and cannot have a body");
  }

  for (std::size_t i = 0; i < function.returns.size(); ++i) {
    const Name name{SymbolKind::return_parameter, static_cast<std::int32_t>(i)};
    if (!function.is_declaration &&
        !declare_local(function.returns[i].name, function.ptx_line, name))
      return false;
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Name name{SymbolKind::parameter, static_cast<std::int32_t>(i)};
    if (!function.is_declaration &&
        !declare_local(function.parameters[i].name, function.ptx_line, name))
      return false;
  }

  // The name stands before the body is read, so that a function may call itself.
  std::int32_t index = -1;
  if (!merge_declaration(function, function.ptx_line, index)) return false;
  if (function.is_declaration) {
    advance();
    return true;
  }
  if (!parse_body(function) || !resolve_labels(function)) return false;
  module_.functions[static_cast<std::size_t>(index)] = std::move(function);
  return true;
}

// A function may be declared any number of times and defined once; all are one Function.
bool Parser::merge_declaration(const Function& function, std::uint32_t line, std::int32_t& index) {
  const auto known = module_names_.find(function.name);
  if (known == module_names_.end()) {
    index = static_cast<std::int32_t>(module_.functions.size());
    module_.functions.push_back(function);  // the signature; the body follows
    return declare(function.name, line, SymbolKind::function, index);
  }
  if (known->second.kind != SymbolKind::function)
    return fail(line, "'" + std::string(function.name) + "' is declared twice");
  index = known->second.id;
  Function& before = module_.functions[static_cast<std::size_t>(index)];
  const auto sizes_differ = [](const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
    return !std::equal(a.begin(), a.end(), b.begin(), b.end(),
                       [](const Parameter& x, const Parameter& y) {
                         return x.size_bytes == y.size_bytes && x.offset_bytes == y.offset_bytes;
                       });
  };
  if (before.is_entry != function.is_entry ||
      sizes_differ(before.parameters, function.parameters) ||
      sizes_differ(before.returns, function.returns))
    return fail(line, "'" + std::string(function.name) +
                          "' does not match its declaration on line " +
                          std::to_string(before.ptx_line));
  if (function.is_declaration) return true;
  if (!before.is_declaration)
    return fail(line, "'" + std::string(function.name) + "' is defined twice, first on line " +
                          std::to_string(before.ptx_line));
  before.is_declaration = false;
  return true;
}

bool Parser::parse_parameters(std::vector<Parameter>& parameters) {
  advance();  // (
  std::uint64_t offset = 0;
  if (accept(")")) return true;
  do {
    if (token_.is(".reg"))
      return fail(token_.line, ".reg parameters are not supported; .param ones are");
    if (!expect(".param")) return false;
    Parameter parameter;
    std::uint64_t align = 0;
    std::optional<Type> type;
    const std::uint32_t line = token_.line;
    for (;;) {  // `.align 8 .b8 p[32]`, `.u64 .ptr .global .align 4 p`
      if (accept(".align")) {
        std::uint64_t value = 0;
        if (!expect_count("an alignment", 1U << 16, value)) return false;
        if (!std::has_single_bit(value)) return fail(line, "an alignment must be a power of two");
        if (!type) align = value;  // after .ptr it is the alignment of what the pointer points at
      } else if (token_.kind == TokenKind::word && token_.text.front() == '.') {
        const std::string_view word = token_.text.substr(1);
        const std::optional<Type> found = type_from_name(word);
        constexpr std::array<std::string_view, 5> kPointer = {"ptr", "global", "shared", "local",
                                                              "const"};
        const bool attribute =
            type && std::find(kPointer.begin(), kPointer.end(), word) != kPointer.end();
        if (!attribute && (!found || type)) return unexpected("a parameter's type or name");
        if (!attribute) type = found;
        advance();
      } else {
        break;
      }
    }
    if (!type) return unexpected("a parameter's type");
    parameter.type = *type;
    if (size_bytes(*type) == 0)
      return fail(line, "a parameter cannot have type ." + std::string(name_of(*type)));
    if (!expect_name("a parameter name", parameter.name)) return false;
    std::vector<std::uint64_t> dimensions;
    bool unsized = false;
    if (!parse_dimensions(dimensions, unsized)) return false;
    if (unsized) return fail(line, "an unsized parameter array is not supported");
    parameter.size_bytes = size_bytes(*type);
    for (const std::uint64_t extent : dimensions) {
      if (extent > kMaxParameterBytes) return fail(line, "parameters of more than 1 MiB");
      parameter.size_bytes = std::min(parameter.size_bytes * extent, 2 * kMaxParameterBytes);
    }
    parameter.align_bytes = static_cast<std::uint32_t>(align != 0 ? align : size_bytes(*type));
    offset = round_up(offset, parameter.align_bytes);
    parameter.offset_bytes = offset;
    offset += parameter.size_bytes;
    if (offset > kMaxParameterBytes) return fail(line, "parameters of more than 1 MiB");
    parameters.push_back(parameter);
  } while (accept(","));
  return expect(")");
}

bool Parser::parse_dimensions3(std::uint32_t (&out)[3]) {
  constexpr std::uint64_t kLimit = 1U << 31;
  for (std::size_t i = 0; i < 3; ++i) {
    std::uint64_t value = 1;
    if (i == 0 || accept(",")) {
      if (!expect_count("a number of threads", kLimit, value)) return false;
    }
    out[i] = static_cast<std::uint32_t>(value);
  }
  return true;
}

bool Parser::parse_function_directives(Function& function) {
  constexpr std::uint64_t kLimit = 1U << 31;
  std::uint64_t ignored = 0;
  std::uint32_t cluster[3];
  for (;;) {
    if (accept(".maxntid")) {
      if (!parse_dimensions3(function.max_threads)) return false;
    } else if (accept(".reqntid")) {
      if (!parse_dimensions3(function.required_threads)) return false;
    } else if (accept(".minnctapersm")) {
      std::uint64_t blocks = 0;
      if (!expect_count("a number of blocks", kLimit, blocks)) return false;
      function.min_blocks_per_sm = static_cast<std::uint32_t>(blocks);
    } else if (accept(".maxnctapersm") || accept(".maxnreg") || accept(".maxclusterrank") ||
               accept(".abi_preserve") || accept(".abi_preserve_control")) {
      if (!expect_count("a number", kLimit, ignored)) return false;
    } else if (accept(".reqnctapercluster")) {
      if (!parse_dimensions3(cluster)) return false;
    } else if (accept(".pragma")) {
      if (!skip_to_semicolon()) return false;
    } else if (!accept(".noreturn") && !accept(".explicitcluster") &&
               !accept(".blocksareclusters")) {
      return true;
    }
  }
}

bool Parser::skip_to_semicolon() {
  while (!token_.is(";")) {
    if (token_.kind == TokenKind::end || token_.kind == TokenKind::bad || token_.is("{") ||
        token_.is("}"))
      return unexpected("';'");
    advance();
  }
  advance();
  return true;
}

bool Parser::parse_body(Function& function) {
  const std::uint32_t line = token_.line;
  advance();  // {
  int depth = 1;
  while (depth > 0) {
    if (token_.kind == TokenKind::end)
      return fail(line, "the body of '" + std::string(function.name) + "' has no closing '}'");
    if (token_.is("{")) {
      if (++depth > kMaxNesting) return fail(token_.line, "blocks nested too deeply");
      Scope inner;
      inner.parent = scope_;
      scope_ = static_cast<std::int32_t>(scopes_.size());
      scopes_.push_back(std::move(inner));
      advance();
    } else if (token_.is("}")) {
      --depth;
      scope_ = scopes_[static_cast<std::size_t>(scope_)].parent;
      advance();
    } else if (!parse_statement(function)) {
      return false;
    }
  }
  return true;
}

bool Parser::parse_statement(Function& function) {
  if (accept(";")) return true;
  if (token_.is("@")) return parse_instruction(function);
  if (token_.kind != TokenKind::word) return unexpected("an instruction");
  if (token_.text.front() != '.')
    return peek().is(":") ? parse_label(function) : parse_instruction(function);
  if (token_.is(".loc")) return parse_location();
  if (token_.is(".reg")) return parse_registers(function);
  if (token_.is(".local") || token_.is(".shared") || token_.is(".param") || token_.is(".global") ||
      token_.is(".const"))
    return parse_variables({}, function.variables, SymbolKind::function_variable);
  if (token_.is(".file")) return parse_file();
  if (token_.is(".section")) return skip_section();
  if (accept(".pragma")) return skip_to_semicolon();
  return unexpected("an instruction or a directive that is allowed in a function");
}

bool Parser::declare_local(std::string_view name, std::uint32_t line, Name what) {
  Scope& scope = scopes_[static_cast<std::size_t>(scope_)];
  if (scope.names.emplace(name, what).second) return true;
  return fail(line, "'" + std::string(name) + "' is declared twice");
}

bool Parser::find_local(std::string_view name, Name& found) const {
  const auto numbered = split_number(name);
  for (std::int32_t at = scope_; at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
    const Scope& scope = scopes_[static_cast<std::size_t>(at)];
    const auto exact = scope.names.find(name);
    if (exact != scope.names.end()) {
      found = exact->second;
      return true;
    }
    if (!numbered) continue;
    const auto range = scope.ranges.find(numbered->first);
    if (range != scope.ranges.end() &&
        numbered->second < static_cast<std::uint64_t>(range->second.second)) {
      found = {SymbolKind::none, range->second.first + static_cast<std::int32_t>(numbered->second)};
      return true;
    }
  }
  return false;
}

bool Parser::parse_registers(Function& function) {
  advance();  // .reg
  Declarator declarator;
  if (!parse_declarator_type(declarator)) return false;
  if (declarator.vector_width > 1)
    return fail(token_.line, "vector registers (.reg .v2) are not supported");
  do {
    const std::uint32_t line = token_.line;
    std::string_view name;
    if (!expect_name("a register name", name)) return false;
    std::uint64_t count = 1;
    const bool parametric = accept("<");
    if (parametric &&
        (!expect_count("a number of registers", kMaxRegistersPerFunction, count) || !expect(">")))
      return false;
    const std::uint64_t first = function.registers.size();
    registers_total_ += count;
    if (first + count > kMaxRegistersPerFunction || registers_total_ > kMaxRegistersPerModule)
      return fail(line, "too many registers");
    // The same name in two scopes gives two registers: the second is "t#1".
    const std::uint32_t before = spellings_[name]++;
    const std::string suffix = before == 0 ? "" : "#" + std::to_string(before);
    if (parametric) {
      Scope& scope = scopes_[static_cast<std::size_t>(scope_)];
      const std::pair range{static_cast<std::int32_t>(first), static_cast<std::int32_t>(count)};
      if (!scope.ranges.emplace(name, range).second)
        return fail(line, "'" + std::string(name) + "<>' is declared twice");
      for (std::uint64_t i = 0; i < count; ++i)
        function.registers.push_back(
            {std::string(name) + std::to_string(i) + suffix, declarator.type});
    } else {
      if (!declare_local(name, line, {SymbolKind::none, static_cast<std::int32_t>(first)}))
        return false;
      function.registers.push_back({std::string(name) + suffix, declarator.type});
    }
  } while (accept(","));
  return expect(";");
}

// `.loc file line column [, function_name label[+n], inlined_at file line column]` (PTX
// ISA 9.0, 11.5.4)
bool Parser::parse_location() {
  advance();
  constexpr std::uint64_t kLimit = 0xFFFFFFFFU;
  const auto position = [&](SourceLocation& location) {
    std::uint64_t file = 0;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    if (!expect_count("a file index", kMaxFileIndex, file) ||
        !expect_count("a line", kLimit, line) || !expect_count("a column", kLimit, column))
      return false;
    location = {static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(line),
                static_cast<std::uint32_t>(column)};
    return true;
  };
  if (!position(location_)) return false;
  inlined_at_ = {};
  SourceLocation call_site;
  while (accept(",")) {
    if (accept("function_name")) {
      std::string_view name;
      if (!expect_name("a label", name)) return false;
      std::int64_t offset = 0;
      if (token_.is("+") && !parse_offset(offset)) return false;
    } else if (accept("inlined_at")) {
      if (!position(call_site)) return false;
    } else {
      return unexpected("'function_name' or 'inlined_at'");
    }
  }
  if (call_site.line == 0) {
    call_site_of_.erase(location_key(location_));
    return true;
  }
  call_site_of_[location_key(location_)] = call_site;
  // A call site may itself be in an inlined function; an earlier .loc said so. Follow to the
  // outermost.
  for (int level = 0; level < kMaxNesting; ++level) {
    const auto outer = call_site_of_.find(location_key(call_site));
    if (outer == call_site_of_.end() || outer->second == call_site) break;
    call_site = outer->second;
  }
  inlined_at_ = call_site;
  return true;
}

bool Parser::parse_label(Function& function) {
  const std::string_view name = token_.text;
  const std::uint32_t line = token_.line;
  advance();
  advance();  // :
  if (token_.is(".branchtargets")) return parse_label_table(function, name);
  if (token_.is(".callprototype") || token_.is(".calltargets")) return parse_prototype(name);
  const auto at = static_cast<std::int32_t>(function.body.size());
  if (!scopes_[static_cast<std::size_t>(scope_)].labels.emplace(name, at).second)
    return fail(line, "the label '" + std::string(name) + "' is defined twice");
  const std::uint32_t before = spellings_[name]++;
  function.label_at.emplace_back(
      std::string(name) + (before == 0 ? "" : "#" + std::to_string(before)), at);
  return true;
}

bool Parser::parse_label_table(Function& function, std::string_view name) {
  const std::uint32_t line = token_.line;
  advance();
  const auto index = static_cast<std::int32_t>(function.branch_tables.size());
  if (!declare_local(name, line, {SymbolKind::label_table, index})) return false;
  function.branch_tables.emplace_back(name, std::vector<std::int32_t>{});
  do {
    LabelUse use;
    use.table = index;
    use.scope = scope_;
    use.line = token_.line;
    if (!expect_name("a label", use.name)) return false;
    label_uses_.push_back(use);
  } while (accept(","));
  return expect(";");
}

// The call itself carries its arguments, so what a prototype says besides is only skipped.
bool Parser::parse_prototype(std::string_view name) {
  const std::uint32_t line = token_.line;
  return declare_local(name, line, {SymbolKind::label_table, -1}) && skip_to_semicolon();
}

bool Parser::resolve_labels(Function& function) {
  for (const LabelUse& use : label_uses_) {
    std::int32_t target = -1;
    for (std::int32_t at = use.scope; at >= 0 && target < 0;) {
      const Scope& scope = scopes_[static_cast<std::size_t>(at)];
      const auto found = scope.labels.find(use.name);
      if (found != scope.labels.end()) target = found->second;
      at = scope.parent;
    }
    if (target < 0)
      return fail(use.line, "the label '" + std::string(use.name) + "' is not defined");
    if (use.table >= 0) {
      function.branch_tables[static_cast<std::size_t>(use.table)].second.push_back(target);
    } else {
      function.body[static_cast<std::size_t>(use.instruction)]
          .operands[static_cast<std::size_t>(use.operand)]
          .id = target;
    }
  }
  for (const Instruction& instruction : function.body) {
    if (instruction.root() != "brx") continue;
    for (const Operand& operand : instruction.operands)
      if (operand.symbol == SymbolKind::label_table && operand.id >= 0)
        table_branches_total_ +=
            function.branch_tables[static_cast<std::size_t>(operand.id)].second.size();
    if (table_branches_total_ > kMaxTableBranches)
      return fail(instruction.ptx_line, "branches through tables with more than a million targets");
  }
  return true;
}

}  // namespace labkit::ptx
