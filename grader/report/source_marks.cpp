#include "report/source_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "base/text.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using html::Standing;

class Marks {
 public:
  explicit Marks(std::string file) : file_(std::move(file)) {}

  /// `what` is the same for what is one remark, though its text may speak of other addresses or numbers. `test`: "" if it is
  /// about none.
  void add(const launch::SourceLine& where, Standing standing, const std::string& text,
           const std::string& test, const std::string& what = {}) {
    if (where.line == 0 || where.file != file_) return;
    std::vector<std::size_t>& of_line = at_[where.line];
    const auto same = std::ranges::find_if(of_line, [&](std::size_t i) {
      const Mark& mark = marks_[i];
      return what.empty() ? mark.text == text : mark.what == what && mark.standing == standing;
    });
    constexpr std::size_t kMostOfLine = 20;
    if (same == of_line.end() && of_line.size() == kMostOfLine) return;
    const std::size_t place = same == of_line.end() ? marks_.size() : *same;
    if (place == marks_.size()) {
      of_line.push_back(place);
      marks_.push_back({where.line, standing, text, what, {}});
    }
    std::vector<std::string>& tests = marks_[place].tests;
    if (!test.empty() && std::ranges::find(tests, test) == tests.end()) tests.push_back(test);
  }
  bool has(std::uint32_t line) const { return at_.contains(line); }
  std::vector<html::LineMark> take() {
    std::vector<html::LineMark> out;
    for (const Mark& mark : marks_)
      out.push_back(
          {.line = mark.line,
           .standing = mark.standing,
           .text = mark.tests.empty() ? mark.text : mark.text + "\nin " + joined(mark.tests)});
    return out;
  }

 private:
  struct Mark {
    std::uint32_t line;
    Standing standing;
    std::string text, what;
    std::vector<std::string> tests;
  };
  std::string file_;
  std::vector<Mark> marks_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> at_;  ///< of each line
};

/// What happened and how to mend it; where and who stand in the test.
std::string in_short(const launch::Finding& finding) {
  std::vector<std::string> lines = {explain::first_words(finding)};
  explain::append(lines, explain::fix_lines(finding.fix));
  return joined(lines, "\n");
}

/// "kernel.cu(7): error: expected a ..." and "kernel.cu(7): warning #123-D: ...".
void add_compiler_errors(const grade::LabResult& result, const std::string& file, Marks& marks) {
  for (const std::string_view line : split_lines(result.compile_log)) {
    if (!line.starts_with(file + "(")) continue;
    const std::string_view rest = line.substr(file.size() + 1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const std::string_view after = rest.substr(static_cast<std::size_t>(end - rest.data()));
    if (error != std::errc() || !after.starts_with("): ")) continue;
    marks.add({file, number}, after.starts_with("): error") ? Standing::wrong : Standing::slow,
              std::string(after.substr(3)), "");
  }
}

}  // namespace

std::string graded_file_name(const grade::LabResult& result) {
  // Where a class is graded, `file` says where it was handed in, and lines are told of the copy that
  // was compiled. There is one source; what else has lines are the kit's own headers.
  std::map<std::string, std::size_t> named;
  const auto saw = [&](const launch::SourceLine& where) {
    if (where.line && where.file.ends_with(".cu")) ++named[where.file];
  };
  saw(result.where);
  for (const grade::TestResult& test : result.tests) {
    for (const launch::Finding& finding : test.findings) saw(finding.where);
    for (const grade::Mismatch& mismatch : test.mismatches)
      if (mismatch.stored) saw(mismatch.stored->where);
    for (const grade::GateResult& gate : test.gates) saw(gate.culprit.where);
  }
  const std::string own = std::filesystem::path(result.file).filename().string();
  if (named.empty() || named.contains(own)) return own;
  return std::ranges::max_element(named, {}, &decltype(named)::value_type::second)->first;
}

std::vector<html::LineMark> line_marks(const grade::LabResult& result) {
  const std::string file = graded_file_name(result);
  Marks marks(file);
  add_compiler_errors(result, file, marks);
  for (const grade::TestResult& test : result.tests) {
    const std::string short_name = test.name.substr(test.name.find('.') + 1);
    for (const device::IdleStatement& idle : test.idle)
      marks.add({file, idle.line}, Standing::wrong,
                words::render(idle.what) + "\nFix: " + words::render(idle.fix), short_name);
    for (const launch::Finding& finding : test.findings) {
      const Standing standing =
          finding.severity == launch::Severity::error ? Standing::wrong : Standing::slow;
      marks.add(finding.where, standing, in_short(finding), short_name,
                fmt::format("{} {}", launch::name_of(finding.kind), finding.other.line));
      if (finding.other.line && finding.other.line != finding.where.line)
        marks.add(
            finding.other, standing,
            fmt::format("{}, with line {}", launch::name_of(finding.kind), finding.where.line),
            short_name);
    }
    for (const grade::Mismatch& mismatch : test.mismatches)
      if (mismatch.stored && !mismatch.never_written)
        marks.add(mismatch.stored->where, Standing::wrong,
                  fmt::format("{}: {}; stored by {}", test.verdict.text(),
                              explain::tell_element(mismatch), explain::tell_who_stored(mismatch)),
                  short_name, test.verdict.kind);
    for (const grade::GateResult& gate : test.gates) {
      if (gate.passed || gate.undecided) continue;
      const std::string value = explain::number(gate.culprit.value);
      const std::string said =
          grade::is_counted(gate.figure) ? value + " here" : "warps reach it " + value + " times";
      marks.add(gate.culprit.where, Standing::slow,
                gate.culprit.instruction.empty()
                    ? explain::headline(test)
                    : fmt::format("{}: {} ({})", explain::title_of(gate.figure), said,
                                  gate.culprit.instruction),
                short_name);
    }
  }
  if (!result.verdict.passed() && !result.message.empty() && !marks.has(result.where.line))
    marks.add(result.where, html::standing_of(result.verdict.text()), words::render(result.message),
              "");
  return marks.take();
}

}  // namespace labkit::report
