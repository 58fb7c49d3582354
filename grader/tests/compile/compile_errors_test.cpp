#include "compile/compile.h"
#include "compile/diagnostics.h"
#include "messages.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

using CompileErrors = WithNvrtc;

struct Rejection {
  const char* what;
  const char* source;
  Id id;
  std::uint32_t line;
  const char* parameter = "";
  const char* value = "";  ///< its beginning
};

void PrintTo(const Rejection& rejection, std::ostream* out) { *out << rejection.what; }

class CompileRejects : public WithNvrtc, public testing::WithParamInterface<Rejection> {};

TEST_P(CompileRejects, WithOneMessage) {
  const Rejection& wanted = GetParam();
  const Result result = compile(request(wanted.source));
  EXPECT_EQ(result.status, Status::rejected) << result.ptx;
  const Message message = only(result.message);
  EXPECT_EQ(name_of(message.id), name_of(wanted.id)) << words::render(message);
  EXPECT_EQ(place_of(message), (SourceLine{"kernel.cu", wanted.line}));
  EXPECT_TRUE(text_of(message, wanted.parameter).starts_with(wanted.value))
      << words::render(message);
  EXPECT_EQ(result.ptx, "");
}

constexpr Rejection kRejections[] = {
    {"SyntaxError", "__global__ void k(int* p) {\n  p[0] = 1\n}", Id::compile_error_at, 3, "text",
     "expected a \";\""},
    {"UnknownName", "__global__ void k(int* p) {\n  p[0] = q;\n}", Id::compile_error_at, 2, "text",
     "identifier \"q\" is undefined"},
    {"HostFunction", "__global__ void k(int* p) {}\nint helper() { return 1; }",
     Id::compile_host_functions, 2, "names", "`helper`"},
    {"HostVariable", "float* buffer;\n__global__ void k(int* p) {}", Id::compile_host_variables, 1,
     "names", "`buffer`"},
    {"HostApi", "__global__ void k(int* p) {}\nvoid run() { cudaMalloc(0, 1); k<<<1, 1>>>(0); }",
     Id::compile_host_functions, 2, "names", "`run`"},
    {"HostTypes",
     "#include <vector>\n__global__ void k(int* p) {}\nstruct A { std::vector<int> v; };",
     Id::compile_host_type, 3},
    {"StandardLibrary", "__global__ void k(int* p) {\n  std::sort(p, p + 1);\n}",
     Id::compile_host_standard, 2, "name", "sort"},
    {"BraceTooMany",
     "__global__ void k(int* p) {\n  p[0] = 1; }\n  __syncthreads();\n  int i = 1;\n}\n",
     Id::compile_extra_brace, 5},
    {"BraceAlone", "}\n__global__ void k(int* p) {}\n", Id::compile_unmatched_brace, 1},
    {"BraceInWhatDoesNotCount", "#if 0\n}\n#endif\n__global__ void k(int* p) { p[0] = x; }\n",
     Id::compile_error_at, 4, "text", "identifier \"x\" is undefined"},
    {"DynamicNotShared",
     "__global__ void k(int* p) {\n  extern int tile[];\n  tile[0] = p[0];\n}\n",
     Id::compile_missing_shared, 2, "name", "tile"},
    {"IncludeInside", "__global__ void k(int* p) {\n#include <cstdio>\n  p[0] = 1;\n}\n",
     Id::compile_include_inside, 2},
    {"ConstructedError", "#error stop here\n", Id::compile_error_at, 1, "text",
     "#error directive: stop here"},
};
INSTANTIATE_TEST_SUITE_P(Sources, CompileRejects, testing::ValuesIn(kRejections),
                         [](const auto& info) { return info.param.what; });

/// A template's body is looked at for its instances only, and yet it is a mistake of the source like any other.
TEST_F(CompileErrors, AnErrorInsideATemplateIsOneOfTheSource) {
  const Result result = compile(request(
      "template <typename T> __global__ void k(T* p) {\n  p[0] = T::zero();\n}", {"k<float>"}));
  EXPECT_EQ(result.status, Status::rejected);
  EXPECT_EQ(place_of(only(result.message)).line, 2u);
  EXPECT_TRUE(text_of(only(result.message), "text").starts_with("name"));
  EXPECT_NE(result.log.find("kernel.cu(2)"), std::string::npos);
  const std::string body = "k(float* p) {\n  p[0] = unknown(p[1]);\n}";
  const Result plain = compile(request("__global__ void " + body));
  const Result made = compile(request(
      "template <typename T> __global__ void k(T* p) {\n  p[0] = unknown(p[1]);\n}", {"k<float>"}));
  EXPECT_EQ(plain.status, Status::rejected);
  EXPECT_EQ(made.status, Status::rejected);
  EXPECT_EQ(made.message, plain.message);
}

