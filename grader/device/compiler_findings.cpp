#include "device/compiler_findings.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "compile/diagnostics.h"
#include "device/other_kernels.h"

namespace labkit::device {
namespace {

using words::Id;

}  // namespace

void add_compiler_findings(std::vector<launch::Finding>& findings, std::string_view log,
                           std::string_view source, const std::string& kernel) {
  const OtherKernels others(source, kernel);
  const std::size_t before = findings.size();
  std::unordered_map<std::uint32_t, std::size_t> known;  // line -> the first finding about it
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].kind != launch::FindingKind::uninitialized) continue;
    known.try_emplace(findings[i].where.line, i);
    known.try_emplace(findings[i].other.line, i);
  }
  for (const auto& diagnostic : compile::diagnostics_of(log)) {
    if (diagnostic.is_error || diagnostic.kind != compile::DiagnosticKind::unset_variable ||
        others.have(diagnostic.line))
      continue;
    const words::Message said = {
        Id::undefined_variable_named,
        {{"variable", diagnostic.names.empty() ? std::string{} : diagnostic.names.front()}}};
    const auto [have, is_new] = known.try_emplace(diagnostic.line, findings.size());
    if (!is_new) {  // it knows the variable's name
      launch::Finding& seen = findings[have->second];
      constexpr std::size_t kMostEvidence = 20;  // of variables on one line
      auto& evidence = seen.evidence;
      if (seen.space == "local" && evidence.size() < kMostEvidence &&
          std::find(evidence.begin(), evidence.end(), said) == evidence.end())
        evidence.push_back(said);
      continue;
    }
    constexpr std::size_t kMost = 100;  // nobody reads more
    if (findings.size() >= before + kMost) break;
    launch::Finding finding;
    finding.kind = launch::FindingKind::uninitialized;
    finding.severity = launch::Severity::warning;
    finding.space = "local";
    finding.kernel = kernel;
    finding.where = {diagnostic.file, diagnostic.line};
    finding.cause = launch::Cause::uninitialized_variable;
    finding.evidence.push_back(said);
    finding.fix = {Id::undefined_fix_declared};
    findings.push_back(std::move(finding));
  }
}

}  // namespace labkit::device
