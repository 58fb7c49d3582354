#include "device/compiler_findings.h"

#include <algorithm>

#include "compile/diagnose.h"

namespace labkit::device {
namespace {

/// NVRTC's warning 549-D, in 11.8 to 13.
constexpr std::string_view kUnset = "is used before its value is set";

/// The text up to the end of that line, from 1.
std::string_view up_to_line(std::string_view source, std::uint32_t line) {
  std::size_t end = 0;
  for (std::uint32_t at = 1; at <= line && end < source.size(); ++at) {
    const auto next = source.find('\n', end);
    end = next == std::string_view::npos ? source.size() : next + 1;
  }
  return source.substr(0, end);
}

}  // namespace

bool is_of_other_kernel(std::string_view source, std::uint32_t line, const std::string& kernel) {
  const auto text = up_to_line(source, line);
  const auto begin = text.rfind("__global__");
  const auto helper = text.rfind("__device__");
  if (begin == std::string_view::npos || (helper != std::string_view::npos && helper > begin))
    return false;
  const auto head = source.substr(begin, source.find('{', begin) - begin);
  return head.find(compile::base_name(kernel) + "(") == std::string_view::npos;
}

void add_compiler_findings(std::vector<launch::Finding>& findings, std::string_view log,
                           std::string_view source, const std::string& kernel) {
  for (const auto& diagnostic : compile::diagnostics_of(log)) {
    if (diagnostic.is_error || diagnostic.text.find(kUnset) == std::string::npos ||
        is_of_other_kernel(source, diagnostic.line, kernel))
      continue;
    const auto is_told = [&](const launch::Finding& have) {
      return have.kind == launch::FindingKind::uninitialized &&
             (have.where.line == diagnostic.line || have.other.line == diagnostic.line);
    };
    const auto told = std::find_if(findings.begin(), findings.end(), is_told);
    const std::string said = "\nThe compiler says: " + diagnostic.text;
    if (told != findings.end()) {  // it knows the variable's name
      if (told->space == "local" && told->text.find(said) == std::string::npos)
        told->text.insert(std::min(told->text.find("\nFix: "), told->text.size()), said);
      continue;
    }
    launch::Finding finding;
    finding.kind = launch::FindingKind::uninitialized;
    finding.severity = launch::Severity::warning;
    finding.space = "local";
    finding.kernel = kernel;
    finding.where = {diagnostic.file, diagnostic.line};
    finding.text = "Uninitialized variable read\nat ";
    finding.text += kernel + " in " + diagnostic.file + ":" + std::to_string(diagnostic.line);
    finding.text += said;
    finding.text += "\nFix: give the variable a value where it is declared.";
    findings.push_back(std::move(finding));
  }
}

}  // namespace labkit::device
