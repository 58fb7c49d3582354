// The recursive-descent parser behind ptx::parse. Private to this layer.
//
// Every parse function returns false after it has recorded the first error; callers return at once,
// so that one message with one line comes out. Nothing throws. Names are resolved as they are met;
// labels, which may come later, when their function ends. What the text can make us allocate is
// bounded by the constants below, not by its length alone.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace labkit::ptx {

inline constexpr std::size_t kMaxTextBytes = std::size_t{256} << 20;
inline constexpr std::uint64_t kMaxRegistersPerFunction = 1'000'000;
inline constexpr std::uint64_t kMaxRegistersPerModule = 4'000'000;
inline constexpr std::uint64_t kMaxInitialBytes = std::uint64_t{64}
                                                  << 20;  // all initialisers together
inline constexpr std::uint64_t kMaxVariableBytes = std::uint64_t{1}
                                                   << 40;  // of one variable, no initialiser
inline constexpr std::uint64_t kMaxParameterBytes = std::uint64_t{1}
                                                    << 20;  // of one function; CUDA allows 32764
inline constexpr std::uint64_t kMaxFileIndex = 65'535;
inline constexpr std::uint64_t kMaxTableBranches =
    1'000'000;  // targets of all brx together: a table may serve many
inline constexpr int kMaxNesting = 64;

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
  // ---- parse_module.cpp: tokens, directives and declarations outside function bodies
  bool fail(std::uint32_t line, std::string message);
  bool unexpected(std::string_view expected);  ///< "expected X, found Y" at the current token
  void advance();
  const Token& peek();  ///< the token after the current one
  bool accept(std::string_view spelling);
  bool expect(std::string_view spelling);
  bool expect_name(std::string_view what, std::string_view& name);
  bool expect_count(std::string_view what, std::uint64_t limit, std::uint64_t& value);

  bool parse_header();
  bool parse_module_item();
  bool parse_file();
  bool skip_section();
  bool parse_alias();
  bool resolve_aliases();
  bool check_relocations();
  bool declare(std::string_view name, std::uint32_t line, SymbolKind kind, std::int32_t id);

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
    std::uint64_t vector_width = 1;
    std::uint64_t align_bytes = 0;  ///< 0: not said
  };
  struct PendingMask {  ///< bytes of `0xFF00(symbol)` still owed to the last relocation
    std::uint64_t next_bit = 0;
    std::uint64_t next_offset = 0;
  };
  bool parse_declarator_type(Declarator& declarator);
  bool parse_dimensions(std::vector<std::uint64_t>& dimensions, bool& unsized);
  /// At the space directive (`.global`); appends one variable a name and consumes the `;`.
  bool parse_variables(Linkage linkage, std::vector<Variable>& out, SymbolKind kind);
  bool parse_initializer(Variable& variable, const Declarator& declarator,
                         const std::vector<std::uint64_t>& dimensions, bool unsized);
  bool parse_initializer_level(Variable& variable, Type type,
                               const std::vector<std::uint64_t>& extents, std::size_t level,
                               std::uint64_t offset, bool grows, PendingMask& mask);
  bool parse_initializer_element(Variable& variable, Type type, std::uint64_t offset,
                                 PendingMask& mask);
  bool parse_relocation(Relocation& relocation);
  bool grow_initial(Variable& variable, std::uint64_t size, std::uint32_t line);
  bool parse_constant(Constant& value, int minimum_precedence, int depth);
  bool parse_constant_primary(Constant& value, int depth);

  // ---- parse_function.cpp: signatures and bodies
  struct Name {
    SymbolKind kind = SymbolKind::none;  ///< none: a register
    std::int32_t id = -1;
  };
  struct Scope {
    std::int32_t parent = -1;
    std::unordered_map<std::string_view, Name> names;
    std::unordered_map<std::string_view, std::pair<std::int32_t, std::int32_t>>
        ranges;  ///< %r<28>: first, count
    std::unordered_map<std::string_view, std::int32_t> labels;
  };
  struct LabelUse {
    std::int32_t instruction = -1;  ///< or -1: entry `operand` of branch table `table`
    std::int32_t operand = 0;
    std::int32_t table = -1;
    std::int32_t scope = 0;
    std::uint32_t line = 0;
    std::string_view name;
  };
  bool parse_function(Linkage linkage, bool is_entry);
  bool parse_parameters(std::vector<Parameter>& parameters);
  bool parse_function_directives(Function& function);
  bool parse_dimensions3(std::uint32_t (&out)[3]);
  bool merge_declaration(const Function& function, std::uint32_t line, std::int32_t& index);
  bool parse_body(Function& function);
  bool parse_statement(Function& function);
  bool parse_registers(Function& function);
  bool parse_location();
  bool parse_label(Function& function);
  bool parse_label_table(Function& function, std::string_view name);
  bool parse_prototype(std::string_view name);
  bool skip_to_semicolon();
  bool resolve_labels(Function& function);
  bool declare_local(std::string_view name, std::uint32_t line, Name what);
  bool find_local(std::string_view name, Name& found) const;

  // ---- parse_instruction.cpp
  bool parse_instruction(Function& function);
  bool parse_operand(Instruction& instruction, Operand& operand, int depth);
  bool parse_operand_group(Instruction& instruction, Operand& operand, OperandKind kind,
                           std::string_view close, int depth);
  bool parse_address(Operand& operand, Instruction& instruction, int depth);
  bool parse_named(Operand& operand, Instruction& instruction);
  bool parse_immediate(Operand& operand, std::string_view spelling);
  bool parse_offset(std::int64_t& offset);
  bool resolve_name(std::string_view name, std::uint32_t line, OperandKind& kind,
                    SymbolKind& symbol, std::int32_t& id);

  Module module_;
  Lexer lexer_;
  Token token_;
  Token ahead_;
  bool has_ahead_ = false;
  ParseError error_;
  bool failed_ = false;

  std::unordered_map<std::string_view, Name> module_names_;
  std::vector<std::pair<std::int32_t, std::int32_t>>
      aliases_;  ///< function index -> function index
  std::uint64_t registers_total_ = 0;
  std::uint64_t initial_bytes_total_ = 0;
  std::uint64_t table_branches_total_ = 0;

  // Of the function being parsed.
  std::vector<Scope> scopes_;
  std::int32_t scope_ = -1;
  std::vector<LabelUse> label_uses_;
  std::unordered_map<std::string_view, std::uint32_t>
      spellings_;  ///< how often a register name was declared
  SourceLocation location_;
  SourceLocation inlined_at_;
  std::unordered_map<std::uint64_t, SourceLocation>
      call_site_of_;  ///< inlined location -> where its function was inlined
};

}  // namespace labkit::ptx