/// What the compiler prints of its errors is recognised in every version by the table of diagnostics.
TEST_F(CompileErrors, ErrorsHaveKindsAndNames) {
  const struct {
    const char* body;
    DiagnosticKind kind;
    const char* name;
  } all[] = {{"p[0] = lost;", DiagnosticKind::undefined_identifier, "lost"},
             {"p[0] = 1", DiagnosticKind::expected_symbol, ";"},
             {"float q = p[0;", DiagnosticKind::expected_symbol, "]"},
             {"c[0] = 1;", DiagnosticKind::not_modifiable, ""},
             {"p[0][1] = 1;", DiagnosticKind::not_a_pointer, "float"},
             {"p.x = 1;", DiagnosticKind::not_a_structure, "float *"},
             {"p(1) = 1;", DiagnosticKind::not_a_function, ""},
             {"float t[threadIdx.x];", DiagnosticKind::not_constant, ""},
             {"__shared__ t[3];", DiagnosticKind::attribute_elsewhere, "__shared__"},
             {"__shared__ float t[];", DiagnosticKind::incomplete_type, "float []"},
             {"std::cout << 1;", DiagnosticKind::no_such_member, "std"}};
  for (const auto& [body, kind, name] : all) {
    const Result result = compile(
        request("__global__ void k(float* p, const float* c) {\n" + std::string(body) + "\n}"));
    const auto errors = errors_in_source_order(result.log, "kernel.cu");
    ASSERT_FALSE(errors.empty()) << body << result.log;
    EXPECT_EQ(errors[0].kind, kind) << result.log;
    EXPECT_EQ(errors[0].name(0), name) << result.log;
  }
  const auto warnings = diagnostics_of(
      compile(request("__global__ void k(float* p) { int i; p[i] = 1; p[0] == 2; if (p); }")).log);
  ASSERT_EQ(warnings.size(), 3u);
  for (const Diagnostic& one : warnings) EXPECT_NE(one.number, 0) << one.text;
}

TEST_F(CompileErrors, AParameterLeftOutOfTheHeadIsNamed) {
  Request wanted =
      request("template <typename T> __global__ void k(T* p, int rows) {\n  p[0] = rows + cols;\n}",
              {"k<float>"});
  wanted.signatures["k<float>"] =
      "template <typename T> __global__ void k(T* p, int rows, int cols)";
  const Message message = only(compile(wanted).message);
  EXPECT_EQ(message, (Message{Id::compile_error_lost_parameter,
                              {{"at", SourceLine{"kernel.cu", 2}},
                               {"text", "identifier \"cols\" is undefined"},
                               {"signature", wanted.signatures["k<float>"]}}}));
}

TEST_F(CompileErrors, ADeviceFunctionIsNoKernel) {
  const Result result = compile(request("__device__ void k(int* p) { p[0] = 1; }"));
  EXPECT_EQ(result.status, Status::missing_kernel);
  EXPECT_EQ(only(result.message), (Message{Id::compile_missing_global,
                                           {{"at", SourceLine{"kernel.cu", 0}}, {"name", "k"}}}));
  EXPECT_TRUE(result.entries.empty());
}

TEST_F(CompileErrors, TakesTextInAnyEncoding) {
  EXPECT_EQ(compile(request("\xef\xbb\xbf// BOM\n__global__ void k() {}")).status, Status::ok);
  EXPECT_EQ(compile(request("// CRLF\r\n__global__ void k() {\r\n}\r\n")).status, Status::ok);
  const Result latin = compile(request("// caf\xe9\n__global__ void k() { x = \"\xe9\"; }"));
  EXPECT_EQ(latin.status, Status::rejected);
  EXPECT_EQ(latin.log.find('\xe9'), std::string::npos) << "the log must be valid UTF-8";
  const Result wide = compile(request(std::string("\xff\xfe_\0_\0", 6)));
  EXPECT_EQ(wide.status, Status::rejected);
  EXPECT_EQ(only(wide.message), (Message{Id::compile_utf16, {{"file", "kernel.cu"}}}));
  const Result nul = compile(request(std::string("int\n\0x", 6)));
  EXPECT_EQ(only(nul.message),
            (Message{Id::compile_nul_byte, {{"at", SourceLine{"kernel.cu", 2}}}}));
  EXPECT_EQ(only(compile(request("  // nothing\n")).message),
            (Message{Id::compile_empty_file, {{"file", "kernel.cu"}}}));
}

