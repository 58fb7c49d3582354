// Tokens, and the directives that stand outside function bodies.
#include <bit>

#include "ptx/parser.h"

namespace labkit::ptx {
namespace {

std::string describe(const Token& token) {
  constexpr std::size_t kShown = 40;
  if (token.kind == TokenKind::end) return "the end of the text";
  std::string shown;
  for (const char c : token.text.substr(0, kShown)) {
    const bool printable = c >= ' ' && c <= '~';
    shown += printable ? c : '?';
  }
  return "'" + shown + (token.text.size() > kShown ? "...'" : "'");
}

}  // namespace

ParseResult parse(std::string text) { return Parser(std::move(text)).run(); }

Parser::Parser(std::string text) : lexer_({}) {
  module_.text = std::make_unique<const std::string>(std::move(text));
  lexer_ = Lexer(*module_.text);
}

ParseResult Parser::run() try {
  if (module_.text->size() > kMaxTextBytes) fail(0, "the text is longer than 256 MiB");
  advance();
  parse_header();
  while (token_.kind != TokenKind::end) parse_module_item();
  resolve_aliases();
  check_relocations(module_.variables);
  for (const Function& function : module_.functions) check_relocations(function.variables);
  return {std::move(module_), {}};
} catch (ParseError& error) {
  return {std::nullopt, std::move(error)};
}

void Parser::fail(std::uint32_t line, std::string message) {
  throw ParseError{std::move(message), line};
}

void Parser::unexpected(std::string_view expected) const {
  fail(token_.line, "expected " + std::string(expected) + ", found " + describe(token_));
}

void Parser::advance() {
  token_ = ahead_ ? *ahead_ : lexer_.next();
  ahead_.reset();
}

const Token& Parser::peek() {
  if (!ahead_) ahead_ = lexer_.next();
  return *ahead_;
}

bool Parser::accept(std::string_view spelling) {
  if (!token_.is(spelling)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view spelling) {
  if (!accept(spelling)) unexpected(quoted(spelling));
}

std::string_view Parser::expect_name(std::string_view what) {
  if (token_.kind != TokenKind::word || token_.text.front() == '.') unexpected(what);
  const std::string_view name = token_.text;
  advance();
  return name;
}

std::uint32_t Parser::expect_count(std::string_view what, std::uint32_t limit) {
  if (token_.kind != TokenKind::integer) unexpected(what);
  if (token_.bits > limit)
    fail(token_.line, std::string(what) + " " + std::string(token_.text.substr(0, 24)) +
                          " is above the limit of " + std::to_string(limit));
  const auto value = static_cast<std::uint32_t>(token_.bits);
  advance();
  return value;
}

std::uint32_t Parser::expect_alignment() {
  const std::uint32_t line = token_.line;
  const std::uint32_t bytes = expect_count("an alignment", 1u << 16);
  if (!std::has_single_bit(bytes)) fail(line, "an alignment must be a power of two");
  return bytes;
}

void Parser::parse_header() {
  expect(".version");
  if (token_.kind != TokenKind::float64) unexpected("a version such as 9.0");
  module_.version = token_.text;
  advance();
  expect(".target");
  module_.target = expect_name("a target such as sm_90");
  // `debug`, `texmode_independent`: nothing that changes what the code means
  while (accept(",")) module_.is_debug |= expect_name("a target option") == "debug";
  if (!accept(".address_size")) return;
  const std::uint32_t line = token_.line;
  if (expect_count("an address size", 64) != 64) fail(line, "only .address_size 64 is supported");
}

void Parser::parse_module_item() {
  if (accept(";")) return;
  if (token_.is(".file")) return parse_file();
  if (token_.is(".section")) return skip_section();
  if (token_.is(".alias")) return parse_alias();
  if (accept(".pragma")) return skip_to_semicolon();

  Linkage linkage;
  for (;;) {
    if (accept(".visible") || accept(".weak") || accept(".common")) {
      linkage.is_visible = true;
    } else if (accept(".extern")) {
      linkage.is_extern = true;
    } else {
      break;
    }
  }
  if (accept(".entry")) return parse_function(linkage, true);
  if (accept(".func")) return parse_function(linkage, false);
  const auto is_any = [&](const auto&... words) { return (token_.is(words) || ...); };
  if (is_any(".global", ".const", ".shared"))
    return parse_variables(linkage, module_.variables, SymbolKind::module_variable);
  if (is_any(".tex", ".texref", ".samplerref", ".surfref"))
    fail(token_.line, "textures and surfaces (" + std::string(token_.text) + ") are not supported");
  unexpected("a directive such as .global, .func or .entry");
}

void Parser::parse_file() {
  advance();
  const std::size_t index = expect_count("a file index", kMaxFileIndex);
  if (token_.kind != TokenKind::string) unexpected("a file name in quotes");
  if (module_.files.size() <= index) module_.files.resize(index + 1);
  module_.files[index] = token_.text;
  advance();
  while (accept(",")) {  // time stamp and size
    if (token_.kind != TokenKind::integer) unexpected("a number");
    advance();
  }
}

// Debug information (DWARF as data): nothing here is needed to run the code.
void Parser::skip_section() {
  const std::uint32_t line = token_.line;
  advance();
  if (token_.kind != TokenKind::word) unexpected("a section name");
  advance();
  expect("{");
  for (int depth = 1; depth > 0; advance()) {
    if (token_.kind == TokenKind::end) fail(line, "this .section has no closing '}'");
    if (token_.is("{")) ++depth;
    if (token_.is("}")) --depth;
  }
}

void Parser::declare(std::string_view name, std::uint32_t line, Name what) {
  if (!module_names_.emplace(name, what).second) fail(line, quoted(name) + " is declared twice");
}

void Parser::parse_alias() {
  advance();
  const auto function = [&] {
    const std::uint32_t line = token_.line;
    const std::string_view name = expect_name("a function name");
    const auto found = module_names_.find(name);
    if (found == module_names_.end() || found->second.kind != SymbolKind::function)
      fail(line, quoted(name) + " is not a declared function");
    return found->second.id;
  };
  const std::int32_t alias = function();
  expect(",");
  aliases_.emplace_back(alias, function());
  expect(";");
}

// A call of an alias becomes a call of what it stands for, so that nobody behind the parser meets
// aliases.
void Parser::resolve_aliases() {
  std::unordered_map<std::int32_t, std::int32_t> target_of;
  for (const auto& [alias, target] : aliases_) {
    const Function& function = module_.functions[alias];
    if (!function.is_declaration || alias == target || !target_of.emplace(alias, target).second)
      fail(function.ptx_line,
           quoted(function.name) + " cannot be an alias: it has a body or another target");
  }
  if (aliases_.empty()) return;
  for (const auto& [alias, target] : aliases_)
    if (target_of.contains(target))
      fail(module_.functions[alias].ptx_line, "an alias of an alias is not allowed");
  for (Function& function : module_.functions)
    for (Instruction& instruction : function.body)
      for (Operand& operand : instruction.operands)
        if (operand.symbol == SymbolKind::function && target_of.contains(operand.id))
          operand.id = target_of[operand.id];
  for (Variable& variable : module_.variables)
    for (Relocation& relocation : variable.relocations) {
      const auto name = module_names_.find(relocation.symbol);
      if (name != module_names_.end() && name->second.kind == SymbolKind::function &&
          target_of.contains(name->second.id))
        relocation.symbol = module_.functions[target_of[name->second.id]].name;
    }
}

void Parser::check_relocations(const std::vector<Variable>& variables) const {
  for (const Variable& variable : variables)
    for (const Relocation& relocation : variable.relocations)
      if (!module_names_.contains(relocation.symbol))
        fail(variable.ptx_line, "the initialiser of " + quoted(variable.name) + " names " +
                                    quoted(relocation.symbol) + ", which is not declared");
}

}  // namespace labkit::ptx
