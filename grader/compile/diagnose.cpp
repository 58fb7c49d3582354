#include "compile/diagnose.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace labkit::compile {
namespace {

constexpr char kWrap[] =
    "wrap it in `#ifndef __CUDACC_RTC__` ... `#endif`, or keep it in another file";

/// What stands between the first pair of `quote` characters after `from`.
std::string quoted(std::string_view text, char quote = '"') {
  const std::size_t open = text.find(quote);
  const std::size_t close = text.find(quote, open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  return std::string(text.substr(open + 1, close - open - 1));
}

bool is_host_api(const std::string& identifier) {
  return (identifier.starts_with("cuda") && identifier.size() > 4 && identifier[4] >= 'A' &&
          identifier[4] <= 'Z') ||
         identifier == "malloc_host" || identifier == "fprintf" || identifier == "exit" ||
         identifier == "fopen" || identifier == "FILE";
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::vector<Diagnostic> diagnostics_of(std::string_view log) {
  std::vector<Diagnostic> list;
  for (const std::string_view line : split_lines(log)) {
    // name(12): error: text    name(12): warning #177-D: text    name(12): catastrophic error: text
    const std::size_t close = line.find("): ");
    if (close == std::string_view::npos) continue;
    const std::size_t open = line.rfind('(', close);
    if (open == std::string_view::npos) continue;
    Diagnostic found;
    const char* end = line.data() + close;
    if (std::from_chars(line.data() + open + 1, end, found.line).ptr != end) continue;
    found.file = line.substr(0, open);
    const std::string_view rest = line.substr(close + 3);
    const std::size_t colon = rest.find(": ");
    if (colon == std::string_view::npos) continue;
    const std::string_view severity = rest.substr(0, colon);
    found.is_error = contains(severity, "error");
    if (!found.is_error && !contains(severity, "warning")) continue;
    found.text = rest.substr(colon + 2);
    list.push_back(std::move(found));
  }
  return list;
}

std::string explain_rejection(std::string_view log, const std::string& name) {
  const auto at = [&](const Diagnostic& found) {
    return found.file + ":" + std::to_string(found.line);
  };
  const Diagnostic* first = nullptr;
  const Diagnostic* host = nullptr;
  const std::vector<Diagnostic> all = diagnostics_of(log);
  for (const Diagnostic& found : all) {
    if (!found.is_error) continue;
    if (first == nullptr) first = &found;
    if (contains(found.text, "not open source file"))
      return at(found) + " includes \"" + quoted(found.text) +
             "\", which is not available here: a submission is one file, and can include only "
             "standard headers and CUDA's device headers.";
    if (host == nullptr &&
        (contains(found.text, "not allowed in JIT mode") || is_host_api(quoted(found.text)) ||
         contains(found.text, "namespace \"std\" has no member")))
      host = &found;
  }
  if (host != nullptr) {
    if (contains(host->text, "namespace scope variable"))
      return at(*host) +
             ": this variable lives on the host, and only device code is compiled here. If "
             "the kernel uses it, write __device__ or constexpr before it; if not, " +
             kWrap + ".";
    if (contains(host->text, "not allowed in JIT mode"))
      return at(*host) +
             ": this function is host code, and only device code is compiled here. If the kernel "
             "calls it, write __device__ before it; if not, " +
             kWrap + ".";
    if (contains(host->text, "namespace \"std\" has no member"))
      return at(*host) + " uses std::" + quoted(host->text.substr(host->text.find("member"))) +
             ", which device code does not have. If this is host code, " + kWrap + ".";
    return at(*host) + " uses \"" + quoted(host->text) +
           "\", which belongs to host code, and only device code is compiled here: " + kWrap + ".";
  }
  if (first == nullptr) return name + " does not compile.";
  if (first->text ==
      "qualified name is not allowed")  // NVRTC's way to say that std::vector is not there
    return at(*first) + " uses a type that device code does not have. If this is host code, " +
           kWrap + ".";
  return at(*first) + ": " + first->text;
}

bool ran_out_of_memory(std::string_view log) {
  for (const Diagnostic& found : diagnostics_of(log))
    if (found.is_error && found.text == "out of memory") return true;
  return false;
}

std::string base_name(const std::string& expression) {
  return std::string(trim(expression.substr(0, expression.find('<'))));
}

std::string explain_missing(const MissingKernel& kernel, const std::string& name) {
  const std::string base = base_name(kernel.expression);
  const bool is_template = kernel.expression.find('<') != std::string::npos;
  const std::string wanted = !kernel.signature.empty() ? kernel.signature
                             : is_template ? "template <...> __global__ void " + base + "(...)"
                                           : "__global__ void " + base + "(...)";
  const std::vector<std::string>& present = kernel.present;
  if (std::find(present.begin(), present.end(), base) == present.end()) {
    if (kernel.is_other_function)
      return base + " in " + name + " is not a kernel: a kernel is declared `__global__ void`.";
    std::string listed;
    for (const std::string& one : present) listed += (listed.empty() ? "" : ", ") + one;
    return name + " has no kernel named " + base + " (wanted: `" + wanted + "`); " +
           (listed.empty() ? "it has no __global__ function at all."
                           : "its __global__ functions are: " + listed + ".");
  }
  // The kernel is there. An error in the student's own lines says what is wrong inside it.
  for (const Diagnostic& found : diagnostics_of(kernel.log))
    if (found.is_error && found.file == name)
      return "kernel " + kernel.expression + " cannot be compiled: " + found.file + ":" +
             std::to_string(found.line) + ": " + found.text;
  return name + " has a kernel " + base + ", but it cannot be used as " + kernel.expression +
         " (wanted: `" + wanted + "`, and only one kernel of that name).";
}

}  // namespace labkit::compile