TEST_F(CompileErrors, HostHelpersAreReportedInOneMessage) {
  const Result result = compile(request(
      "void fill(float* p) { p[0] = 1; }\nstatic int errors = 0;\n__global__ void k(int* p) {}\n"
      "int main() { float f; fill(&f); return errors; }\n"));
  EXPECT_EQ(result.status, Status::rejected);
  EXPECT_EQ(words::render(only(result.message)),
            "kernel.cu:1: `fill`, `errors` (lines 1, 2) are host code. If the kernel uses one of "
            "them, write __device__ (or constexpr) before it. If not, put them between `#ifndef "
            "__CUDACC_RTC__` and `#endif`, or in another file.");
  EXPECT_EQ(result.log.find("JIT"), std::string::npos) << result.log;
}

TEST_F(CompileErrors, AForgottenGlobalIsAskedFor) {
  for (const char* source : {"void k(int* p) { p[threadIdx.x] = 1; }",
                             "\ninline void helper() {}\nvoid k(int* p) { *p = 1; }"}) {
    const Result result = compile(request(source));
    EXPECT_EQ(result.status, Status::rejected);
    EXPECT_EQ(only(result.message).id, Id::compile_missing_global);
    EXPECT_NE(place_of(only(result.message)).line, 0u);
  }
}

TEST_F(CompileErrors, ACharacterThatOnlyLooksRightIsNamedWithItsColumn) {
  const Result wide =
      compile(request("__global__ void k(int* p) {\n  if \xef\xbc\x88p) *p = 1;\n}"));
  EXPECT_EQ(wide.status, Status::rejected);
  EXPECT_EQ(only(wide.message), (Message{Id::compile_look_alike,
                                         {{"at", SourceLine{"kernel.cu", 2}},
                                          {"column", words::count(6)},
                                          {"character", "\xef\xbc\x88"},
                                          {"code", "U+FF08"},
                                          {"meant", "("}}}));
  EXPECT_EQ(wide.log, "");
  // In text and comments they are welcome, also beside another error.
  const Result comment =
      compile(request("__global__ void k(int* p) {\n  *p = x;  // \xe2\x80\x9c\n}"));
  EXPECT_EQ(text_of(only(comment.message), "text"), "identifier \"x\" is undefined");
}

TEST_F(CompileErrors, ARenamedTemplateIsReportedOnceAndWithoutNoise) {
  const Result result = compile(request(
      "template <typename T> __global__ void kk(T* p) { *p = 1; }", {"k<float>", "k<double>"}));
  EXPECT_EQ(result.status, Status::missing_kernel);
  EXPECT_EQ(only(result.message).id, Id::compile_no_such_kernel);
  EXPECT_EQ(result.log, "");
}

TEST_F(CompileErrors, ATemplateWithoutItsArgumentIsAskedForOne) {
  const Result result =
      compile(request("template <typename T> __global__ void k(T* p) { *p = 1; }", {"k"}));
  EXPECT_EQ(result.status, Status::missing_kernel);
  EXPECT_EQ(only(result.message),
            (Message{Id::compile_template_kernel, {{"kernel", "k"}, {"file", "kernel.cu"}}}));
  EXPECT_EQ(result.log, "");
}

TEST_F(CompileErrors, WarningsAreKeptFromErrors) {
  const Result result =
      compile(request("__global__ void k(int* p) {\n  int unused = 3;\n  *p = x;\n}"));
  EXPECT_EQ(result.log.find("warning"), std::string::npos) << result.log;
  EXPECT_NE(result.log.find("kernel.cu(3): error"), std::string::npos) << result.log;
}

}  // namespace
}  // namespace labkit::compile
