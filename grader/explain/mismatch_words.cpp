// A wrong result into words.
#include <fmt/format.h>

#include "base/text.h"
#include "explain/defect.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;

std::string in_digits(std::uint64_t n) { return number(static_cast<double>(n)); }

std::string element_name(const grade::Mismatch& m, std::uint64_t row, std::uint64_t col) {
  return m.is_vector ? fmt::format("{}[{}]", m.array, col)
                     : fmt::format("{}[{}][{}]", m.array, row, col);
}

std::string shape(const grade::Mismatch& m) {
  return m.is_vector ? words::text(Id::element_count, {{"count", in_digits(m.cols)}})
                     : fmt::format("{} x {}", m.rows, m.cols);
}

/// How often, where it was more than once, and by whom.
std::string stored_line(const grade::Mismatch& m) {
  const std::string who = tell_who_stored(m), before = tell_element_before(m);
  if (who.empty()) return {};
  const observe::StoredBy& stored = *m.stored;
  const std::string what =
      before.empty() ? element_text(m) : words::text(Id::element_before, {{"element", before}});
  if (stored.stores == 1)
    return "  " + words::text(Id::element_stored_by, {{"element", what}, {"who", who}});
  return "  " + words::text(stored.several_threads ? Id::stored_by_several : Id::stored_each_time,
                            {{"element", what}, {"times", in_digits(stored.stores)}, {"who", who}});
}

/// What the first wrong element holds, and should.
std::string text_of_value(const grade::Mismatch& m, const std::string& expected, Id wrong,
                          Id unwritten) {
  const std::string element = element_text(m);
  return m.never_written
             ? words::text(unwritten, {{"element", element}, {"expected", expected}})
             : words::text(wrong, {{"element", element}, {"expected", expected}, {"got", m.got}});
}

}  // namespace

std::string element_text(const grade::Mismatch& m) { return element_name(m, m.row, m.col); }

std::string tell_who_stored(const grade::Mismatch& m) {
  if (!m.stored || m.stored->stores == 0) return {};
  std::string who = words::text(Id::thread_of_block, {{"thread", triple(m.stored->thread)},
                                                      {"block", triple(m.stored->block)}});
  const auto add = [&](Id id, const launch::SourceLine& where) {
    if (where.line != 0)
      who = words::text(id, {{"who", who}, {"line", std::to_string(where.line)}});
  };
  add(Id::stored_at_line, m.stored->where);
  add(Id::stored_in_line, m.stored->where_inside);
  return who;
}

std::string tell_element_before(const grade::Mismatch& m) {
  const auto before = m.stored_element();
  if (!m.never_written || !before) return {};
  return element_name(m, before->row, before->col);
}

std::string tell_changed_input(const grade::Mismatch& m) {
  const std::string who = tell_who_stored(m);
  const std::string text = words::text(
      Id::array_changed,
      {{"array", m.array}, {"element", element_text(m)}, {"expected", m.expected}, {"got", m.got}});
  return who.empty() ? text : words::text(Id::array_changed_by, {{"text", text}, {"who", who}});
}

std::string tell_element(const grade::Mismatch& m) {
  return text_of_value(m, m.expected, Id::element_wrong, Id::element_unwritten);
}

std::string tell_inputs(const grade::Mismatch& m) {
  std::vector<std::string> each;
  for (const auto& [name, value] : m.inputs)
    each.push_back(fmt::format("{}[{}] = {}", name, m.col, value));
  return joined(each);
}

bool has_no_stores(const grade::Mismatch& m) {
  return m.never_written_count > 1 && m.never_written_count == m.total;
}

std::string tell_no_stores(const grade::Mismatch& m) {
  return words::text(Id::nothing_stored, {{"array", m.array}});
}

std::vector<std::string> tell_mismatch(const grade::Mismatch& m) {
  std::vector<std::string> lines;
  const std::string expected =
      m.bound.empty()
          ? m.expected
          : words::text(Id::value_within, {{"expected", m.expected}, {"bound", m.bound}});
  const auto add = [&](const std::string& line) { lines.push_back("  " + line); };
  if (m.total == 1) {
    lines.push_back(text_of_value(m, expected, Id::element_wrong, Id::element_unwritten));
  } else {
    const bool none_written = m.never_written && m.never_written_count == m.wrong;
    lines.push_back(words::text(none_written ? Id::elements_unwritten : Id::wrong_elements,
                                {{"array", m.array},
                                 {"shape", shape(m)},
                                 {"wrong", in_digits(m.wrong)},
                                 {"total", in_digits(m.total)}}));
    add(text_of_value(m, expected, Id::first_wrong,
                      none_written ? Id::first_expected : Id::first_unwritten));
    if (m.places) add(words::render(m.places));
  }
  if (m.constant)
    add(words::text(Id::all_the_same));
  else if (!m.belongs_to.empty())
    add(words::text(Id::belongs_in, {{"element", m.belongs_to}}));
  else if (const int digits = right_digits(m); digits != 0)
    add(words::text(Id::digits_right, {{"digits", std::to_string(digits)}}));
  if (!m.inputs.empty() && !m.never_written)
    add(words::text(Id::inputs_there, {{"inputs", tell_inputs(m)}}));
  if (m.unread) add(words::render(m.unread));
  if (std::string stored = stored_line(m); !stored.empty()) lines.push_back(std::move(stored));
  const std::uint64_t unwritten = m.never_written_count;
  if (has_no_stores(m))
    add(tell_no_stores(m));
  else if ((unwritten > 1 && unwritten != m.wrong) || (unwritten == 1 && !m.never_written))
    add(words::text(Id::elements_never_written, {{"count", in_digits(unwritten)}}));
  return lines;
}

bool knows_unread(const grade::TestResult& test) {
  return test.verdict.kind == "wrong_result" && !test.mismatches.empty() && test.idle.empty() &&
         !test.repair && test.mismatches.front().unread && first_error(test) == nullptr;
}

launch::SourceLine line_left_unread(const grade::TestResult& test) {
  if (!knows_unread(test)) return {};
  const words::Value* line = test.mismatches.front().unread.find("line");
  const auto* at = line ? std::get_if<launch::SourceLine>(line) : nullptr;
  return at ? *at : launch::SourceLine{};
}

}  // namespace labkit::explain
