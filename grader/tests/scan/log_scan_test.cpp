// What reads the compiler's log: a source decides how many warnings it has, and what they quote.
#include <gtest/gtest.h>

#include "compile/diagnose.h"
#include "counted_steps.h"
#include "device/source_findings.h"

namespace labkit::scan {
namespace {

constexpr std::size_t kBytes = 1 << 15;
constexpr char kKernel[] = "__global__ void copy() {\n";

/// A source of lines with this statement, and a log with this diagnostic of each, the carets below it or not.
struct Told {
  std::string statement, diagnostic;
  bool has_caret = true;
  bool on_one_line = false;  ///< all warnings are about the same line

  std::string source(std::size_t bytes) const {
    return kKernel + repeated(statement + (on_one_line ? " " : "\n"), bytes);
  }
  std::string log(std::size_t bytes) const {
    const std::size_t count = bytes / (statement.size() + 1);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      text += "kernel.cu(" + std::to_string(on_one_line ? 2 : i + 2) + "): " + diagnostic + "\n";
      if (has_caret) text += "  " + statement + "\n  ^\n";
    }
    return text;
  }
};

const Told kTold[] = {
    {"copy;", "warning #174-D: expression has no effect"},
    {"copy;", "warning #174-D: expression has no effect", false},
    {"copy;", "warning #174-D: expression has no effect", false, true},
    {"a == 1;", "warning #174-D: expression has no effect"},
    {"a[1, 2];", "warning #174-D: expression has no effect"},
    {"if (a);", "warning #1813-D: empty dependent statement in if-statement"},
    {"a += 1;", "warning #549-D: variable \"a\" is used before its value is set"},
    {"a += 1;", "warning #549-D: variable \"a\" is used before its value is set", false, true},
    {"int f();", "error: function f is not allowed in JIT mode"},
    {"}", "error: expected a declaration"},
};

void grows_evenly(const std::function<void(const Told&, std::size_t)>& read) {
  for (const Told& told : kTold) {
    SCOPED_TRACE(told.statement + " " + told.diagnostic);
    // growth() is of a text; here its size alone says how many there are
    EXPECT_LT(growth([](std::size_t bytes) { return std::string(bytes, ' '); }, kBytes,
                     [&](const std::string& text) { read(told, text.size()); }),
              kLinear);
  }
}

TEST(LogScan, IdleStatements) {
  grows_evenly([](const Told& told, std::size_t bytes) {
    device::idle_statements(told.log(bytes), told.source(bytes), "copy");
  });
}

TEST(LogScan, CompilerFindings) {
  grows_evenly([](const Told& told, std::size_t bytes) {
    std::vector<launch::Finding> findings;
    device::add_compiler_findings(findings, told.log(bytes), told.source(bytes), "copy");
  });
}

TEST(LogScan, Rejection) {
  grows_evenly([](const Told& told, std::size_t bytes) {
    const std::string log = told.log(bytes);
    compile::explain_rejection(log, "kernel.cu", {"copy", "main"}, told.source(bytes));
    compile::student_log(log);
    compile::ran_out_of_memory(log);
  });
}

}  // namespace
}  // namespace labkit::scan
