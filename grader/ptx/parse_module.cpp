// Tokens, and the directives that stand outside function bodies.
#include <algorithm>
#include <array>

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

ParseResult Parser::run() {
  ParseResult result;
  bool good = true;
  if (module_.text->size() > kMaxTextBytes) {
    good = fail(0, "the text is longer than 256 MiB");
  } else {
    advance();
    good = parse_header();
    while (good && token_.kind != TokenKind::end) good = parse_module_item();
    good = good && resolve_aliases() && check_relocations();
  }
  if (good) {
    result.module = std::move(module_);
  } else {
    result.error = std::move(error_);
  }
  return result;
}

bool Parser::fail(std::uint32_t line, std::string message) {
  if (!failed_) error_ = {std::move(message), line};
  failed_ = true;
  return false;
}

bool Parser::unexpected(std::string_view expected) {
  return fail(token_.line, "expected " + std::string(expected) + ", found " + describe(token_));
}

void Parser::advance() {
  token_ = has_ahead_ ? ahead_ : lexer_.next();
  has_ahead_ = false;
}

const Token& Parser::peek() {
  if (!has_ahead_) ahead_ = lexer_.next();
  has_ahead_ = true;
  return ahead_;
}

bool Parser::accept(std::string_view spelling) {
  if (!token_.is(spelling)) return false;
  advance();
  return true;
}

bool Parser::expect(std::string_view spelling) {
  return accept(spelling) || unexpected("'" + std::string(spelling) + "'");
}

bool Parser::expect_name(std::string_view what, std::string_view& name) {
  if (token_.kind != TokenKind::word || token_.text.front() == '.') return unexpected(what);
  name = token_.text;
  advance();
  return true;
}

bool Parser::expect_count(std::string_view what, std::uint64_t limit, std::uint64_t& value) {
  if (token_.kind != TokenKind::integer) return unexpected(what);
  if (token_.bits > limit)
    return fail(token_.line, std::string(what) + " " + std::string(token_.text.substr(0, 24)) +
                                 " is above the limit of " + std::to_string(limit));
  value = token_.bits;
  advance();
  return true;
}

bool Parser::parse_header() {
  if (!expect(".version")) return false;
  if (token_.kind != TokenKind::float64) return unexpected("a version such as 9.0");
  module_.version = token_.text;
  advance();
  if (!expect(".target")) return false;
  std::string_view target;
  if (!expect_name("a target such as sm_90", target)) return false;
  module_.target = target;
  while (accept(",")) {  // `debug`, `texmode_independent`: nothing that changes what the code means
    std::string_view option;
    if (!expect_name("a target option", option)) return false;
  }
  if (!accept(".address_size")) return true;
  const std::uint32_t line = token_.line;
  std::uint64_t bits = 0;
  if (!expect_count("an address size", 64, bits)) return false;
  if (bits != 64) return fail(line, "only .address_size 64 is supported");
  return true;
}

bool Parser::parse_module_item() {
  if (accept(";")) return true;
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
  constexpr std::array<std::string_view, 3> kSpaces = {".global", ".const", ".shared"};
  if (std::any_of(kSpaces.begin(), kSpaces.end(), [&](auto space) { return token_.is(space); }))
    return parse_variables(linkage, module_.variables, SymbolKind::module_variable);
  constexpr std::array<std::string_view, 4> kTextures = {".tex", ".texref", ".samplerref",
                                                         ".surfref"};
  if (std::any_of(kTextures.begin(), kTextures.end(), [&](auto word) { return token_.is(word); }))
    return fail(token_.line,
                "textures and surfaces (" + std::string(token_.text) + ") are not supported");
  return unexpected("a directive such as .global, .func or .entry");
}

