#include "golden_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

namespace labkit::golden {
namespace {

constexpr std::pair<std::string_view, Element> kElements[] = {
    {"b8", Element::b8},   {"b16", Element::b16},   {"b32", Element::b32}, {"b64", Element::b64},
    {"f16", Element::f16}, {"bf16", Element::bf16}, {"f32", Element::f32}, {"f64", Element::f64}};
constexpr std::string_view kMark = "//!";
constexpr std::size_t kMaxBufferBytes = 1 << 20;

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::istringstream stream{std::string(line)};
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

template <typename T>
bool parse_number(std::string_view text, T& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_dim3(std::string_view text, std::uint32_t (&dim)[3]) {
  for (int i = 0; i < 3; ++i) {
    const std::size_t cut = text.find('x');
    if (!parse_number(text.substr(0, cut), dim[i]) || dim[i] == 0) return false;
    if (cut == std::string_view::npos) return true;
    text.remove_prefix(cut + 1);
  }
  return false;
}

std::string hex(std::uint64_t word, Element element) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t digit = 2 * size_bytes(element); digit-- > 0;)
    text += kDigits[word >> (4 * digit) & 15];
  return text;
}

std::uint64_t word_at(const std::vector<std::byte>& bytes, std::size_t index, Element element) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + index * size_bytes(element), size_bytes(element));
  return word;
}

/// Line by line; knows which parameter or row the words of a line belong to.
class Parser {
 public:
  Parser(const std::filesystem::path& path, std::string text) {
    file_.path = path;
    file_.text = std::move(text);
  }

