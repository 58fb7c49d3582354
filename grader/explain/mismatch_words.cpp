// A wrong result into words.
#include <fmt/format.h>

#include "base/text.h"
#include "explain/defect.h"
#include "explain/words.h"

namespace labkit::explain {
namespace {

std::string counted(std::uint64_t n) { return number(static_cast<double>(n)); }

std::string element_name(const grade::Mismatch& m, std::uint64_t row, std::uint64_t col) {
  return m.is_vector ? fmt::format("{}[{}]", m.array, col)
                     : fmt::format("{}[{}][{}]", m.array, row, col);
}

std::string shape(const grade::Mismatch& m) {
  return m.is_vector ? fmt::format("{} element{}", counted(m.cols), m.cols == 1 ? "" : "s")
                     : fmt::format("{} x {}", m.rows, m.cols);
}
/// How often, where it was more than once, and by whom.
std::string stored_line(const grade::Mismatch& m) {
  const std::string who = tell_who_stored(m), before = tell_element_before(m);
  if (who.empty()) return {};
  const observe::StoredBy& stored = *m.stored;
  const std::string what =
      before.empty() ? element_text(m) : fmt::format("the one before it, {},", before);
  if (stored.stores == 1) return fmt::format("  {} was stored by {}", what, who);
  return fmt::format("  {} was stored {} times, {} by {}", what, counted(stored.stores),
                     stored.several_threads ? "by several threads, last" : "each time", who);
}

}  // namespace

std::string element_text(const grade::Mismatch& m) { return element_name(m, m.row, m.col); }

std::string tell_who_stored(const grade::Mismatch& m) {
  if (!m.stored || m.stored->stores == 0) return {};
  std::string text =
      fmt::format("thread {} of block {}", triple(m.stored->thread), triple(m.stored->block));
  if (m.stored->where.line != 0) text += fmt::format(" at line {}", m.stored->where.line);
  if (m.stored->where_inside.line != 0)
    text += fmt::format(", in line {}", m.stored->where_inside.line);
  return text;
}

std::string tell_element_before(const grade::Mismatch& m) {
  const auto before = m.stored_element();
  if (!m.never_written || !before) return {};
  return element_name(m, before->row, before->col);
}

std::string tell_changed_input(const grade::Mismatch& m) {
  const std::string who = tell_who_stored(m);
  return fmt::format("`{}` is an input, but came back changed: {} was {}, is {}{}", m.array,
                     element_text(m), m.expected, m.got, who.empty() ? "" : "; stored by " + who);
}

std::string tell_element(const grade::Mismatch& m) {
  return fmt::format("{}: expected {}, {}", element_text(m), m.expected,
                     m.never_written ? "never written" : "got " + m.got);
}

std::string tell_inputs(const grade::Mismatch& m) {
  std::vector<std::string> each;
  for (const auto& [name, value] : m.inputs)
    each.push_back(fmt::format("{}[{}] = {}", name, m.col, value));
  return joined(each);
}

std::vector<std::string> tell_mismatch(const grade::Mismatch& m) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("`{}` ({}): {} of {} element{} {} wrong", m.array, shape(m),
                              counted(m.wrong), counted(m.total), m.total == 1 ? "" : "s",
                              m.wrong == 1 ? "is" : "are"));
  std::string first = fmt::format("  the first is {}: expected {}", element_text(m), m.expected);
  if (!m.bound.empty()) first += fmt::format(" (within {})", m.bound);
  first += m.never_written ? ", but it was never written" : fmt::format(", got {}", m.got);
  lines.push_back(first);
  if (m.constant)
    lines.emplace_back("  every element has the same value");
  else if (!m.belongs_to.empty())
    lines.push_back(fmt::format("  that value belongs in {}", m.belongs_to));
  else if (const int digits = right_digits(m); digits != 0)
    lines.push_back(fmt::format("  its first {} digits are right", digits));
  if (!m.inputs.empty() && !m.never_written) lines.push_back("  there " + tell_inputs(m));
  if (std::string stored = stored_line(m); !stored.empty()) lines.push_back(std::move(stored));
  const std::uint64_t unwritten = m.never_written_count;
  if (unwritten > 1 && unwritten == m.total)
    lines.push_back(fmt::format("  no thread stored anything to `{}`", m.array));
  else if (unwritten > 1 || (unwritten == 1 && !m.never_written))
    lines.push_back(fmt::format("  {} of the wrong ones {} never written", counted(unwritten),
                                unwritten == 1 ? "was" : "were"));
  return lines;
}

}  // namespace labkit::explain
