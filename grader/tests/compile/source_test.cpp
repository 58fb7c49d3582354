#include "compile/source.h"

#include <gtest/gtest.h>

#include "compile/diagnose.h"
#include "compile/outline.h"
#include "messages.h"

namespace labkit::compile {
namespace {

using Names = std::vector<std::string>;

TEST(Source, FindsIncludesAndNothingThatOnlyLooksLikeOne) {
  EXPECT_EQ(includes_of("#include <a.h>\n  #  include \"b/c.h\" // x\n"
                        "// #include <no>\n/*\n#include <no>\n*/\n"
                        "const char* s = R\"x(\n#include <no>\n)x\";\n"
                        "#include \\\n<d>\nint i; #include <no>\n#include MACRO\n"),
            (Names{"a.h", "b/c.h", "d"}));
}

TEST(Source, FindsKernelsThroughTheirAttributes) {
  EXPECT_EQ(
      kernels_of("__global__ void a(int);\n"
                 "template <int N> __global__ void __launch_bounds__(256, 2) b(int* p) {}\n"
                 "extern \"C\" __global__ __launch_bounds__(N * (2 + 1)) void c() {}\n"
                 "void __global__ d() {}\n// __global__ void e() {}\n__global__ void a(int) {}"),
      (Names{"a", "b", "c", "d"}));
}

std::string without_main(std::string_view source) { return prepare(source, "kernel.cu").source; }

TEST(Source, BlanksMainAndNothingElse) {
  EXPECT_EQ(without_main("int a;\nint main() { return '}'; }\nint b;"),
            "int a;\n                          \nint b;");
  EXPECT_EQ(without_main("auto main(int, char**) -> int {\n}\n"), std::string(31, ' ') + "\n \n");
  for (const char* other : {"struct S { int main() { return 1; } };", "int main();",
                            "__device__ int domain(int) { return 1; }", "// int main() {}\n",
                            "int x = main(1);", "\"int main() {}\";", "int main() {"})
    EXPECT_EQ(without_main(other), other);
}

TEST(Source, MainMayHoldAnyText) {
  const std::string main =
      "int main() {\n  auto a = R\"(}\")\"; char b = '\\''; int c = 1'000; // }\n  /* } */ "
      "\"\\\"}\";\n}";
  const Prepared prepared = prepare("int a;\n" + main + "\nint z;", "kernel.cu");
  EXPECT_EQ(prepared.source.find_first_not_of(" \n", 7), prepared.source.size() - 6);
  EXPECT_EQ(only(prepared.notes), (Message{Id::note_main_left_out,
                                           {{"file", "kernel.cu"},
                                            {"first", SourceLine{"kernel.cu", 2}},
                                            {"last", SourceLine{"kernel.cu", 5}}}}));
}

TEST(Source, BothMainsOfAConditionalAreBlanked) {
  EXPECT_EQ(
      prepare("#ifdef A\nint main() {\n}\n#else\nint main(int) {\n}\n#endif\n", "k").notes.size(),
      2u);
}

TEST(Source, SurvivesTextThatEndsAnywhere) {
  const std::string text =
      "#include <a> /* x */ \\\n y\nint main() { R\"d(x)d\"; 'a'; \"b\\\"\"; 1'0.5e+3; } // "
      "end\\\n more";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string_view part = std::string_view(text).substr(0, size);
    EXPECT_EQ(prepare(part, "k").source.size(), size);
    includes_of(part);
    kernels_of(part);
  }
}

TEST(Diagnose, ReadsTheCompilersLines) {
  const auto list = diagnostics_of(
      "a (1).cu(12): error: expected a \";\"\n   int x\n   ^\n"
      "kernel.cu(3): warning #177-D: variable \"z\" was declared\n"
      "kernel.cu(4): catastrophic error: out of memory\nnote (5): error\n");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].file, "a (1).cu");
  EXPECT_EQ(list[0].line, 12u);
  EXPECT_TRUE(list[0].is_error);
  EXPECT_EQ(list[0].text, "expected a \";\"");
  EXPECT_FALSE(list[1].is_error);
  EXPECT_TRUE(list[2].is_error);
  EXPECT_EQ(list[0].kind, DiagnosticKind::expected_symbol);
  EXPECT_EQ(list[0].number, 0);
  EXPECT_EQ(list[0].names, std::vector<std::string>{";"});
  EXPECT_EQ(list[1].number, 177);
  EXPECT_EQ(list[1].kind, DiagnosticKind::other);
  EXPECT_EQ(list[2].kind, DiagnosticKind::out_of_memory);
}

