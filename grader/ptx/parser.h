// The recursive-descent parser behind ptx::parse. Private to this layer.
//
// The first error is thrown as a ParseError, which run() alone catches: nothing leaves parse().
// Names are resolved as they are met; labels, which may come later, when their function ends. What
// the text can make us allocate is bounded by the constants below, not by its length alone.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace labkit::ptx {

inline constexpr std::size_t kMaxTextBytes = 256u << 20;
inline constexpr std::uint64_t kMaxRegistersPerFunction = 1'000'000;
inline constexpr std::uint64_t kMaxRegistersPerModule = 4'000'000;
inline constexpr std::uint64_t kMaxInitialBytes = 64u << 20;    // all initialisers together
inline constexpr std::uint64_t kMaxVariableBytes = 1ull << 40;  // of one, without initialiser
inline constexpr std::uint64_t kMaxParameterBytes = 1u << 20;   // of a function; CUDA allows 32764
inline constexpr std::uint32_t kMaxFileIndex = 65'535;
/// Targets of all brx together: a table may serve many.
inline constexpr std::uint64_t kMaxTableBranches = 1'000'000;
inline constexpr int kMaxNesting = 64;

/// As messages have it.
inline std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

enum class TokenKind : std::uint8_t {
  end,
  bad,          ///< a character or literal that PTX has not; `text` is it
  word,         ///< identifier, opcode or directive
  integer,      ///< bits; is_unsigned for a U suffix or a value above INT64_MAX
  float32,      ///< 0f3F800000; bits = IEEE single
  float64,      ///< 0d3FF0000000000000 or 1.5; bits = IEEE double
  string,       ///< text without the quotes
  punctuation,  ///< one or two characters, see `is`
};

/// PTX tokens, made on demand. Words keep their dots (`ld.global.v4.f32`, `%tid.x`, `shared::cta`),
/// but a word that begins with a dot ends before the next one, so that `.reg.pred` is two. Source:
/// PTX ISA 9.0, chapter 4.
struct Token {
  TokenKind kind = TokenKind::end;
  bool is_unsigned = false;
  std::uint32_t line = 1;
  std::uint64_t bits = 0;
  std::string_view text;

  bool is(std::string_view spelling) const {
    return (kind == TokenKind::word || kind == TokenKind::punctuation) && text == spelling;
  }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  /// The next token; after the last one, `end` for ever.
  Token next();

 private:
  void skip_blanks_and_comments();
  Token number();
  Token word();
  char at(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
};

class Parser {
 public:
  explicit Parser(std::string text);
  ParseResult run();

 private:
  struct Name {
    SymbolKind kind = SymbolKind::none;  ///< none: a register
    std::int32_t id = -1;
  };

  // ---- parse_module.cpp: tokens, directives and declarations outside function bodies
  [[noreturn]] static void fail(std::uint32_t line, std::string message);
  [[noreturn]] void unexpected(std::string_view expected) const;  ///< "..., found" this token
  void advance();
  const Token& peek();  ///< the token after the current one
  bool accept(std::string_view spelling);
  void expect(std::string_view spelling);
  std::string_view expect_name(std::string_view what);
  std::uint32_t expect_count(std::string_view what, std::uint32_t limit);
  std::uint32_t expect_alignment();

  void parse_header();
  void parse_module_item();
  void parse_file();
  void skip_section();
  void parse_alias();
  void resolve_aliases();
  void check_relocations(const std::vector<Variable>& variables) const;
  void declare(std::string_view name, std::uint32_t line, Name what);

