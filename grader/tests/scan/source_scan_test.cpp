// Everything that scans a student's source, on much of each token that could make one of them look back or ahead
// again and again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text.h"
#include "class/intake/lab_names.h"
#include "class/similar/similar.h"
#include "compile/constant_extents.h"
#include "compile/declarations.h"
#include "compile/diagnose.h"
#include "compile/line_directives.h"
#include "compile/outline.h"
#include "compile/source.h"
#include "counted_steps.h"
#include "device/source_findings.h"
#include "grade/source.h"
#include "report/html_source.h"

namespace labkit::scan {
namespace {

/// `before`, then `piece` again and again, then as often what closes it.
struct Shape {
  std::string piece, close = {}, before = {};

  std::string text(std::size_t bytes) const {
    const std::size_t opening = bytes * piece.size() / (piece.size() + close.size());
    // an even number: a single quote too many would put all that follows into a string
    const std::string opened = repeated(piece, opening / (2 * piece.size()) * 2 * piece.size());
    return before + opened + repeated(close, opened.size() / piece.size() * close.size());
  }
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"copy("},
      {"copy(", ")"},
      {"copy(", ")", "__global__ void "},
      {"copy(a, b) "},
      {"copy(", "", "__global__ void "},
      {"main("},
      {"main(", ")"},
      {"main() "},
      {"main(){}"},
      {"int main() {\n}\n"},
      {"{"},
      {"{", "}"},
      {"}"},
      {"("},
      {"(", ")"},
      {")"},
      {"["},
      {"[", "]"},
      {"a["},
      {"a[b,", "]"},
      {"a[(", ")]"},
      {"<"},
      {"<", ">"},
      {"/*"},
      {"/**/"},
      {"//"},
      {"//\n"},
      {"// \\\n"},
      {"/"},
      {"*/"},
      {"\""},
      {"\"\\"},
      {"'"},
      {"1'"},
      {"R\"("},
      {"R\"(", ")\""},
      {"R\"", ")"},
      {"R\"abcdefghijklmnop("},
      {"#if\n"},
      {"#if 1\n", "#endif\n"},
      {"#include <a>\n"},
      {"#define A A\n"},
      {"#define A 1 /*\n"},
      {"#"},
      {"\\\n"},
      {"\n"},
      {"\r\n"},
      {"a"},
      {"a "},
      {"1"},
      {"."},
      {","},
      {";"},
      {"=a,", "", "const int a"},
      {"const int a = 1;"},
      {"\xc3\xa4"},
      {"\xff"},
      {"__global__ "},
      {"__global__ void "},
      {"__global__ void copy("},
      {"__global__ void copy(", "){"},
      {"__global__ void copy(){"},
      {"__global__ void copy(){", "}"},
      {"__global__ void copy(int* a){extern "},
      {"__global__ void copy(int* a){extern ", "}"},
      {"__global__ void copy(S* a) {}\n"},
      {"__global__ __launch_bounds__("},
      {"__global__ __launch_bounds__(", ")"},
      {"__device__ "},
      {"template<"},
      {"template<", ">"},
      {"struct "},
      {"struct S {"},
      {"struct S {", "};"},
      {"struct S { float a; };\n", "", "__global__ void copy(S* a);"},
      {"T t; ", "", "struct T{int a;}; __global__ void copy(S* a); struct S {"},
      {"struct alignas(8) "},
      {"__shared__ float a["},
      {"__shared__ float a[b["},
      {"__shared__ float a[", "]"},
      {"a[x],", "", "__shared__ float "},
      {"a[1],", "", "__shared__ float "},
      {"if ("},
      {"if (", ")"},
      {"if (a = b) "},
      {"if (a < b < c) "},
      {"if (a = ", ")"},
      {"for (;;"},
      {"for (;;", ")"},
      {"TODO\n"},
      {"TODO\n", "", "__global__ void copy() {"},
  };
  return all;
}

struct Scanner {
  const char* name;
  std::function<void(const std::string&)> scan;
};

constexpr std::size_t kMegabyte = 1 << 20;

/// Of the smaller text of a pair. The label `long` asks for a megabyte.
std::size_t bytes_of_pairs() {
  const char* asked = std::getenv("LABKIT_SCAN_BYTES");
  return asked ? std::stoul(asked) : std::size_t{1} << 14;
}

std::vector<grade::Manifest> labs() {
  std::vector<grade::Manifest> labs(2);
  labs[0].id = "lab1";
  labs[0].kernels.resize(1);
  labs[0].kernels[0].name = "copy";
  labs[1].id = "lab2";
  labs[1].kernels.resize(1);
  labs[1].kernels[0].name = "main";
  return labs;
}

