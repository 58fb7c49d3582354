// A PTX module as data: what the text says, names resolved, nothing interpreted.
//
// The parser is syntactic. It knows directives, declarations, scopes, operands and `.loc`, but not
// which opcodes exist: an instruction keeps its opcode as spelled, split at the dots (`ld`,
// `global`, `nc`, `v4`, `f32`). What each means is decided in one place, the instruction table of
// `simt/`; what is not in that table is refused there by name and line. Source of the grammar: PTX
// ISA 7.8 to 9.0, chapters 4, 5, 7, 11.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace labkit::ptx {

/// Fundamental types (PTX ISA 5.2). The order is free; use the helpers, not the numbers.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64
};
/// Size of one value in bytes; pred and none give 0.
std::uint32_t size_bytes(Type type);
/// "f32" -> Type::f32; nullopt if the word is no type.
std::optional<Type> type_from_name(std::string_view word);
std::string_view name_of(Type type);

enum class Space : std::uint8_t { reg, sreg, constant, global, local, param, shared, generic };
std::string_view name_of(Space space);

/// Where an instruction comes from in the CUDA source, from `.loc` (needs -lineinfo or -G). line 0:
/// not known.
struct SourceLocation {
  std::uint32_t file = 0;  ///< index into Module::files (0: none)
  std::uint32_t line = 0;  ///< from 1
  std::uint32_t column = 0;
  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

enum class OperandKind : std::uint8_t {
  reg,        ///< %r1                id = index into Function::registers; `negated` for !%p1
  special,    ///< %tid.x, %laneid    name only
  immediate,  ///< 12, -3, 0x10, 7U   bits = the value as 64-bit two's complement
  float32,    ///< 0f3F800000         bits = IEEE single
  float64,    ///< 0d3FF0..., 1.5     bits = IEEE double
  symbol,  ///< a variable or function by name (mov.u64 %rd1, var; call target): see `symbol`, `id`,
           ///< `offset` (var+4)
  address,  ///< [reg+off] [var+off] [imm]: `base` says which; id/bits as for that kind; offset in
            ///< bytes
  label,  ///< branch target      id = index into Function::body of the instruction it stands before
          ///< (may be body.size())
  vector,  ///< {%f1,%f2,...}      elements
  pair,    ///< %p1|%p2, %r1|%p1   elements (two; either may be a sink)
  list,    ///< (a, b) of a call   elements
  sink,    ///< _
};

/// label_table: `id` indexes Function::branch_tables, or is -1 for a .callprototype or .calltargets.
enum class SymbolKind : std::uint8_t {
  none,
  module_variable,
  function_variable,
  parameter,
  return_parameter,
  function,
  label_table
};

struct Operand {
  OperandKind kind = OperandKind::sink;
  OperandKind base = OperandKind::sink;  ///< for address: reg, symbol or immediate
  SymbolKind symbol =
      SymbolKind::none;  ///< for symbol, and address with base symbol: which table `id` indexes
  bool negated = false;  ///< !%p
  std::int32_t id = -1;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;  ///< bytes, for address and symbol
  std::string_view name;    ///< as spelled (into Module::text)
  std::vector<Operand>
      elements;  ///< of vector, pair, list; of an address: tensor coordinates after the base
};

struct Instruction {
  std::string_view spelling;            ///< "ld.global.nc.v4.f32"
  std::vector<std::string_view> parts;  ///< {"ld","global","nc","v4","f32"}; parts[0] is the root
  std::int32_t guard = -1;              ///< predicate register id of @%p, or -1
  bool guard_negated = false;           ///< @!%p
  std::vector<Operand> operands;        ///< in written order
  /// Innermost (the line in the function the code was written in); of a header's function, its call in a function of the kernel's
  /// file.
  SourceLocation location;
  SourceLocation inlined_at;   ///< outermost call site when inlined, else line 0
  std::uint32_t header = 0;    ///< of a header's function that was inlined, its file; 0 else
  std::uint32_t ptx_line = 0;  ///< from 1, in Module::text