  // ---- parse_variable.cpp: variables, initialisers, constant expressions
  struct Linkage {
    bool is_extern = false;
    bool is_visible = false;
  };
  struct Constant {
    bool is_unsigned = false;
    std::uint64_t bits = 0;
  };
  struct Declarator {
    Type type = Type::none;
    std::uint32_t vector_width = 1;
    std::uint32_t align_bytes = 0;  ///< 0: not said
    bool is_managed = false;
  };
  struct Dimensions {
    std::vector<std::uint64_t> extents;
    bool unsized = false;  ///< the first is []
  };
  struct PendingMask {  ///< bytes of `0xFF00(symbol)` still owed to the last relocation
    std::uint64_t next_bit = 0;
    std::uint64_t next_offset = 0;
  };
  Declarator parse_declarator_type();
  Dimensions parse_dimensions();
  /// At the space directive (`.global`); appends one variable a name and consumes the `;`.
  void parse_variables(Linkage linkage, std::vector<Variable>& out, SymbolKind kind);
  void parse_initializer(Variable& variable, const Declarator& declarator,
                         const Dimensions& dimensions);
  void parse_initializer_level(Variable& variable, const std::vector<std::uint64_t>& extents,
                               std::size_t level, std::uint64_t offset, bool grows,
                               PendingMask& mask);
  void parse_initializer_element(Variable& variable, std::uint64_t offset, PendingMask& mask);
  Relocation parse_relocation(std::uint64_t offset_bytes);
  void grow_initial(Variable& variable, std::uint64_t size, std::uint32_t line);
  Constant parse_constant(int minimum_precedence = 0, int depth = 0);
  Constant parse_constant_primary(int depth);
  std::uint64_t parse_offset();  ///< `+4`, `-4`, or nothing

  // ---- parse_function.cpp: signatures and bodies
  struct Scope {
    std::int32_t parent = -1;
    std::unordered_map<std::string_view, Name> names = {};
    struct Range {
      std::int32_t first = 0, count = 0;
    };
    std::unordered_map<std::string_view, Range> ranges = {};  ///< of `%r<28>`
    std::unordered_map<std::string_view, std::int32_t> labels = {};
  };
  struct LabelUse {
    std::string_view name;
    std::uint32_t line = 0;
    std::int32_t scope = 0;
    std::int32_t instruction = -1;  ///< or -1: an entry of branch table `table`
    std::size_t operand = 0;
    std::int32_t table = -1;
  };
  void parse_function(Linkage linkage, bool is_entry);
  std::vector<Parameter> parse_parameters();
  void parse_function_directives(Function& function);
  void parse_dimensions3(std::uint32_t (&out)[3]);
  std::int32_t merge_declaration(const Function& function);
  void parse_body(Function& function);
  void parse_statement(Function& function);
  void parse_registers(Function& function);
  void parse_location();
  SourceLocation parse_position();
  void parse_label(Function& function);
  void parse_label_table(Function& function, std::string_view name);
  void skip_to_semicolon();
  void resolve_labels(Function& function);
  /// The same name in two scopes gives two registers or labels: the second is "t#1".
  std::string next_suffix(std::string_view name);
  void declare_local(std::string_view name, std::uint32_t line, Name what);
  std::optional<Name> find_local(std::string_view name) const;

  // ---- parse_instruction.cpp
  void parse_instruction(Function& function);
  Operand parse_operand(const Instruction& instruction, int depth = 0);
  Operand parse_operand_group(const Instruction& instruction, OperandKind kind,
                              std::string_view close, int depth);
  Operand parse_address(const Instruction& instruction, int depth);
  Operand parse_named(const Instruction& instruction);
  Operand parse_immediate(std::string_view spelling);
  /// Fills in `symbol` and `id`; the kind of operand that the name is.
  OperandKind resolve_name(Operand& operand, std::uint32_t line) const;

  Module module_;
  Lexer lexer_;
  Token token_;
  std::optional<Token> ahead_;

  std::unordered_map<std::string_view, Name> module_names_;
  /// Function index -> function index.
  std::vector<std::pair<std::int32_t, std::int32_t>> aliases_;
  std::uint64_t registers_total_ = 0;
  std::uint64_t initial_bytes_total_ = 0;
  std::uint64_t table_branches_total_ = 0;

  // Of the function being parsed.
  std::vector<Scope> scopes_;
  std::int32_t scope_ = -1;
  std::vector<LabelUse> label_uses_;
  /// How often a name of a register or label was declared.
  std::unordered_map<std::string_view, std::uint32_t> spellings_;
  SourceLocation location_;
  SourceLocation inlined_at_;
  std::uint32_t header_ = 0;
  /// Inlined location -> where its function was inlined.
  std::unordered_map<std::uint64_t, SourceLocation> call_site_of_;
};

}  // namespace labkit::ptx
