#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "compile/declarations.h"
#include "compile/diagnostics.h"
#include "compile/outline.h"
#include "compile/tokens.h"
#include "device/source_findings.h"
#include "explain/brace_slip.h"
#include "explain/defect.h"
#include "explain/host_slip.h"
#include "explain/size_slip.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using compile::Diagnostic;
using words::Id;
using words::Message;
using Kind = compile::DiagnosticKind;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// "threadIdx", if it stands in the text without one of its parts.
std::vector<std::string_view> without_their_parts(std::string_view text) {
  std::vector<std::string_view> found;
  for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool is_whole =
          (at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end]));
      if (!is_whole || (end < text.size() && text[end] == '.')) continue;
      found.push_back(name);
      break;
    }
  return found;
}

constexpr std::string_view kKnown[] = {"threadIdx",      "blockIdx",
                                       "blockDim",       "gridDim",
                                       "warpSize",       "__syncthreads",
                                       "__syncwarp",     "__shared__",
                                       "__restrict__",   "__ldg",
                                       "__shfl_sync",    "__shfl_down_sync",
                                       "__shfl_up_sync", "__shfl_xor_sync",
                                       "__threadfence",  "__threadfence_block",
                                       "atomicAdd",      "atomicMax",
                                       "atomicMin",      "atomicCAS",
                                       "atomicExch",     "printf",
                                       "float",          "double",
                                       "unsigned",       "return",
                                       "const",          "constexpr",
                                       "static_cast",    "reinterpret_cast",
                                       "sqrtf",          "fabsf",
                                       "fmaf",           "powf"};

/// What CUDA and C++ have of a name that is written nearly so.
std::string_view meant_by(std::string_view name) {
  constexpr std::size_t kLongName = 6;
  const std::size_t most_slips = name.size() >= kLongName ? 2 : 1;
  for (const std::string_view known : kKnown)
    if (name != known && edit_distance(name, known) <= most_slips) return known;
  return {};
}

/// Removed for GPUs of compute capability 7 and later, which have them with a mask of the lanes that take part (CUDA C++
/// Programming Guide, Warp Vote Functions and Warp Shuffle Functions).
constexpr std::string_view kWithoutMask[] = {"__shfl", "__shfl_down", "__shfl_up", "__shfl_xor",
                                             "__all",  "__any",       "__ballot"};

Message about_name(Id id, std::string_view name, const Diagnostic& error) {
  return {id, {{"name", std::string(name)}, at(error)}};
}

bool is_stream(std::string_view name) { return name == "cout" || name == "cerr" || name == "endl"; }

Message unknown_name(const std::string& name, const Diagnostic& error) {
  if (is_stream(name)) return about_name(Id::compile_host_stream, name, error);
  if (name.starts_with("cuda")) return about_name(Id::compile_host_function, name, error);
  if (std::ranges::find(kWithoutMask, name) != std::end(kWithoutMask))
    return about_name(Id::compile_without_mask, name, error);
  const std::string_view meant = meant_by(name);
  if (meant.empty()) return about_name(Id::compile_undefined_name, name, error);
  Message misspelt = about_name(Id::compile_misspelt_name, name, error);
  misspelt.parameters.push_back({"meant", std::string(meant)});
  return misspelt;
}

Message missing_symbol(std::string_view symbol, const Diagnostic& error) {
  const Id id = symbol == ";"   ? Id::compile_semicolon
                : symbol == ")" ? Id::compile_parenthesis
                : symbol == "]" ? Id::compile_bracket
                : symbol == "}" ? Id::compile_brace
                                : Id::none;
  return id == Id::none ? Message{} : Message{id, {at(error)}};
}

Message of_member(const Diagnostic& error) {
  const std::string member = error.name(1);
  if (error.name(0) != "std") return {};
  constexpr std::string_view kHere[] = {"min", "max", "abs",   "fabs", "sqrt",
                                        "pow", "exp", "floor", "log",  "ceil"};
  return is_stream(member) ? unknown_name(member, error)
         : std::ranges::count(kHere, member) != 0
             ? about_name(Id::compile_host_namespace, member, error)
             : about_name(Id::compile_host_library, member, error);
}