  GoldenFile run() {
    std::istringstream stream(file_.text);
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      if (line.starts_with(kMark)) {
        if (!file_.target) {
          directive(line.substr(kMark.size()));
        } else {
          fail("directives must come before .target");
        }
      } else if (line.starts_with(".target ")) {
        target(words_of(line));
      }
    }
    line_ = 0;
    if (!launched_) fail("there is no `//! launch`");
    if (!file_.target) fail("there is no `.target sm_NN`");
    if (file_.text.find(".entry golden(") == std::string::npos) {
      fail("there is no kernel named golden");
    }
    close();
    bool checks = false;
    for (const Parameter& p : file_.parameters) checks |= p.is_checked();
    if (!checks) fail("nothing is checked: there is no `//! out` and no `//! inout`");
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    std::string where = file_.path.filename().string();
    if (line_) where += ":" + std::to_string(line_);
    throw FormatError(where + ": " + what);
  }

  void target(const std::vector<std::string>& words) {
    if (words.size() != 2 || !words[1].starts_with("sm_") ||
        !parse_number(std::string_view(words[1]).substr(3), file_.target)) {
      fail("expected `.target sm_NN`");
    }
  }

  void directive(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) fail("nothing follows //!");
    if (line.starts_with("   ")) return data(words);
    const std::string& what = words[0];
    if (what == "row") return row(words);
    close();
    if (what == "recorded") return recorded(line);
    if (what == "launch") return launch(words);
    for (const auto& [name, role] : {std::pair{"in", Role::in}, std::pair{"out", Role::out},
                                     std::pair{"inout", Role::inout}, std::pair{"arg", Role::arg}})
      if (what == name) return parameter(role, words);
    fail("unknown directive '" + what +
         "'; there are recorded, launch, in, arg, out, inout and row");
  }

  void recorded(const std::string& line) {
    if (!file_.recorded.empty()) fail("recorded twice");
    file_.recorded = line.substr(line.find("recorded") + 8);
    file_.recorded.erase(0, file_.recorded.find_first_not_of(' '));
    if (file_.recorded.empty()) fail("expected `recorded DEVICE, driver VERSION, DATE`");
  }

  void launch(const std::vector<std::string>& words) {
    if (launched_) fail("launched twice");
    launched_ = true;
    const bool shared = words.size() == 7 && words[5] == "shared";
    if ((words.size() != 5 && !shared) || words[1] != "grid" || words[3] != "block" ||
        !parse_dim3(words[2], file_.grid) || !parse_dim3(words[4], file_.block) ||
        (shared && !parse_number(words[6], file_.dynamic_shared_bytes))) {
      fail("expected `launch grid X[xY[xZ]] block X[xY[xZ]] [shared BYTES]`");
    }
  }

  void parameter(Role role, const std::vector<std::string>& words) {
    Parameter p;
    p.role = role;
    const bool has_rows = p.is_checked();
    if (words.size() != (has_rows ? 4u : 3u)) {
      fail(has_rows ? "expected `" + words[0] + " NAME TYPE WORDS_IN_A_ROW`"
                    : "expected `" + words[0] + " NAME TYPE`");
    }
    p.name = words[1];
    if (!names_.insert(p.name).second) fail("there are two parameters named " + p.name);
    const auto* known = std::find_if(std::begin(kElements), std::end(kElements),
                                     [&](const auto& e) { return e.first == words[2]; });
    if (known == std::end(kElements)) {
      fail("unknown type '" + words[2] + "'; there are b8 b16 b32 b64 f16 bf16 f32 f64");
    }
    p.element = known->second;
    if (has_rows && (!parse_number(words[3], p.row_words) || p.row_words == 0 ||
                     p.row_words * size_bytes(p.element) > kMaxBufferBytes)) {
      fail("'" + words[3] + "' is no number of words");
    }
    file_.parameters.push_back(std::move(p));
    opened_at_ = line_;
  }

  void row(const std::vector<std::string>& words) {
    if (file_.parameters.empty() || !file_.parameters.back().is_checked()) {
      fail("a row must follow an `out` or `inout`");
    }
    Parameter& p = file_.parameters.back();
    close_row();
    Row row;
    row.line = line_;
    const auto within = std::find(words.begin() + 1, words.end(), "within");
    for (auto word = words.begin() + 1; word != within; ++word)
      row.label += (row.label.empty() ? "" : " ") + *word;
    if (row.label.empty()) fail("a row needs a name");
    if (within != words.end()) row.tolerance = tolerance({within + 1, words.end()}, p.element);
    p.rows.push_back(std::move(row));
  }

  Tolerance tolerance(const std::vector<std::string>& words, Element element) const {
    Tolerance result;
    if (element < Element::f16) fail("a tolerance needs a floating-point type");
    for (std::size_t i = 0; i < words.size(); i += 3) {
      if (i + 1 >= words.size() || (i + 2 < words.size() && words[i + 2] != "or")) break;
      char* end = nullptr;
      std::uint64_t ulp = 0;
      if (words[i + 1] == "ulp" && parse_number(words[i], ulp) && ulp > 0) {
        result.ulp = ulp;
      } else if (const double value = std::strtod(words[i].c_str(), &end);
                 words[i + 1] == "abs" && !*end && value > 0) {
        result.absolute = value;
      } else {
        break;
      }
      if (i + 2 == words.size()) return result;
    }
    fail("expected `within N ulp`, `within X abs` or both joined by `or`");
  }

  void data(const std::vector<std::string>& words) {
    if (file_.parameters.empty()) fail("words before the first parameter");
    Parameter& p = file_.parameters.back();
    if (p.role == Role::out && p.rows.empty()) fail("expected a row before its words");
    std::vector<std::uint64_t>& into = p.rows.empty() ? p.initial : p.rows.back().expected;
    for (const std::string& word : words) {
      std::uint64_t value = 0;
      if (word.size() != 2 * size_bytes(p.element) || !parse_number(word, value, 16)) {
        fail("'" + word + "' is no hex word of " + std::to_string(2 * size_bytes(p.element)) +
             " digits");
      }
      into.push_back(value);
    }
  }

  void close_row() {
    const Parameter& p = file_.parameters.back();
    if (p.rows.empty()) return;
    const Row& row = p.rows.back();
    if (!row.expected.empty() && row.expected.size() != p.row_words) {
      line_ = row.line;
      fail("row " + row.label + " has " + std::to_string(row.expected.size()) + " words, not " +
           std::to_string(p.row_words));
    }
  }

  /// The last parameter is complete: do its counts agree?
  void close() {
    if (file_.parameters.empty()) return;
    close_row();
    const Parameter& p = file_.parameters.back();
    const std::size_t now = std::exchange(line_, opened_at_);
    if (p.is_checked() && p.rows.empty()) fail(p.name + " has no rows");
    if (p.role != Role::out && p.initial.empty()) fail(p.name + " has no words");
    if (p.role == Role::inout && p.initial.size() != p.row_words * p.rows.size()) {
      fail(p.name + " starts with " + std::to_string(p.initial.size()) + " words, its rows have " +
           std::to_string(p.row_words * p.rows.size()));
    }
    if (p.size_in_bytes() > kMaxBufferBytes) fail(p.name + " is over 1 MiB");
    line_ = now;
  }

  GoldenFile file_;
  std::set<std::string> names_;
  bool launched_ = false;
  std::size_t line_ = 0, opened_at_ = 0;
};

/// A floating-point word as an integer whose order is the value's order, and as a double.
struct Real {
  std::int64_t order = 0;
  double value = 0;
  bool negative = false;
};
Real real_of(std::uint64_t word, Element element) {
  Real real;
  const unsigned bits = 8 * static_cast<unsigned>(size_bytes(element));
  const std::uint64_t magnitude = word & ((std::uint64_t{1} << (bits - 1)) - 1);
  real.negative = magnitude != word;
  real.order =
      real.negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  const auto exponent_bits = element == Element::f16 ? 5 : element == Element::f64 ? 11 : 8;
  const int mantissa_bits = static_cast<int>(bits) - 1 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto exponent = static_cast<int>(magnitude >> mantissa_bits);
  const auto mantissa = static_cast<double>(magnitude & ((std::uint64_t{1} << mantissa_bits) - 1));
  if (exponent == (1 << exponent_bits) - 1) {
    real.value = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    real.value = std::ldexp(mantissa, 1 - bias - mantissa_bits);
  } else {
    real.value =
        std::ldexp(mantissa + std::ldexp(1.0, mantissa_bits), exponent - bias - mantissa_bits);
  }
  if (real.negative) real.value = -real.value;
  return real;
}

