// The rules of `labkit lab check`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/prove_labs.h"
#include "compile/outline.h"
#include "explain/words.h"
#include "grade/prepare.h"
#include "grade/source.h"
#include "words/render.h"

namespace labkit::cli {
namespace {

using Complaints = std::vector<std::string>;

void judge_stub(const grade::Manifest& lab, Complaints& complaints) {
  const auto file = lab.directory / "kernel.cu";
  if (!std::filesystem::exists(file)) {
    complaints.push_back("there is no kernel.cu");
    return;
  }
  const std::string source = read_file(file);
  if (std::filesystem::exists(stub_of(lab)) && read_file(stub_of(lab)) != source)
    complaints.push_back(
        fmt::format("kernel.cu is not what labs/{}/.stub says was handed out", lab.folder));
  const compile::SourceOutline outline(source);
  for (const grade::Kernel& kernel : lab.kernels) {
    const compile::KernelSource found = outline.kernel(kernel.name);
    if (!found.found)
      complaints.push_back(fmt::format("kernel.cu does not define {}", kernel.name));
    else if (!found.untouched)
      complaints.push_back(fmt::format("kernel.cu:{}: {} is not a stub: its body holds code",
                                       found.line, kernel.name));
    else if (found.todo_line == 0 || !found.body_has_todo)
      complaints.push_back(fmt::format("kernel.cu:{}: {} has no TODO", found.line, kernel.name));
  }
  const grade::Submission stub =
      grade::prepare(lab, file, cache_directory(), {.compile_untouched = true});
  if (!stub.verdict.passed())
    complaints.push_back(
        fmt::format("kernel.cu: {}: {}", stub.verdict.text(), words::render(stub.message)));
}

void judge_solutions(const grade::Manifest& lab, Complaints& complaints) {
  const auto solutions = root_directory() / "solutions" / lab.folder;
  const auto correct = solution_files(lab, "correct"), wrong = solution_files(lab, "wrong");
  if (std::ranges::count(correct, solutions / lab.reference) == 0)
    complaints.push_back(fmt::format("the reference {} is not among solutions/{}/correct",
                                     lab.reference, lab.folder));
  if (wrong.size() < kMinWrong)
    complaints.push_back(
        fmt::format("there are {} wrong solutions; {} is the least", wrong.size(), kMinWrong));
  std::set<std::string> names;
  for (const auto& files : {correct, wrong})
    for (const auto& file : files)
      if (!names.insert(file.stem().string()).second)
        complaints.push_back(fmt::format("two solutions are called {}", file.stem().string()));
}

/// What a student reads of it: labkit grade, then each hint.
std::string all_told(const grade::LabResult& result, const explain::Defect& defect,
                     const explain::Hint* hint) {
  std::vector<std::string> lines =
      defect.test ? explain::tell_test_in_short(*defect.test) : explain::tell_lab(result);
  if (hint != nullptr)
    for (const std::string& tier : hint->tiers)
      lines.push_back(explain::fill_in(tier, defect, result));
  return joined(lines, "\n") + "\n";
}

/// Which test came to that verdict, and why.
std::string reason_for(const grade::LabResult& result, const grade::Verdict& verdict) {
  if (!result.message.empty()) return words::render(result.message);
  for (const grade::TestResult& test : result.tests)
    if (test.verdict == verdict) return test.name + ": " + explain::short_reason(test);
  return {};
}

/// {1} and {2} are the numbers of the marked lines.
std::string with_lines(std::string words, const std::vector<std::uint32_t>& marked) {
  for (std::size_t i = 0; i < marked.size(); ++i)
    words = replace_all(std::move(words), fmt::format("{{{}}}", i + 1), std::to_string(marked[i]));
  return words;
}

/// Those marked; with clang those that its own line declares, if there is one: its PTX does not say where a function was inlined.
std::set<std::uint32_t> expected_lines(const std::string& source,
                                       const std::vector<std::uint32_t>& marked,
                                       const std::string& compiler) {
  const auto of_clang = grade::declared(source, "clang lines");
  if (!of_clang || !compiler.starts_with("clang")) return {marked.begin(), marked.end()};
  std::istringstream words(*of_clang);
  return {std::istream_iterator<std::uint32_t>(words), {}};
}

}  // namespace

grade::Verdict verdict_with_bonus(const grade::LabResult& result) {
  const grade::TestResult* const first = grade::first_to_tell(result.tests);
  return first != nullptr && result.verdict.passed() ? first->verdict : result.verdict;
}

bool is_stub(const grade::Manifest& lab) {
  const auto file = lab.directory / "kernel.cu";
  if (!std::filesystem::exists(file)) return false;
  const std::string source = read_file(file);
  const compile::SourceOutline outline(source);
  return std::ranges::all_of(lab.kernels, [&](const grade::Kernel& kernel) {
    return outline.kernel(kernel.name).untouched;
  });
}

std::vector<std::string> judge_files(const grade::Manifest& lab, bool with_stub) {
  Complaints complaints;
  const auto readme = lab.directory / "README.md";
  if (!std::filesystem::exists(readme) || trim(read_file(readme)).size() < 200)
    complaints.push_back("README.md is missing or says next to nothing");
  if (!std::filesystem::exists(lab.directory / "check.cpp"))
    complaints.push_back("there is no check.cpp");
  if (!std::filesystem::exists(stub_of(lab)))
    complaints.push_back(fmt::format(
        "there is no .stub for `reset` to put back: cd labs/{} && cp kernel.cu .stub", lab.folder));
  bool has_gates = false, has_ratio = false;
  for (const grade::Test& test : lab.tests)
    for (const grade::Gate& gate : test.gates) {
      has_gates = true;
      has_ratio |= gate.is_minimum && gate.is_ratio();
    }
  if (has_gates && !has_ratio) complaints.push_back("lab.toml has no gate with a minimum ratio");
  if (with_stub) judge_stub(lab, complaints);
  judge_solutions(lab, complaints);
  return complaints;
}

std::vector<std::string> judge_correct(const grade::LabResult& result) {
  Complaints complaints;
  if (const grade::Verdict verdict = verdict_with_bonus(result); !verdict.passed())
    complaints.push_back(
        fmt::format("must pass, but is {}: {}", verdict.text(), reason_for(result, verdict)));
  for (const grade::TestResult& test : result.tests)
    if (test.budget_share > kMostBudgetShare)
      complaints.push_back(fmt::format("{} takes {:.0f}% of its budget; {:.0f}% is the most",
                                       test.name, 100 * test.budget_share, 100 * kMostBudgetShare));
  for (const grade::TestResult& test : result.tests)
    for (const grade::GateResult& gate : test.gates)
      if (gate.passed && gate.margin() < kMargin)
        complaints.push_back(fmt::format("gate {}: {}: margin {:.1f}%, {:.0f}% wanted", gate.name,
                                         explain::limit_text(gate), 100 * gate.margin(),
                                         100 * kMargin));
  return complaints;
}

std::vector<std::string> judge_wrong(const grade::LabResult& result, const std::string& source) {
  const auto declared = grade::declared_verdict(source);
  if (!declared) return {"its first comment declares no `verdict: ...`"};
  const grade::Verdict wanted = grade::verdict_from_text(*declared);
  if (wanted.kind.empty() || wanted.passed() || wanted.neutral())
    return {fmt::format("declares `{}`, which is no verdict of a wrong answer", *declared)};
  if (const grade::Verdict verdict = verdict_with_bonus(result); !(verdict == wanted))
    return {fmt::format("declares {}, gets {}: {}", wanted.text(), verdict.text(),
                        reason_for(result, verdict))};
  for (const grade::TestResult& test : result.tests)
    for (const grade::GateResult& gate : test.gates)
      if (gate.name == wanted.gate && gate.margin() > -kMargin)
        return {fmt::format("gate {}: {}: missed by only {:.1f}%, {:.0f}% wanted", gate.name,
                            explain::limit_text(gate), -100 * gate.margin(), 100 * kMargin)};
  return {};
}

std::string judge_limit(const grade::Gate& gate, const std::vector<double>& right,
                        const std::vector<double>& stopped) {
  constexpr double kRounding = 1.05;
  if (right.empty()) return {};
  double lowest = grade::kPartOfSlowestRight * std::ranges::min(right);
  for (const double ratio : stopped) lowest = std::max(lowest, ratio / (1 - kMargin));
  if (gate.threshold <= kRounding * lowest) return {};
  return fmt::format("gate {}: its limit is {:.3g}, where {:.3g} would do", gate.name,
                     gate.threshold, lowest);
}

std::vector<std::string> judge_reason(const grade::LabResult& result, const std::string& source,
                                      const explain::Hints& hints) {
  const auto wanted = grade::declared(source, "defect");
  const auto defect = explain::first_defect(result, hints.extents);
  if (!defect) return {};  // then the verdict is not what it declares, which is told
  Complaints complaints;
  if (!hints.find(*defect)) complaints.push_back(fmt::format("no hint for {}", defect->id));
  if (!wanted) return complaints;
  if (*wanted != defect->id)
    complaints.push_back(fmt::format("declares defect {}, is taken for {}", *wanted, defect->id));
  std::set<std::uint32_t> named;
  if (defect->idle)
    named = {defect->idle->line};
  else if (defect->gate)
    named = {defect->gate->culprit.where.line};
  else if (defect->finding)
    named = {defect->finding->where.line, defect->finding->other.line};
  else if (!defect->test)
    named = {result.where.line};
  const auto marked = grade::marked_lines(source);
  // of a wrong result it may be marked who stored it
  if (named.empty() && !marked.empty() && defect->mismatch && defect->mismatch->stored)
    named = {defect->mismatch->stored->where.line};
  named.erase(0);
  if (const auto expected = expected_lines(source, marked, result.compiler); named != expected)
    complaints.push_back(fmt::format("the report names line {}, but `// <--` stands at line {}",
                                     fmt::join(named, " and "), fmt::join(expected, " and ")));
  const std::string told = all_told(result, *defect, hints.find(*defect));
  for (const bool wanted : {true, false})
    for (const std::string& declared : grade::all_declared(source, wanted ? "says" : "never"))
      if (const std::string words = with_lines(declared, marked);
          (told.find(words) != std::string::npos) != wanted)
        complaints.push_back(fmt::format("`{}` is {}told: {}", words, wanted ? "not " : "", told));
  return complaints;
}

std::vector<std::string> judge_classes(const grade::Manifest& lab) {
  const grade::WrongClasses classes = grade::load_wrong_classes(root_directory());
  std::map<std::string, std::string> sources;
  for (const auto& file : solution_files(lab, "wrong"))
    sources[file.filename().string()] = read_file(file);
  const auto found = grade::by_class(classes, sources);
  const auto reasons = classes.does_not_fit.find(lab.id);
  if (found.empty() && reasons == classes.does_not_fit.end()) return {};
  Complaints complaints;
  for (const std::string& name : classes.names) {
    const bool fits = reasons == classes.does_not_fit.end() || !reasons->second.contains(name);
    if (fits != found.contains(name))
      complaints.push_back(fits ? fmt::format("no wrong solution is of the class `{}`", name)
                                : fmt::format("`{}` is said not to fit, but {} is of it", name,
                                              found.at(name).front()));
  }
  return complaints;
}

}  // namespace labkit::cli