/// Of `threadIdx.X`, what stands before the member is read off the line.
Message of_field(const Diagnostic& error) {
  const words::Parameter member{"member", error.name(1)};
  const std::string_view before =
      std::string_view(error.shown).substr(0, std::min(error.caret, error.shown.size()));
  for (const std::string name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    if (before.ends_with(name + "."))
      return {Id::compile_builtin_member, {{"name", name}, member, at(error)}};
  return {Id::compile_unknown_member, {{"type", error.name(0)}, member, at(error)}};
}

/// The operand that is a structure, of "operand types are: const Pair * double"; "" if none is.
std::string structure_operand(const Diagnostic& error) {
  const std::string_view mark = "operand types are: ", details = error.details;
  const std::size_t begin = details.find(mark);
  const std::string between = " " + error.name(0) + " ";
  if (begin == std::string_view::npos) return {};
  std::string_view types = details.substr(begin + mark.size());
  types = types.substr(0, types.find('\n'));
  const std::size_t middle = types.find(between);
  if (middle == std::string_view::npos) return {};
  for (std::string_view type : {types.substr(0, middle), types.substr(middle + between.size())}) {
    if (type.starts_with("const ")) type.remove_prefix(6);
    type = trim(type);
    if (!type.empty() && compile::kind_of_word(type) == compile::WordKind::own &&
        type.find_first_of(" *&<[(") == std::string_view::npos)
      return std::string(type);
  }
  return {};
}

/// The errors that the compiler has, and what is known of the result beside them.
class Slips {
 public:
  explicit Slips(const grade::LabResult& result)
      : result_(result),
        errors_(compile::errors_in_source_order(result.compile_log)),
        tokens_(result.source, compile::Tokens::Keep::code) {}

  const std::vector<Diagnostic>& errors() const { return errors_; }
  const compile::Tokens& tokens() const { return tokens_; }

  /// What the compiler expects on that line, in any of its errors: "]"; "" where it expects nothing there.
  std::string expected_on(std::uint32_t line) const {
    for (const Diagnostic& error : errors_)
      if (error.line == line && error.kind == Kind::expected_symbol) return error.name(0);
    return {};
  }

  /// Each brace has its other one, as far as the source is known.
  bool have_all_braces() const {
    std::ptrdiff_t open = 0;
    for (const compile::Token& token : tokens_) open += token.is("{") ? 1 : token.is("}") ? -1 : 0;
    return tokens_.size() > 0 && open == 0;
  }

  /// Id::none where the error is none of those that beginners make.
  Message of(const Diagnostic& error) const {
    const std::string all = error.text + "\n" + std::string(error.details), name = error.name(0);
    const auto index = compile::index_with_comma(all);
    if (error.kind == Kind::missing_brace)  // some of these texts have other reasons, too
      return have_all_braces() ? Message{} : Message{Id::compile_last_brace};
    if (error.kind == Kind::expected_symbol) {
      if (index && name == "]")
        return {Id::compile_array_sizes,
                {at(error), {"meant", index->meant}, {"written", index->written}}};
      if (name == ";" && is_first_of_earlier_line(error))
        return {Id::compile_semicolon_before,
                {{"at", earlier_line(error)}, {"noticed", at(error).value}}};
      if (name == ";" && has_short_for(error.line)) return {Id::compile_for_parts, {at(error)}};
      return missing_symbol(name, error);
    }
    if (compile::has_word(all, "uint3") || compile::has_word(all, "dim3")) {
      const std::vector<std::string_view> whole = without_their_parts(all);
      if (whole.size() == 1) return about_name(Id::compile_which_part, whole.front(), error);
      if (!whole.empty())
        return {Id::compile_which_parts,
                {{"names", fmt::format("`{}`", fmt::join(whole, "`, `"))}, at(error)}};
    }
    if (error.is_host_code()) return used_on_the_host_only(error, tokens_);
    if (error.kind == Kind::no_such_member) return of_member(error);
    if (error.kind == Kind::no_such_field) return of_field(error);
    if (error.kind == Kind::no_such_file) return about_name(Id::compile_include, name, error);
    if (error.kind == Kind::undefined_identifier) {
      if (!result_.lost_parameter.empty() && name == result_.lost_parameter)
        return about_name(Id::compile_lost_parameter, name, error);
      if (is_first_of_earlier_line(error))
        return {Id::compile_loop_ended, {{"name", name}, at(error), {"loop", earlier_line(error)}}};
      if (const std::uint32_t loop = device::loop_without_body(error, result_.source, true))
        return {Id::compile_loop_of_one,
                {{"name", name}, at(error), {"loop", words::SourceLine{error.file, loop}}}};
      if (const Message type = of_template(name, error)) return type;
      return unknown_name(name, error);
    }
    if (index)
      return {Id::compile_index_comma,
              {{"written", index->written},
               at(error),
               {"meaning", index->meaning},
               {"meant", index->meant}}};
    return of_meaning(error);
  }

 private:
  /// `T tile[32];`: none if it is no capital letter where a type stands.
  Message of_template(const std::string& name, const Diagnostic& error) const {
    if (name.size() != 1 || std::isupper(static_cast<unsigned char>(name[0])) == 0) return {};
    std::string_view type;  // of the first array that a kernel gets
    for (std::size_t i = 1; i < tokens_.size() && type.empty(); ++i) {
      if (tokens_.is(i, name) && tokens_.is(i + 1, "*"))
        return about_name(Id::compile_template_gone, name, error);
      if (tokens_.is(i, "*") && tokens_.is_word(i - 1) && tokens_.is_word(i + 1))
        type = tokens_[i - 1].spelling;
    }
    const bool is_type =
        std::ranges::any_of(std::initializer_list<std::string_view>{"float", "double", "int"},
                            [&](std::string_view known) { return known == type; });
    if (!is_type || !is_before_a_name(name, error.line)) return {};
    Message found = about_name(Id::compile_type_of_no_template, name, error);
    found.parameters.push_back({"type", std::string(type)});
    return found;
  }
  bool is_before_a_name(std::string_view name, std::uint32_t line) const {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i)
      if (tokens_[i].line == line && tokens_.is(i, name) && tokens_.is_word(i + 1)) return true;
    return false;
  }
  /// The first error, whose cause stands in a line before it.
  bool is_first_of_earlier_line(const Diagnostic& error) const {
    return &error == &errors_.front() && result_.where.line != 0 && result_.where.line < error.line;
  }
  words::SourceLine earlier_line(const Diagnostic& error) const {
    return {error.file, result_.where.line};
  }

  Message of_meaning(const Diagnostic& error) const {
    const std::string type = error.names.empty() ? std::string{} : error.names.back();
    const auto where = [&](Id id, bool is_it = true) {
      return is_it ? Message{id, {at(error)}} : Message{};
    };
    switch (error.kind) {
      case Kind::incomplete_type:
        return where(Id::compile_array_without_size, type.ends_with("[]"));
      case Kind::no_operator:
        return of_whole_structure(error);
      case Kind::not_a_pointer:
        return where(Id::compile_index_of_number);
      case Kind::not_a_structure:
        return where(Id::compile_member_of_pointer, type.ends_with("*"));
      case Kind::attribute_elsewhere:
        return where(Id::compile_shared_without_type, error.name(0) == "__shared__");
      case Kind::not_modifiable:
        // `w[k * n + i = z[i]` is read as a store to the sum, and then the bracket is missed
        if (const std::string symbol = expected_on(error.line); !symbol.empty())
          return missing_symbol(symbol, error);
        if (Message one = one_index_of_two(error, tokens_)) return one;
        return of_store_to_const(error);
      case Kind::other_type: {
        const std::string one = error.name(0), other = error.name(1);
        for (const auto& [to, from] : {std::pair(one, other), std::pair(other, one)})
          if (from == "const " + to)
            return {Id::compile_pointer_to_const, {{"type", from}, at(error)}};
        return {};
      }
      case Kind::other_declaration:  // of an array of a template: by each of its types
        return where(Id::compile_extern_shared, compile::has_word(error.details, "__shared__") &&
                                                    compile::has_word(error.details, "extern"));
      case Kind::other_argument:
        return error.name(1).ends_with("*") ? of_address(error, "") : Message{};
      case Kind::no_overload:
        if (error.name(0).starts_with("atomic")) return of_address(error, error.name(0));
        if (!error.name(0).starts_with("__shfl_")) return {};
        return about_name(Id::compile_shuffle_mask, error.name(0), error);
      case Kind::not_a_function:
        return where(Id::compile_call_of_array);
      case Kind::not_constant:
        return size_that_varies(error, tokens_);
      case Kind::shared_initialiser:
        return values_of_shared(error, tokens_);
      case Kind::static_local:
        return where(Id::compile_static_local);
      case Kind::declared_twice:
        return of_second_declaration(error);
      default:
        return {};
    }
  }

  /// `atomicAdd(bins[b], 1)` and `__pipeline_memcpy_async(tile[i], in[k], 4)`: arguments that are elements, where addresses are
  /// wanted: of an atomic function the first one, else the first two.
  Message of_address(const Diagnostic& error, std::string_view function) const {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const std::size_t close = tokens_.close_of(i + 1);
      const bool is_it = function.empty() ? tokens_[i].spelling.starts_with("__pipeline_memcpy")
                                          : tokens_.is(i, function);
      if (tokens_[i].line != error.line || !is_it || close >= tokens_.size()) continue;
      std::string arguments;
      std::size_t left = function.empty() ? 2 : 1;
      for (std::size_t begin = i + 2, at = begin; at < close && left > 0; ++at) {
        if (tokens_.is(at, "[") || tokens_.is(at, "(")) at = tokens_.close_of(at);
        if (!tokens_.is(at, ",")) continue;
        if (!tokens_.is(begin, "&") && tokens_.is(at - 1, "]"))
          arguments +=
              fmt::format("{}`{}`", arguments.empty() ? "" : ", ", tokens_.text(begin, at));
        begin = at + 1;
        --left;
      }
      if (arguments.empty()) return {};
      return {Id::compile_address_needed,
              {{"name", std::string(tokens_[i].spelling)}, at(error), {"arguments", arguments}}};
    }
    return {};
  }

  /// `for (i < n; i += step)`
  bool has_short_for(std::uint32_t line) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].line != line || !tokens_.is(i, "for") || !tokens_.is(i + 1, "(")) continue;
      constexpr std::size_t kMostTokens = 200;  // of a head
      const std::size_t close = tokens_.close_of(i + 1);
      if (close >= tokens_.size() || close - i > kMostTokens) continue;
      std::size_t parts = 1;
      for (std::size_t at = i + 2; at < close; ++at) parts += tokens_.is(at, ";") ? 1 : 0;
      if (parts == 2) return true;
    }
    return false;
  }

  /// `z[i] *= factor`, where z is an input and only one other pointer can be stored through.
  Message of_store_to_const(const Diagnostic& error) const {
    const Message message{Id::compile_store_to_const, {at(error)}};
    std::string_view output;
    for (const compile::DeviceFunction& function : compile::device_functions_of(tokens_)) {
      const std::size_t end = tokens_.close_of(function.body);
      if (end >= tokens_.size() || error.line < function.line || error.line > tokens_[end].line)
        continue;
      bool is_const = false, is_pointer = false;
      for (std::size_t i = function.open + 1; i < function.body; ++i) {
        is_const = is_const || tokens_.is(i, "const");
        is_pointer = is_pointer || tokens_.is(i, "*");
        if (!tokens_.is(i, ",") && !tokens_.is(i, ")")) continue;
        if (is_pointer && !is_const && !output.empty()) return message;
        if (is_pointer && !is_const) output = tokens_[i - 1].spelling;
        is_const = is_pointer = false;
      }
    }
    for (std::size_t i = 0; i + 1 < tokens_.size() && !output.empty(); ++i) {
      const std::size_t sign = tokens_.close_of(i + 1) + 1;
      if (tokens_[i].line != error.line || !tokens_.is_word(i) || !tokens_.is(i + 1, "[") ||
          sign >= tokens_.size() || tokens_.is(i, output))
        continue;
      const std::string index(tokens_.text(i + 1, sign)), input(tokens_[i].spelling);
      std::size_t end = sign + 1;
      while (end < tokens_.size() && !tokens_.is(end, ";")) ++end;
      const std::string value(tokens_.text(sign + 1, end));
      if (!tokens_[sign].spelling.ends_with('=')) continue;
      const std::string_view operation =
          tokens_[sign].spelling.substr(0, tokens_[sign].spelling.size() - 1);
      std::string meant = std::string(output) + index + " = ";
      if (!operation.empty()) meant += input + index + " " + std::string(operation) + " ";
      return {Id::compile_store_to_input, {{"name", input}, {"meant", meant + value}, at(error)}};
    }
    return message;
  }

  /// With the line of the first one, in the same function.
  Message of_second_declaration(const Diagnostic& error) const {
    std::size_t first = 0, body = 0;
    for (const compile::DeviceFunction& function : compile::device_functions_of(tokens_)) {
      if (function.line > error.line) break;
      body = function.body;
      first = function.open;
      while (first < tokens_.size() && !tokens_.is(first, error.name(0))) ++first;
    }
    if (body == 0 || first >= tokens_.size() || tokens_[first].line > error.line) return {};
    const bool is_parameter = first < body;
    if (!is_parameter && tokens_[first].line == error.line) return {};
    return {is_parameter ? Id::compile_parameter_again : Id::compile_declared_twice,
            {{"name", error.name(0)},
             {"first", words::SourceLine{error.file, tokens_[first].line}},
             at(error)}};
  }

  /// `struct Z { double part[8]; }`: the statement in a loop over its elements.
  Message of_whole_structure(const Diagnostic& error) const {
    const std::string structure = structure_operand(error);
    if (structure.empty()) return {};
    Message message{Id::compile_whole_structure,
                    {{"operator", error.name(0)}, {"type", structure}, at(error)}};
    for (std::size_t i = 0; i + 8 < tokens_.size(); ++i)
      if (tokens_.is(i, "struct") && tokens_.is(i + 1, structure) && tokens_.is(i + 5, "[") &&
          tokens_.close_of(i + 5) + 2 == tokens_.close_of(i + 2)) {
        message.id = Id::compile_structure_of_array;
        message.parameters.push_back({"member", std::string(tokens_[i + 4].spelling)});
        message.parameters.push_back(
            {"size", std::string(tokens_.text(i + 6, tokens_.close_of(i + 5)))});
      }
    return message;
  }

  const grade::LabResult& result_;
  std::vector<Diagnostic> errors_;
  compile::Tokens tokens_;
};