bool agrees(std::uint64_t expected, std::uint64_t got, Element element, const Tolerance& within) {
  if (expected == got) return true;
  if (within.exact()) return false;
  const Real e = real_of(expected, element), g = real_of(got, element);
  if (std::isnan(e.value) || std::isnan(g.value)) return std::isnan(e.value) && std::isnan(g.value);
  if (e.value == 0 && g.value == 0) return e.negative == g.negative;
  if (within.absolute && std::fabs(e.value - g.value) <= *within.absolute) return true;
  const auto distance =
      e.order > g.order ? static_cast<std::uint64_t>(e.order) - static_cast<std::uint64_t>(g.order)
                        : static_cast<std::uint64_t>(g.order) - static_cast<std::uint64_t>(e.order);
  return within.ulp && distance <= *within.ulp;
}

}  // namespace

std::size_t size_bytes(Element element) {
  switch (element) {
    case Element::b8:
      return 1;
    case Element::b16:
    case Element::f16:
    case Element::bf16:
      return 2;
    case Element::b32:
    case Element::f32:
      return 4;
    default:
      return 8;
  }
}

std::size_t Parameter::size_in_bytes() const {
  return size_bytes(element) * (is_checked() ? row_words * rows.size() : initial.size());
}

std::vector<std::byte> Parameter::initial_bytes() const {
  std::vector<std::byte> bytes(size_in_bytes(), std::byte{0xa5});
  for (std::size_t i = 0; i < initial.size(); ++i)
    std::memcpy(bytes.data() + i * size_bytes(element), &initial[i], size_bytes(element));
  return bytes;
}

GoldenFile parse(const std::filesystem::path& path, std::string text) {
  return Parser(path, std::move(text)).run();
}

GoldenFile read(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) throw FormatError(path.string() + ": cannot be read");
  return parse(path, text.str());
}

std::vector<std::filesystem::path> scan(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> differences(const GoldenFile& file, const Outcome& outcome,
                                     std::size_t limit) {
  std::vector<std::string> lines;
  std::size_t more = 0;
  const auto report = [&](std::string line) {
    if (lines.size() < limit) {
      lines.push_back(std::move(line));
    } else {
      ++more;
    }
  };
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    const Parameter& p = file.parameters[i];
    if (!p.is_checked()) continue;
    for (std::size_t r = 0; r < p.rows.size(); ++r) {
      const Row& row = p.rows[r];
      const std::string where = p.name + ", row " + row.label;
      if (row.expected.empty()) {
        report(where + ": no expected words; record them on a GPU with golden_record");
        continue;
      }
      for (std::size_t k = 0; k < p.row_words; ++k) {
        const std::uint64_t got = word_at(outcome.at(i), r * p.row_words + k, p.element);
        if (agrees(row.expected[k], got, p.element, row.tolerance)) continue;
        report(where + ", word " + std::to_string(k) + ": expected " +
               hex(row.expected[k], p.element) + ", got " + hex(got, p.element));
      }
    }
  }
  if (more) lines.push_back("and " + std::to_string(more) + " more");
  return lines;
}

std::string with_expected(const GoldenFile& file, const Outcome& outcome,
                          std::string_view recorded) {
  std::vector<std::string> lines;
  std::istringstream stream(file.text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);

  // From the last row to the first, so that line numbers stay right.
  for (std::size_t i = file.parameters.size(); i-- > 0;) {
    const Parameter& p = file.parameters[i];
    if (!p.is_checked()) continue;
    const std::size_t per_line = 32 / size_bytes(p.element);
    for (std::size_t r = p.rows.size(); r-- > 0;) {
      const auto at = lines.begin() + static_cast<std::ptrdiff_t>(p.rows[r].line);
      auto end = at;
      while (end != lines.end() && end->starts_with("//!   ")) ++end;
      std::vector<std::string> words;
      for (std::size_t k = 0; k < p.row_words; ++k) {
        if (k % per_line == 0) words.emplace_back("//!  ");
        words.back() +=
            " " + hex(word_at(outcome.at(i), r * p.row_words + k, p.element), p.element);
      }
      lines.insert(lines.erase(at, end), words.begin(), words.end());
    }
  }
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("//! recorded "); });
  const auto first = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.starts_with(kMark); });
  lines.insert(first, "//! recorded " + std::string(recorded));

  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace labkit::golden
