// Signatures, bodies and their directives; scopes and labels.
#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

std::uint64_t location_key(const SourceLocation& location) {
  // file <= 16 bits by kMaxFileIndex; lines above 2^32 do not occur, columns are cut.
  return (std::uint64_t{location.file} << 48) ^ (std::uint64_t{location.line} << 16) ^
         (location.column & 0xFFFFU);
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// Of threads and the like.
constexpr std::uint32_t kMaxCount = 1u << 31;

/// "%r12" -> "%r" and 12; nullopt if the name does not end in a number without leading zeros.
std::optional<std::pair<std::string_view, std::int32_t>> split_number(std::string_view name) {
  const std::size_t first = name.find_last_not_of("0123456789") + 1;
  const std::string_view digits = name.substr(first);
  if (first == 0 || digits.empty() || digits.size() > 9 ||
      (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  std::int32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return std::pair{name.substr(0, first), value};
}

}  // namespace

void Parser::parse_function(Linkage linkage, bool is_entry) {
  Function function;
  function.is_entry = is_entry;
  scopes_.assign(1, {});
  scope_ = 0;
  label_uses_.clear();
  spellings_.clear();
  call_site_of_.clear();
  location_ = {};
  inlined_at_ = {};
  header_ = 0;

  if (token_.is("(")) {
    if (is_entry) fail(token_.line, "an .entry returns nothing");
    function.returns = parse_parameters();
  }
  function.ptx_line = token_.line;
  function.name = expect_name("a function name");
  if (token_.is("(")) function.parameters = parse_parameters();
  parse_function_directives(function);
  function.is_declaration = !token_.is("{");
  // The name stands before the body is read, so that a function may call itself.
  if (function.is_declaration) {
    if (!token_.is(";")) unexpected("';' or a function body");
    merge_declaration(function);
    return advance();
  }
  if (linkage.is_extern)
    fail(token_.line, quoted(function.name) + " is .extern and cannot have a body");
  const auto declare_all = [&](const std::vector<Parameter>& parameters, SymbolKind kind) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      declare_local(parameters[i].name, function.ptx_line, {kind, static_cast<std::int32_t>(i)});
  };
  declare_all(function.returns, SymbolKind::return_parameter);
  declare_all(function.parameters, SymbolKind::parameter);
  const std::int32_t index = merge_declaration(function);
  parse_body(function);
  resolve_labels(function);
  module_.functions[index] = std::move(function);
}

// A function may be declared any number of times and defined once; all are one Function.
std::int32_t Parser::merge_declaration(const Function& function) {
  const std::uint32_t line = function.ptx_line;
  const auto known = module_names_.find(function.name);
  if (known == module_names_.end()) {
    const auto index = static_cast<std::int32_t>(module_.functions.size());
    module_.functions.push_back(function);  // the signature; the body follows
    declare(function.name, line, {SymbolKind::function, index});
    return index;
  }
  if (known->second.kind != SymbolKind::function)
    fail(line, quoted(function.name) + " is declared twice");
  Function& before = module_.functions[known->second.id];
  const auto are_same = [](const std::vector<Parameter>& a, const std::vector<Parameter>& b) {
    return std::ranges::equal(a, b, [](const Parameter& x, const Parameter& y) {
      return x.size_bytes == y.size_bytes && x.offset_bytes == y.offset_bytes;
    });
  };
  const std::string where = "line " + std::to_string(before.ptx_line);
  if (before.is_entry != function.is_entry || !are_same(before.parameters, function.parameters) ||
      !are_same(before.returns, function.returns))
    fail(line, quoted(function.name) + " does not match its declaration on " + where);
  if (!function.is_declaration && !before.is_declaration)
    fail(line, quoted(function.name) + " is defined twice, first on " + where);
  before.is_declaration = before.is_declaration && function.is_declaration;
  return known->second.id;
}

std::vector<Parameter> Parser::parse_parameters() {
  std::vector<Parameter> parameters;
  advance();  // (
  std::uint64_t offset = 0;
  if (accept(")")) return parameters;
  do {
    if (token_.is(".reg")) fail(token_.line, ".reg parameters are not supported; .param ones are");
    expect(".param");
    Parameter parameter;
    std::uint32_t align = 0;
    std::optional<Type> type;
    const std::uint32_t line = token_.line;
    for (;;) {  // `.align 8 .b8 p[32]`, `.u64 .ptr .global .align 4 p`
      if (accept(".align")) {
        const std::uint32_t value = expect_alignment();
        if (!type) align = value;  // after .ptr it is the alignment of what the pointer points at
        continue;
      }
      if (token_.kind != TokenKind::word || token_.text.front() != '.') break;
      const std::string_view word = token_.text.substr(1);
      constexpr std::string_view kPointer[] = {"ptr", "global", "shared", "local", "const"};
      if (!type || std::ranges::count(kPointer, word) == 0) {
        if (type || !type_from_name(word)) unexpected("a parameter's type or name");
        type = type_from_name(word);
      }
      advance();
    }
    if (!type) unexpected("a parameter's type");
    parameter.type = *type;
    parameter.size_bytes = size_bytes(*type);
    if (parameter.size_bytes == 0)
      fail(line, "a parameter cannot have type ." + std::string(name_of(*type)));
    parameter.align_bytes = align != 0 ? align : size_bytes(*type);
    parameter.name = expect_name("a parameter name");
    const Dimensions dimensions = parse_dimensions();
    if (dimensions.unsized) fail(line, "an unsized parameter array is not supported");
    const auto check = [&](std::uint64_t size) {
      if (size > kMaxParameterBytes) fail(line, "parameters of more than 1 MiB");
    };
    for (const std::uint64_t extent : dimensions.extents) {
      check(extent);
      parameter.size_bytes = std::min(parameter.size_bytes * extent, 2 * kMaxParameterBytes);
    }
    parameter.offset_bytes = round_up(offset, parameter.align_bytes);
    offset = parameter.offset_bytes + parameter.size_bytes;
    check(offset);
    parameters.push_back(parameter);
  } while (accept(","));
  expect(")");
  return parameters;
}

void Parser::parse_dimensions3(std::uint32_t (&out)[3]) {
  out[0] = expect_count("a number of threads", kMaxCount);
  for (const int i : {1, 2})
    out[i] = accept(",") ? expect_count("a number of threads", kMaxCount) : 1;
}

void Parser::parse_function_directives(Function& function) {
  for (;;) {
    if (accept(".maxntid")) {
      parse_dimensions3(function.max_threads);
    } else if (accept(".reqntid")) {
      parse_dimensions3(function.required_threads);
    } else if (accept(".minnctapersm")) {
      function.min_blocks_per_sm = expect_count("a number of blocks", kMaxCount);
    } else if (accept(".maxnctapersm") || accept(".maxnreg") || accept(".maxclusterrank") ||
               accept(".abi_preserve") || accept(".abi_preserve_control")) {
      expect_count("a number", kMaxCount);
    } else if (accept(".reqnctapercluster")) {
      parse_dimensions3(function.cluster_blocks);
    } else if (accept(".pragma")) {
      skip_to_semicolon();
    } else if (!accept(".noreturn") && !accept(".explicitcluster") &&
               !accept(".blocksareclusters")) {
      return;
    }
  }
}

void Parser::skip_to_semicolon() {
  while (!accept(";")) {
    if (token_.kind == TokenKind::end || token_.kind == TokenKind::bad || token_.is("{") ||
        token_.is("}"))
      unexpected("';'");
    advance();
  }
}

void Parser::parse_body(Function& function) {
  const std::uint32_t line = token_.line;
  advance();  // {
  int depth = 1;
  while (depth > 0) {
    if (token_.kind == TokenKind::end)
      fail(line, "the body of " + quoted(function.name) + " has no closing '}'");
    if (token_.is("{")) {
      if (++depth > kMaxNesting) fail(token_.line, "blocks nested too deeply");
      scopes_.push_back({.parent = scope_});
      scope_ = static_cast<std::int32_t>(scopes_.size()) - 1;
      advance();
    } else if (accept("}")) {
      --depth;
      scope_ = scopes_[scope_].parent;
    } else {
      parse_statement(function);
    }
  }
}

void Parser::parse_statement(Function& function) {
  if (accept(";")) return;
  if (token_.is("@")) return parse_instruction(function);
  if (token_.kind != TokenKind::word) unexpected("an instruction");
  if (token_.text.front() != '.')
    return peek().is(":") ? parse_label(function) : parse_instruction(function);
  if (token_.is(".loc")) return parse_location();
  if (token_.is(".reg")) return parse_registers(function);
  if (token_.is(".local") || token_.is(".shared") || token_.is(".param") || token_.is(".global") ||
      token_.is(".const"))
    return parse_variables({}, function.variables, SymbolKind::function_variable);
  if (token_.is(".file")) return parse_file();
  if (token_.is(".section")) return skip_section();
  if (accept(".pragma")) {
    if (token_.kind == TokenKind::string && token_.text == "nounroll")
      function.not_unrolled.push_back(static_cast<std::int32_t>(function.body.size()));
    return skip_to_semicolon();
  }
  unexpected("an instruction or a directive that is allowed in a function");
}

void Parser::declare_local(std::string_view name, std::uint32_t line, Name what) {
  if (!scopes_[scope_].names.emplace(name, what).second)
    fail(line, quoted(name) + " is declared twice");
}

std::optional<Parser::Name> Parser::find_local(std::string_view name) const {
  const auto numbered = split_number(name);
  for (std::int32_t at = scope_; at >= 0; at = scopes_[at].parent) {
    const Scope& scope = scopes_[at];
    if (const auto exact = scope.names.find(name); exact != scope.names.end()) return exact->second;
    if (!numbered) continue;
    const auto& [stem, number] = *numbered;
    const auto range = scope.ranges.find(stem);
    if (range != scope.ranges.end() && number < range->second.count)
      return Name{SymbolKind::none, range->second.first + number};
  }
  return std::nullopt;
}

std::string Parser::next_suffix(std::string_view name) {
  const std::uint32_t before = spellings_[name]++;
  return before == 0 ? "" : "#" + std::to_string(before);
}

void Parser::parse_registers(Function& function) {
  advance();  // .reg
  const Declarator declarator = parse_declarator_type();
  if (declarator.vector_width > 1)
    fail(token_.line, "vector registers (.reg .v2) are not supported");
  do {
    const std::uint32_t line = token_.line;
    const std::string_view name = expect_name("a register name");
    std::uint32_t count = 1;
    const bool parametric = accept("<");
    if (parametric) {
      count = expect_count("a number of registers", kMaxRegistersPerFunction);
      expect(">");
    }
    const auto first = static_cast<std::int32_t>(function.registers.size());
    registers_total_ += count;
    if (first + count > kMaxRegistersPerFunction || registers_total_ > kMaxRegistersPerModule)
      fail(line, "too many registers");
    const std::string suffix = next_suffix(name);
    if (parametric) {
      const Scope::Range range{first, static_cast<std::int32_t>(count)};
      if (!scopes_[scope_].ranges.emplace(name, range).second)
        fail(line, "'" + std::string(name) + "<>' is declared twice");
    } else {
      declare_local(name, line, {SymbolKind::none, first});
    }
    for (std::uint32_t i = 0; i < count; ++i)
      function.registers.push_back(
          {std::string(name) + (parametric ? std::to_string(i) : "") + suffix, declarator.type});
  } while (accept(","));
  expect(";");
}

SourceLocation Parser::parse_position() {
  constexpr std::uint32_t kLimit = std::numeric_limits<std::uint32_t>::max();
  SourceLocation location;
  location.file = expect_count("a file index", kMaxFileIndex);
  location.line = expect_count("a line", kLimit);
  location.column = expect_count("a column", kLimit);
  return location;
}

// `.loc file line column [, function_name label[+n], inlined_at file line column]` (PTX
// ISA 9.0, 11.5.4)
void Parser::parse_location() {
  advance();
  location_ = parse_position();
  inlined_at_ = {};
  header_ = 0;
  SourceLocation call_site;
  while (accept(",")) {
    if (accept("function_name")) {
      expect_name("a label");
      if (token_.is("+")) parse_offset();
    } else if (accept("inlined_at")) {
      call_site = parse_position();
    } else {
      unexpected("'function_name' or 'inlined_at'");
    }
  }
  if (call_site.line == 0) {
    call_site_of_.erase(location_key(location_));
    return;
  }
  call_site_of_[location_key(location_)] = call_site;
  // A call site may itself be in an inlined function; an earlier .loc said so. Follow to the
  // outermost, past the innermost call in each file.
  std::vector<SourceLocation> calls = {call_site};
  for (int level = 0; level < kMaxNesting; ++level) {
    const auto outer = call_site_of_.find(location_key(calls.back()));
    if (outer == call_site_of_.end() || outer->second == calls.back()) break;
    calls.push_back(outer->second);
  }
  inlined_at_ = calls.back();
  if (location_.file == inlined_at_.file) return;
  header_ = location_.file;
  // in a header, which a function of the kernel's file may have called
  const auto call = std::ranges::find(calls, inlined_at_.file, &SourceLocation::file);
  if (call != std::prev(calls.end())) location_ = *call;
}

void Parser::parse_label(Function& function) {
  const std::string_view name = token_.text;
  const std::uint32_t line = token_.line;
  advance();
  advance();  // :
  if (token_.is(".branchtargets")) return parse_label_table(function, name);
  if (token_.is(".callprototype") || token_.is(".calltargets")) {
    // The call itself carries its arguments, so what a prototype says besides is only skipped.
    declare_local(name, token_.line, {SymbolKind::label_table, -1});
    return skip_to_semicolon();
  }
  const auto at = static_cast<std::int32_t>(function.body.size());
  if (!scopes_[scope_].labels.emplace(name, at).second)
    fail(line, "the label " + quoted(name) + " is defined twice");
  function.label_at.emplace_back(std::string(name) + next_suffix(name), at);
}

void Parser::parse_label_table(Function& function, std::string_view name) {
  const auto index = static_cast<std::int32_t>(function.branch_tables.size());
  declare_local(name, token_.line, {SymbolKind::label_table, index});
  function.branch_tables.emplace_back(name, std::vector<std::int32_t>{});
  advance();
  do {
    const std::uint32_t line = token_.line;
    label_uses_.push_back(
        {.name = expect_name("a label"), .line = line, .scope = scope_, .table = index});
  } while (accept(","));
  expect(";");
}

void Parser::resolve_labels(Function& function) {
  for (const LabelUse& use : label_uses_) {
    std::int32_t target = -1;
    for (std::int32_t at = use.scope; at >= 0 && target < 0; at = scopes_[at].parent)
      if (const auto found = scopes_[at].labels.find(use.name); found != scopes_[at].labels.end())
        target = found->second;
    if (target < 0) fail(use.line, "the label " + quoted(use.name) + " is not defined");
    if (use.table >= 0)
      function.branch_tables[use.table].second.push_back(target);
    else
      function.body[use.instruction].operands[use.operand].id = target;
  }
  for (const Instruction& instruction : function.body) {
    if (instruction.root() != "brx") continue;
    for (const Operand& operand : instruction.operands)
      if (operand.symbol == SymbolKind::label_table && operand.id >= 0)
        table_branches_total_ += function.branch_tables[operand.id].second.size();
    if (table_branches_total_ > kMaxTableBranches)
      fail(instruction.ptx_line, "branches through tables with more than a million targets");
  }
}

}  // namespace labkit::ptx