/// A name that an earlier line was to declare, which did not compile, or declared as something else.
bool follows_from(const Diagnostic& error, const Diagnostic& earlier) {
  if (error.line == earlier.line)
    return error.kind != Kind::not_constant || earlier.kind == Kind::not_constant;
  if (earlier.kind == Kind::declared_twice && compile::has_word(error.shown, earlier.name(0)))
    return true;
  return error.kind == Kind::undefined_identifier &&
         (compile::has_word(earlier.details, error.name(0)) ||
          (earlier.kind == error.kind && earlier.names == error.names));
}

}  // namespace

std::vector<Message> compile_slips(const grade::LabResult& result) {
  constexpr std::size_t kMost = 3, kMostErrors = 100;
  std::vector<Message> found;
  if (result.verdict.kind != "compile_error") return found;
  const Slips slips(result);
  const std::vector<Diagnostic>& errors = slips.errors();
  if (!errors.empty())
    if (Message brace = open_brace(errors.front().file, slips.tokens())) return {std::move(brace)};
  for (std::size_t i = 0; i < std::min(errors.size(), kMostErrors) && found.size() < kMost; ++i) {
    const Diagnostic& error = errors[i];
    if (std::any_of(errors.data(), &error,
                    [&](const Diagnostic& earlier) { return follows_from(error, earlier); }))
      continue;
    Message slip = slips.of(error);
    if (!slip && i == 0) break;  // that line is shown, and what comes after it may follow from it
    const bool is_brace = slip.id == Id::compile_last_brace || slip.id == Id::compile_brace;
    if (slip) found.push_back(std::move(slip));
    if (is_brace) break;  // what follows is read otherwise than it is meant
  }
  return found;
}

std::vector<std::string> slip_lines(const Message& slip) {
  const std::string text = words::render(slip);
  std::vector<std::string> lines;
  for (const std::string_view line : split_lines(text))
    lines.push_back(lines.empty() ? std::string(line)
                                  : words::text(Id::lead_fix, {{"fix", std::string(line)}}));
  return lines;
}

bool is_slip_of_meaning(const grade::LabResult& result) {
  if (result.verdict.kind != "compile_error") return false;
  const Slips slips(result);
  if (slips.errors().empty()) return false;
  const Diagnostic& first = slips.errors().front();
  const bool is_other = first.kind == Kind::expected_symbol || first.kind == Kind::missing_brace ||
                        first.kind == Kind::undefined_identifier ||
                        first.kind == Kind::no_such_file;
  return !is_other && slips.of(first) && slips.expected_on(first.line).empty();
}

}  // namespace labkit::explain
