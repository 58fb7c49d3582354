#include "device/idle_statement.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "compile/diagnose.h"
#include "compile/index_comma.h"
#include "compile/source.h"
#include "device/idle_condition.h"
#include "device/other_kernels.h"

namespace labkit::device {
namespace {

/// NVRTC's warnings 174-D and 1813-D; the latter is asked for in compile.cpp.
constexpr std::string_view kNoEffect = "expression has no effect";
constexpr std::string_view kEmptyIf = "empty dependent statement in if-statement";

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_name(c); });
}

struct Told {
  std::string what, fix;
};

/// `==` outside all brackets.
bool compares(std::string_view statement) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < statement.size(); ++i) {
    if (statement[i] == '[' || statement[i] == '(') ++depth;
    if (statement[i] == ']' || statement[i] == ')') --depth;
    if (depth == 0 && statement[i] == '=' && statement[i + 1] == '=') return true;
  }
  return false;
}

/// What the source's warnings are looked up in.
class Source {
 public:
  explicit Source(std::string_view text) : lines_(split_lines(text)) {
    for (const std::string_view name : compile::declared_functions(text)) functions_.insert(name);
  }
  /// The line, from 1.
  std::string_view line(std::uint32_t number) const {
    return number >= 1 && number <= lines_.size() ? lines_[number - 1] : std::string_view{};
  }
  bool declares_function(std::string_view name) const { return functions_.contains(name); }

 private:
  std::vector<std::string_view> lines_;
  std::unordered_set<std::string_view> functions_;
};

std::optional<Told> of_statement(std::string_view statement, const Source& source) {
  const std::string quoted = "`" + std::string(statement) + ";`";
  if (is_name(statement)) {
    if (!statement.starts_with("__") && !source.declares_function(statement)) return std::nullopt;
    return Told{quoted + " does nothing: a function's name without ( ) behind it is no call.",
                "write `" + std::string(statement) + "();`."};
  }
  if (compares(statement))
    return Told{quoted + " compares two values, and stores nothing.",
                "to store the right one in the left one, write a single `=`."};
  return Told{quoted + " works something out, and keeps it nowhere.",
              "store the result, or take the statement out."};
}

std::optional<Told> of_expression(const compile::Diagnostic& diagnostic, const Source& source) {
  const bool has_caret = diagnostic.caret != std::string::npos;
  const std::string_view line =
      has_caret ? std::string_view(diagnostic.shown) : source.line(diagnostic.line);
  if (const auto index = has_caret ? compile::index_with_comma(line, diagnostic.caret)
                                   : compile::index_with_comma(line))
    return Told{"`" + index->written + "` is `" + index->meaning +
                    "`: of two values with a comma between them C++ takes the last.",
                "give each index brackets of its own: `" + index->meant + "`."};
  const std::string_view rest = has_caret ? line.substr(diagnostic.caret) : trim(line);
  const std::size_t end = rest.find(';');
  const bool is_one = end != std::string_view::npos &&
                      (has_caret || rest.find_first_of(";{}", end + 1) == std::string_view::npos);
  if (!is_one || rest.substr(0, end).find_first_of("{}") != std::string_view::npos)
    return Told{"A statement works something out, and keeps it nowhere.",
                "store the result, or take the statement out."};
  return of_statement(trim(rest.substr(0, end)), source);
}

}  // namespace

std::vector<IdleStatement> idle_statements(std::string_view log, std::string_view source,
                                           const std::string& kernel) {
  std::vector<IdleStatement> found;
  const Source text(source);
  const OtherKernels others(source, kernel);
  std::set<std::pair<std::uint32_t, std::string>>
      known;                                        // a template has it once for each instance
  std::unordered_set<std::uint32_t> without_caret;  // lines of which one look is enough
  for (const compile::Diagnostic& diagnostic : compile::diagnostics_of(log)) {
    if (diagnostic.is_error || others.have(diagnostic.line)) continue;
    std::optional<Told> told;
    if (diagnostic.text.find(kEmptyIf) != std::string::npos)
      told = Told{"The `if` ends at its semicolon: what stands behind it is done in any case.",
                  "take out the semicolon behind the condition."};
    else if (diagnostic.text.find(kNoEffect) != std::string::npos &&
             (diagnostic.caret != std::string::npos ||
              without_caret.insert(diagnostic.line).second))
      told = of_expression(diagnostic, text);
    if (told && known.emplace(diagnostic.line, told->what).second)
      found.push_back({diagnostic.line, told->what, told->fix});
  }
  for (IdleStatement& condition : idle_conditions(source, kernel))
    found.push_back(std::move(condition));
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  constexpr std::size_t kMost = 100;  // nobody reads more
  if (found.size() > kMost) found.erase(found.begin() + kMost, found.end());
  return found;
}

}  // namespace labkit::device