TEST(Diagnose, ErrorsInTheOrderOfTheSource) {
  const std::string log =
      "k.cu(9): error: b\n  shown\n\nk.cu(3): warning: w\nk.cu(2): error: a\nk.cu(2): note: n\n"
      "h.h(1): error: c\nk.cu(9): error: b\n";
  const auto errors = errors_in_source_order(log);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].text, "a");
  EXPECT_EQ(errors[0].details, "");
  EXPECT_EQ(errors[1].text, "b");
  EXPECT_EQ(errors[1].details, "  shown\n\n");
  EXPECT_EQ(errors_in_source_order(log, "h.h").size(), 1u);
  EXPECT_TRUE(errors_in_source_order("").empty());
}

TEST(Diagnose, TakesTheRootOfTheTrouble) {
  // An unknown type of the host's comes before the function that is host code: the function is the
  // thing to fix.
  EXPECT_EQ(
      explain_rejection("k.cu(7): error: identifier \"cudaError_t\" is undefined\n", "k.cu"),
      (Message{Id::compile_host_name, {{"at", SourceLine{"k.cu", 7}}, {"name", "cudaError_t"}}}));
  EXPECT_EQ(explain_rejection("", "k.cu"), (Message{Id::compile_failed, {{"file", "k.cu"}}}));
  EXPECT_TRUE(ran_out_of_memory("k.cu(4): catastrophic error: out of memory\n"));
  EXPECT_TRUE(ran_out_of_memory("k.cu(1): warning: w\nerror: out of memory\n"));
  // an error that was found before is the reason
  EXPECT_FALSE(
      ran_out_of_memory("k.cu(4): error: expected a \";\"\nk.cu(4): error: out of memory\n"));
  EXPECT_FALSE(
      ran_out_of_memory("k.cu(4): error: static assertion failed with \"error: out of memory\"\n"));
  EXPECT_FALSE(ran_out_of_memory("k.cu(4): error: identifier \"out of memory\" is undefined\n"));
}

TEST(Diagnose, NamesHostCodeAlsoWhereTheLogShowsNoSource) {
  constexpr char kFunction[] =
      ": error: A function without execution space annotations (__host__/__device__/__global__) is "
      "considered a host function, and host functions are not allowed in JIT mode. Consider using "
      "-default-device flag to process unannotated functions as __device__ functions in JIT mode\n";
  constexpr char kVariable[] =
      ": error: A namespace scope variable without memory space annotations "
      "(__device__/__constant__/__shared__/__managed__) is considered a host variable, and host "
      "variables are not allowed in JIT mode. Consider using -default-device flag to process "
      "unannotated namespace scope variables as __device__ variables in JIT mode\n";
  const std::string source =
      "static float* fill(int n) {\nstd::vector<int> counts;\nstruct { int x; } odd\n"
      "double table[4] = {};\n}\n";
  const auto named = [&](int line, const char* what) {
    const Message message =
        explain_rejection("k.cu(" + std::to_string(line) + ")" + what, "k.cu", {}, source);
    expect_message(message);
    const std::string names = text_of(message, "names");
    return names.empty() ? std::string(name_of(message.id)) : names;
  };
  EXPECT_EQ(named(1, kFunction), "`fill`");
  EXPECT_EQ(named(2, kVariable), "`counts`");
  EXPECT_EQ(named(3, kFunction), "compile_host_lines");
  EXPECT_EQ(named(4, kVariable), "`table`");
  EXPECT_EQ(named(9, kVariable), "compile_host_lines");
  EXPECT_EQ(
      explain_rejection("k.cu(1)" + std::string(kFunction), "k.cu", {"fill<float>"}, source),
      (Message{Id::compile_missing_global, {{"at", SourceLine{"k.cu", 1}}, {"name", "fill"}}}));
  std::string log;
  for (int line = 1; line <= 6; ++line) log += "k.cu(" + std::to_string(line) + ")" + kFunction;
  const Message many = explain_rejection(log, "k.cu", {},
                                         "void a() {}\nvoid b() {}\nvoid c() {}\nvoid d() {}\n"
                                         "void e() {}\nvoid f() {}\n");
  EXPECT_EQ(text_of(many, "names"), "`a`, `b`, `c`, `d`, ...");
  EXPECT_EQ(text_of(many, "lines"), "1, 2, 3, 4, ...");
}

