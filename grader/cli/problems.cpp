#include "cli/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include "base/text.h"
#include "explain/defect.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

struct Problem {
  std::uint32_t line = 1;
  bool is_error = true;
  std::string text, id;
};

std::string in_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const char plain = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    if (plain != ' ' || (!line.empty() && line.back() != ' ')) line += plain;
  }
  return std::string(trim(line));
}

/// Where the line's first word begins, from 1.
std::size_t column_of(const std::vector<std::string_view>& lines, std::uint32_t line) {
  if (line == 0 || line > lines.size()) return 1;
  const std::size_t first = lines[line - 1].find_first_not_of(" \t");
  return first == std::string_view::npos ? 1 : first + 1;
}

/// "kernel.cu(12): error: TEXT", as both compilers write; NVRTC may put a number before the colon.
std::vector<Problem> compiler_problems(const grade::LabResult& result) {
  std::vector<Problem> problems;
  for (const std::string_view text : split_lines(result.compile_log)) {
    const std::size_t open = text.find('('), close = text.find(')', open);
    if (open == std::string_view::npos || close == std::string_view::npos) continue;
    Problem problem;
    const auto [end, wrong] =
        std::from_chars(text.data() + open + 1, text.data() + close, problem.line);
    if (wrong != std::errc() || (end != text.data() + close && *end != ',')) continue;
    const std::string_view rest = text.substr(close + 1);
    const std::size_t error = rest.find("error"), colon = rest.find(": ", 1);
    if (error == std::string_view::npos || error > 12) continue;
    const std::size_t begin = rest.find(": ", error);
    if (begin == std::string_view::npos || colon == std::string_view::npos) continue;
    problem.text = in_one_line(std::string(rest.substr(begin + 2)));
    problem.id = "compile_error";
    problems.push_back(problem);
  }
  return problems;
}

Problem problem_of(const grade::TestResult& test) {
  Problem problem;
  for (const explain::LineAtFault& fault : explain::lines_at_fault(test)) {
    problem.line = fault.line;
    break;
  }
  problem.is_error = test.verdict.kind != "gate" && !test.verdict.inconclusive();
  problem.text = explain::headline(test);
  for (const std::string& fix : explain::describe_fix(test)) problem.text += " " + fix;
  problem.id = explain::cause_id(test);
  if (problem.id.empty()) problem.id = test.verdict.kind;
  return problem;
}

std::vector<Problem> problems_of(const grade::LabResult& result) {
  std::vector<Problem> problems = compiler_problems(result);
  if (!problems.empty()) return problems;
  for (const grade::TestResult& test : result.tests) {
    if (test.verdict.passed()) {
      for (const launch::Finding& finding : test.findings)
        if (finding.severity == launch::Severity::warning)
          problems.push_back({std::max(1u, finding.where.line), false,
                              explain::first_words(finding), explain::finding_id(finding, test)});
    } else if (!test.verdict.neutral()) {
      problems.push_back(problem_of(test));
    }
  }
  if (problems.empty() && !result.verdict.passed() && !result.verdict.neutral()) {
    const std::string text = words::render(result.message);
    problems.push_back({std::max(1u, result.where.line), !result.verdict.inconclusive(),
                        text.empty() ? explain::verdict_words(result) : text, result.verdict.kind});
  }
  return problems;
}

}  // namespace

std::string problems_text(const grade::LabResult& result, const std::string& file) {
  const std::vector<std::string_view> lines = split_lines(result.source);
  std::set<std::pair<std::uint32_t, std::string>> reported;  // several tests may share a cause
  std::string text;
  for (const Problem& problem : problems_of(result)) {
    const std::uint32_t line = std::max(1u, problem.line);
    if (!reported.insert({line, problem.id + (problem.id == "compile_error" ? problem.text : "")})
             .second)
      continue;
    text +=
        fmt::format("{}:{}:{}: {}: {} [{}]\n", file, line, column_of(lines, line),
                    problem.is_error ? "error" : "warning", in_one_line(problem.text), problem.id);
  }
  return text;
}

std::string problems_begin(const std::string& lab) {
  return fmt::format("labkit: grading {}\n", lab);
}

std::string problems_end(const std::string& lab, const std::string& outcome) {
  return fmt::format("labkit: graded {}: {}\n", lab, in_one_line(outcome));
}

}  // namespace labkit::cli
