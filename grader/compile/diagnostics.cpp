#include "compile/diagnostics.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "base/text.h"

namespace labkit::compile {
namespace {

struct Row {
  DiagnosticKind kind;
  int number;
  std::string_view text;
};
constexpr Row kRows[] = {
#define DIAGNOSTIC(kind, number, text) {DiagnosticKind::kind, number, text},
#include "compile/diagnostics.def"
#undef DIAGNOSTIC
};

/// `pattern`'s % stand for any text.
bool fits(std::string_view text, std::string_view pattern) {
  const std::size_t first = pattern.find('%');
  if (first == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, first))) return false;
  text.remove_prefix(first);
  pattern.remove_prefix(first + 1);
  while (true) {
    const std::size_t next = pattern.find('%');
    if (next == std::string_view::npos) return text.ends_with(pattern);
    const std::size_t at = text.find(pattern.substr(0, next));
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + next);
    pattern.remove_prefix(next + 1);
  }
}

void classify(Diagnostic& found) {
  for (const Row& row : kRows)
    if (found.number != 0 && row.number != 0 ? found.number == row.number
                                             : fits(found.text, row.text)) {
      found.kind = row.kind;
      return;
    }
}

/// NVRTC quotes with ", clang with '.
std::vector<std::string> quoted_names(std::string_view text) {
  const char quote = text.find('"') != text.npos ? '"' : '\'';
  std::vector<std::string> names;
  std::size_t close = 0;
  for (std::size_t open = text.find(quote); open != text.npos; open = text.find(quote, close + 1)) {
    close = text.find(quote, open + 1);
    if (close == text.npos) break;
    names.emplace_back(text.substr(open + 1, close - open - 1));
  }
  // "no member named 'x' in 'S'": what it is looked for in comes first, as in NVRTC's.
  if (text.starts_with("no ") && quote == '\'' && names.size() > 1) std::swap(names[0], names[1]);
  return names;
}

/// What the log shows of the source, and the line with a caret below it.
void read_caret(std::string_view source, std::string_view below, Diagnostic& found) {
  const std::size_t begin = below.find('^');
  // clang underlines what belongs to it: "~~~ ^ ~~"
  if (begin >= source.size() || below.find_first_not_of(" ~^\t") != below.npos) return;
  found.shown = source;
  found.caret = begin;
  std::size_t end = begin;
  while (end < source.size() &&
         (is_letter(source[end]) || is_digit(source[end]) || source[end] == '_'))
    ++end;
  found.word = source.substr(begin, end - begin);
}

enum class Head : std::uint8_t { none, note, diagnostic };
/// "name(12): error: text", "name(12): warning #177-D: text", "name(12): catastrophic error: text". A note is neither error
/// nor warning.
Head read_head(std::string_view line, Diagnostic& found) {
  const std::size_t close = line.find("): "), open = line.rfind('(', close);
  const std::size_t colon = line.find(": ", close + 3);
  if (close == line.npos || open == line.npos || colon == line.npos) return Head::none;
  const char* end = line.data() + close;
  const auto [read, problem] = std::from_chars(line.data() + open + 1, end, found.line);
  if (problem != std::errc() || read != end) return Head::none;
  std::string_view severity = line.substr(close + 3, colon - close - 3);
  if (const std::size_t hash = severity.find(" #"); hash != severity.npos) {
    std::from_chars(severity.data() + hash + 2, severity.data() + severity.size(), found.number);
    severity = severity.substr(0, hash);
  }
  if (severity == "note" || severity == "remark") return Head::note;
  found.file = line.substr(0, open);
  found.text = line.substr(colon + 2);
  found.is_error = severity.ends_with("error");
  if (!found.is_error && severity != "warning") return Head::none;
  classify(found);
  return Head::diagnostic;
}

}  // namespace

std::vector<Diagnostic> diagnostics_of(std::string_view log) {
  std::vector<Diagnostic> list;
  const auto lines = split_lines(log);
  const char* details = nullptr;  // of the last one, where they are not yet at their end
  const auto end_details = [&](const char* end) {
    if (details != nullptr && details < end)
      list.back().details = {details, static_cast<std::size_t>(end - details)};
    details = nullptr;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Diagnostic found;
    const Head head = read_head(lines[i], found);
    if (head == Head::none) continue;
    end_details(lines[i].data());
    if (head == Head::note) continue;
    found.names = quoted_names(found.text);
    if (i + 2 < lines.size()) read_caret(lines[i + 1], lines[i + 2], found);
    list.push_back(std::move(found));
    details = i + 1 < lines.size() ? lines[i + 1].data() : nullptr;
  }
  end_details(log.data() + log.size());
  return list;
}

std::vector<Diagnostic> errors_in_source_order(std::string_view log, std::string_view file) {
  std::vector<Diagnostic> errors = diagnostics_of(log);
  std::erase_if(errors, [](const Diagnostic& one) { return !one.is_error; });
  if (errors.empty()) return errors;
  const std::string where = file.empty() ? errors.front().file : std::string(file);
  std::unordered_set<std::string> known;
  std::erase_if(errors, [&](const Diagnostic& one) {
    return one.file != where || !known.insert(std::to_string(one.line) + one.text).second;
  });
  std::ranges::stable_sort(errors, {}, &Diagnostic::line);
  return errors;
}

bool ran_out_of_memory(std::string_view log) {
  for (const std::string_view line : split_lines(log)) {
    // nowhere in particular
    if (line == "error: out of memory" || line == "catastrophic error: out of memory") return true;
    Diagnostic found;
    if (read_head(line, found) == Head::diagnostic && found.is_error)
      return found.kind == DiagnosticKind::out_of_memory;
  }
  return false;
}

}  // namespace labkit::compile