TEST(LookAlike, IsTheFirstOfItsLineCountedInCharacters) {
  const std::string text = "int a;\n\xc3\xa9 b \xe2\x88\x92 c\xef\xbc\x9b\n\xc2\xa0x";
  EXPECT_FALSE(look_alike(text, "kernel.cu", 1));
  const Message minus = look_alike(text, "kernel.cu", 2);
  EXPECT_EQ(place_of(minus), (SourceLine{"kernel.cu", 2}));
  EXPECT_EQ(*minus.find("column"), words::count(5));
  EXPECT_EQ(text_of(minus, "code"), "U+2212");
  EXPECT_EQ(text_of(minus, "meant"), "-");
  EXPECT_EQ(only({look_alike(text, "kernel.cu", 3)}).id, Id::compile_look_alike_blank);
  EXPECT_EQ(only({look_alike("\xe2\x80\x8b", "k.cu", 1)}).id, Id::compile_invisible_character);
  EXPECT_FALSE(look_alike(text, "kernel.cu", 9));
  EXPECT_FALSE(look_alike("", "kernel.cu", 1));
  EXPECT_FALSE(look_alike("\xef\xbc", "kernel.cu", 1));  // cut off
}

TEST(MissingKernel, IsToldApartByWhatTheFileHas) {
  const auto of = [](const MissingKernel& kernel) {
    return only({explain_missing(kernel, "kernel.cu")});
  };
  MissingKernel kernel{.expression = "k<float>", .signature = {}, .log = {}, .present = {}};
  EXPECT_EQ(of(kernel).id, Id::compile_no_kernel);
  EXPECT_EQ(text_of(of(kernel), "wanted"), "template <...> __global__ void k(...)");
  kernel.present = {"j", "k"};
  EXPECT_EQ(of(kernel).id, Id::compile_other_kernel);
  kernel.log = "__nv_name_map(2): error: no instance matches\n";
  EXPECT_EQ(of(kernel).id, Id::compile_kernel_refused);
  EXPECT_EQ(text_of(of(kernel), "text"), "no instance matches");
  kernel.log = "kernel.cu(2): error: wrong\n";
  EXPECT_EQ(
      of(kernel),
      (Message{Id::compile_kernel_error,
               {{"at", SourceLine{"kernel.cu", 2}}, {"kernel", "k<float>"}, {"text", "wrong"}}}));
}

TEST(StudentLog, KeepsErrorsOnceAndWarningsOnlyAlone) {
  const std::string warning = "kernel.cu(1): warning #177-D: unused\n  int x;\n      ^\n";
  const std::string error = "kernel.cu(2): error: wrong\n  y\n  ^\n";
  EXPECT_EQ(student_log(warning), warning);
  EXPECT_EQ(student_log(warning + "\n" + error + "\n" + error +
                        "2 errors detected in the "
                        "compilation of \"kernel.cu\".\n"),
            error);
  EXPECT_EQ(student_log("__nv_name_map(2): error: no\n  #pragma\n  ^\n"), "");
  EXPECT_EQ(student_log("free text\n"), "free text\n");
}

}  // namespace
}  // namespace labkit::compile