  std::string_view root() const { return parts.empty() ? std::string_view{} : parts.front(); }
  /// True if `.word` is one of the modifiers.
  bool has(std::string_view word) const {
    for (std::size_t i = 1; i < parts.size(); ++i)
      if (parts[i] == word) return true;
    return false;
  }
};

struct Register {
  std::string name;  ///< "%rd7"
  Type type = Type::none;
};

/// A reference to another symbol's address inside an initialiser (`.global .u64 p = x;`).
struct Relocation {
  std::uint64_t offset_bytes = 0;
  std::string_view symbol;
  std::int64_t addend = 0;
  bool generic = false;  ///< generic(x)
};

struct Variable {
  std::string_view name;
  Space space = Space::global;
  Type type = Type::b8;
  std::uint32_t align_bytes = 1;
  std::uint64_t size_bytes =
      0;  ///< whole variable; 0 for an unsized extern array (dynamic shared memory)
  bool is_extern = false;
  bool is_visible = false;  ///< .visible or .weak
  bool is_managed = false;  ///< the host has it, too
  std::vector<std::uint8_t>
      initial;  ///< size_bytes bytes; empty: zero for global/constant, unset for shared/local
  std::vector<Relocation> relocations;
  std::uint32_t ptx_line = 0;
};

struct Parameter {
  std::string_view name;
  Type type = Type::none;  ///< of one element
  std::uint32_t align_bytes = 1;
  std::uint64_t size_bytes = 0;    ///< .b8 p[24] -> 24
  std::uint64_t offset_bytes = 0;  ///< from the start of the parameter block, natural alignment
};

struct Function {
  std::string_view name;  ///< mangled
  bool is_entry = false;
  bool is_declaration =
      false;  ///< .extern .func vprintf, or a forward declaration with no body anywhere
  std::vector<Parameter> returns;
  std::vector<Parameter> parameters;
  std::vector<Register> registers;  ///< all scopes of the function, names made unique by scope
  std::vector<Variable> variables;  ///< shared, local and (call-site) param variables of all scopes
  std::vector<Instruction> body;
  std::vector<std::int32_t> not_unrolled;  ///< `.pragma "nounroll"`: before these indices into body
  std::vector<std::pair<std::string, std::int32_t>> label_at;  ///< label -> index into body
  /// `.branchtargets` tables for brx.idx: name -> body indices.
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> branch_tables;
  std::uint32_t max_threads[3] = {0, 0, 0};       ///< .maxntid, 0 if absent
  std::uint32_t required_threads[3] = {0, 0, 0};  ///< .reqntid, 0 if absent
  std::uint32_t min_blocks_per_sm = 0;            ///< .minnctapersm
  std::uint32_t cluster_blocks[3] = {1, 1, 1};    ///< .reqnctapercluster
  std::uint32_t ptx_line = 0;
};

struct Module {
  std::string version;    ///< "9.0"
  std::string target;     ///< "sm_90"
  bool is_debug = false;  ///< `.target sm_90, debug`: unoptimised
  std::uint32_t address_bits = 64;
  std::vector<std::string> files;  ///< files[i] is `.file i`; files[0] is empty
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::unique_ptr<const std::string> text;  ///< owns what the string_views point into

  const Function* find_function(std::string_view name) const;
  const Variable* find_variable(std::string_view name) const;
};

/// What is wrong with a PTX text. Always the input's fault, never ours.
struct ParseError {
  std::string message;  ///< one line: what was found and what was expected
  std::uint32_t ptx_line = 0;
};

/// Parses a whole module. Never throws on bad input, never reads past it; depth and counts are
/// bounded (registers of one function <= 1e6, initialisers <= 64 MiB, nesting <= 64).
struct ParseResult {
  std::optional<Module> module;
  ParseError error;  ///< meaningful if !module
};
ParseResult parse(std::string text);

}  // namespace labkit::ptx