const Scanner kScanners[] = {
    {"InspectKernel", [](const auto& text) { compile::SourceOutline(text).kernel("copy"); }},
    {"LabNames",
     [](const auto& text) {
       const course::LabNames names(labs());
       names.kernels_in(text);
     }},
    {"FirstComment",
     [](const auto& text) {
       grade::declared(text, "verdict");
       grade::marked_lines(text);
     }},
    {"Prepare", [](const auto& text) { compile::prepare(text, "kernel.cu"); }},
    {"KernelsOf", [](const auto& text) { compile::kernels_of(text); }},
    {"IncludesOf", [](const auto& text) { compile::includes_of(text); }},
    {"DeclaredFunctions",
     [](const auto& text) { compile::declared_functions(compile::Tokens(text)); }},
    {"Unreadable", [](const auto& text) { compile::unreadable(text, "kernel.cu"); }},
    {"LookAlike", [](const auto& text) { compile::look_alike(text, "kernel.cu", 1); }},
    {"Rejection",
     [](const auto& text) {
       compile::explain_rejection("kernel.cu(1): error: expected a \";\"\n", "kernel.cu", {"copy"},
                                  text);
       compile::include_inside(text, "kernel.cu");
     }},
    {"Constants", [](const auto& text) { compile::constants_of(compile::Tokens(text)); }},
    {"DeclaredArrays", [](const auto& text) { compile::shared_arrays_of(text); }},
    {"DeclaredStructures", [](const auto& text) { compile::pointed_structure(text, "copy", "a"); }},
    {"StructureLayout", [](const auto& text) { compile::padding_of_pointed(text, "copy", 0); }},
    {"IndexComma", [](const auto& text) { compile::index_with_comma(text); }},
    {"LineDirectives", [](std::string text) { compile::blank_line_directives(text); }},
    {"NamedFiles",
     [](const auto& text) { compile::with_known_files(text, "kernel.cu", "/kernels", {}); }},
    {"IdleStatements", [](const auto& text) { device::idle_statements("", text, "copy"); }},
    {"KernelHead", [](const auto& text) { compile::kernel_head(compile::Tokens(text), "copy"); }},
    {"SourceSlips",
     [](const auto& text) {
       device::swapped_parameters(text, "copy", {"a", "b"});
       device::rounding_call(text, "copy");
       compile::Diagnostic unknown;
       unknown.line = 1;
       unknown.kind = compile::DiagnosticKind::undefined_identifier;
       unknown.names = {"a"};
       device::loop_without_body(unknown, text);
     }},
    {"Similar",
     [](const auto& text) {
       const std::string source(text);
       course::similar_pairs("lab1", {{"ana", source, {}, {}}, {"bo", source + "1", {}, {}}}, {});
     }},
    {"SourceListing", [](const auto& text) { report::html::source_listing("s", text, {}); }},
    {"Text",
     [](const auto& text) {
       replace_all(text, "(", "<(>");
       to_valid_utf8(text);
       trim(text);
     }},
};

class SourceScan : public testing::TestWithParam<Scanner> {};

TEST_P(SourceScan, TakesTwiceTheStepsForTwiceTheText) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.before + " | " + shape.piece + " | " + shape.close);
    const double grown = growth([&](std::size_t bytes) { return shape.text(bytes); },
                                bytes_of_pairs(), GetParam().scan);
    EXPECT_LT(grown, kLinear);
  }
}

INSTANTIATE_TEST_SUITE_P(Of, SourceScan, testing::ValuesIn(kScanners),
                         [](const auto& scanner) { return std::string(scanner.param.name); });

// The sources that held up a class for minutes.
TEST(SourceScan, AMegabyteOfWhatOnceTookMinutes) {
  for (const Shape& shape : {Shape{"copy(", {}, "__global__ void "}, Shape{"main("}, Shape{"{"},
                             Shape{"__global__ void "}})
    for (const char* name : {"InspectKernel", "Prepare", "KernelsOf"}) {
      SCOPED_TRACE(shape.piece + name);
      const auto scanner =
          std::find_if(std::begin(kScanners), std::end(kScanners),
                       [&](const Scanner& one) { return one.name == std::string_view(name); });
      EXPECT_LT(
          growth([&](std::size_t bytes) { return shape.text(bytes); }, kMegabyte, scanner->scan),
          kLinear);
    }
}

// The count itself: without it the tests above would be of no use.
TEST(CountedSteps, GrowWithTheSquareWhereEachLineIsCountedFromTheBeginning) {
  const auto scan = [](const std::string& text) {
    for (std::size_t at = 0; at < text.size(); at += 64) compile::line_at(text, at);
  };
  EXPECT_GT(growth([](std::size_t bytes) { return repeated("a\n", bytes); }, 1 << 12, scan), 3.5);
}

}  // namespace
}  // namespace labkit::scan