bool Parser::parse_file() {
  advance();
  std::uint64_t index = 0;
  if (!expect_count("a file index", kMaxFileIndex, index)) return false;
  if (token_.kind != TokenKind::string) return unexpected("a file name in quotes");
  if (module_.files.size() <= index) module_.files.resize(index + 1);
  module_.files[index] = token_.text;
  advance();
  while (accept(",")) {  // time stamp and size
    if (token_.kind != TokenKind::integer) return unexpected("a number");
    advance();
  }
  return true;
}

// Debug information (DWARF as data): nothing here is needed to run the code.
bool Parser::skip_section() {
  const std::uint32_t line = token_.line;
  advance();
  if (token_.kind != TokenKind::word) return unexpected("a section name");
  advance();
  if (!expect("{")) return false;
  int depth = 1;
  while (depth > 0) {
    if (token_.kind == TokenKind::end) return fail(line, "this .section has no closing '}'");
    if (token_.is("{")) ++depth;
    if (token_.is("}")) --depth;
    advance();
  }
  return true;
}

bool Parser::declare(std::string_view name, std::uint32_t line, SymbolKind kind, std::int32_t id) {
  if (module_names_.emplace(name, Name{kind, id}).second) return true;
  return fail(line, "'" + std::string(name) + "' is declared twice");
}

bool Parser::parse_alias() {
  advance();
  std::array<std::int32_t, 2> ids{};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0 && !expect(",")) return false;
    const std::uint32_t line = token_.line;
    std::string_view name;
    if (!expect_name("a function name", name)) return false;
    const auto found = module_names_.find(name);
    if (found == module_names_.end() || found->second.kind != SymbolKind::function)
      return fail(line, "'" + std::string(name) + "' is not a declared function");
    ids.at(i) = found->second.id;
  }
  aliases_.emplace_back(ids[0], ids[1]);
  return expect(";");
}

// A call of an alias becomes a call of what it stands for, so that nobody behind the parser meets
// aliases.
bool Parser::resolve_aliases() {
  if (aliases_.empty()) return true;
  std::unordered_map<std::int32_t, std::int32_t> target_of;
  for (const auto& [alias, target] : aliases_) {
    const Function& function = module_.functions[static_cast<std::size_t>(alias)];
    if (!function.is_declaration || alias == target || !target_of.emplace(alias, target).second)
      return fail(function.ptx_line, "'" + std::string(function.name) +
                                         "' cannot be an alias: it has a body or another target");
  }
  for (const auto& [alias, target] : aliases_) {
    if (!target_of.contains(target)) continue;
    return fail(module_.functions[static_cast<std::size_t>(alias)].ptx_line,
                "an alias of an alias is not allowed");
  }
  for (Function& function : module_.functions) {
    for (Instruction& instruction : function.body) {
      for (Operand& operand : instruction.operands) {
        if (operand.symbol != SymbolKind::function) continue;
        const auto found = target_of.find(operand.id);
        if (found != target_of.end()) operand.id = found->second;
      }
    }
  }
  for (Variable& variable : module_.variables) {
    for (Relocation& relocation : variable.relocations) {
      const auto name = module_names_.find(relocation.symbol);
      if (name == module_names_.end() || name->second.kind != SymbolKind::function) continue;
      const auto found = target_of.find(name->second.id);
      if (found != target_of.end())
        relocation.symbol = module_.functions[static_cast<std::size_t>(found->second)].name;
    }
  }
  return true;
}

bool Parser::check_relocations() {
  const auto check = [&](const std::vector<Variable>& variables) {
    for (const Variable& variable : variables)
      for (const Relocation& relocation : variable.relocations)
        if (!module_names_.contains(relocation.symbol))
          return fail(variable.ptx_line, "the initialiser of '" + std::string(variable.name) +
                                             "' names '" + std::string(relocation.symbol) +
                                             "', which is not declared");
    return true;
  };
  return check(module_.variables) &&
         std::all_of(module_.functions.begin(), module_.functions.end(),
                     [&](const Function& function) { return check(function.variables); });
}

}  // namespace labkit::ptx
