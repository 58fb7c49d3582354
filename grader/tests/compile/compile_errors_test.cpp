#include "compile/compile.h"
#include "compile/diagnostics.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

using CompileErrors = WithNvrtc;

struct Rejection {
  const char* what;
  const char* source;
  const char* message;  ///< its beginning
};

void PrintTo(const Rejection& rejection, std::ostream* out) { *out << rejection.what; }

class CompileRejects : public WithNvrtc, public testing::WithParamInterface<Rejection> {};

TEST_P(CompileRejects, WithOneSentence) {
  const Result result = compile(request(GetParam().source));
  EXPECT_EQ(result.status, Status::rejected) << result.ptx;
  EXPECT_EQ(result.message.substr(0, std::string(GetParam().message).size()), GetParam().message);
  EXPECT_EQ(result.message.find('\n'), std::string::npos);
  EXPECT_EQ(result.ptx, "");
}

constexpr Rejection kRejections[] = {
    {"SyntaxError", "__global__ void k(int* p) {\n  p[0] = 1\n}", "kernel.cu:3: expected a \";\""},
    {"UnknownName", "__global__ void k(int* p) {\n  p[0] = q;\n}",
     "kernel.cu:2: identifier \"q\" is undefined"},
    {"HostFunction", "__global__ void k(int* p) {}\nint helper() { return 1; }",
     "kernel.cu:2: `helper` (line 2) is host code. If the kernel uses it, write __device__ before "
     "it; if not, put it between `#ifndef __CUDACC_RTC__` "
     "and `#endif`, or in another file."},
    {"HostVariable", "float* buffer;\n__global__ void k(int* p) {}",
     "kernel.cu:1: `buffer` (line 1) is host code. If the kernel uses it, write __device__ (or "
     "constexpr) before it;"},
    {"HostApi", "__global__ void k(int* p) {}\nvoid run() { cudaMalloc(0, 1); k<<<1, 1>>>(0); }",
     "kernel.cu:2: `run` (line 2) is host code."},
    {"HostTypes",
     "#include <vector>\n__global__ void k(int* p) {}\nstruct A { std::vector<int> v; };",
     "kernel.cu:3 uses a type that device code does not have. If this is host code, put it "},
    {"StandardLibrary", "__global__ void k(int* p) {\n  std::sort(p, p + 1);\n}",
     "kernel.cu:2 uses std::sort, which device code does not have."},
    {"BraceTooMany",
     "__global__ void k(int* p) {\n  p[0] = 1; }\n  __syncthreads();\n  int i = 1;\n}\n",
     "kernel.cu:5: this } has no { of its own: the function ends at the } of line 2 already"},
    {"BraceInWhatDoesNotCount", "#if 0\n}\n#endif\n__global__ void k(int* p) { p[0] = x; }\n",
     "kernel.cu:4: identifier \"x\" is undefined"},
    {"DynamicNotShared",
     "__global__ void k(int* p) {\n  extern int tile[];\n  tile[0] = p[0];\n}\n",
     "kernel.cu:2: is `tile` missing `__shared__`? The array that a launch gives to each block "
     "is "},
    {"IncludeInside", "__global__ void k(int* p) {\n#include <cstdio>\n  p[0] = 1;\n}\n",
     "kernel.cu:2: an #include stands inside a function."},
    {"ConstructedError", "#error stop here\n", "kernel.cu:1: #error directive: stop here"},
};
INSTANTIATE_TEST_SUITE_P(Sources, CompileRejects, testing::ValuesIn(kRejections),
                         [](const auto& info) { return info.param.what; });

/// A template's body is looked at for its instances only, and yet it is a mistake of the source like any other.
TEST_F(CompileErrors, AnErrorInsideATemplateIsOneOfTheSource) {
  const Result result = compile(request(
      "template <typename T> __global__ void k(T* p) {\n  p[0] = T::zero();\n}", {"k<float>"}));
  EXPECT_EQ(result.status, Status::rejected);
  EXPECT_EQ(result.message.substr(0, 17), "kernel.cu:2: name");
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
  EXPECT_NE(compile(wanted).message.find(
                "kernel.cu:2: identifier \"cols\" is undefined, a parameter of the kernel as it "
                "was given (`template"),
            std::string::npos)
      << compile(wanted).message;
}

TEST_F(CompileErrors, ADeviceFunctionIsNoKernel) {
  const Result result = compile(request("__device__ void k(int* p) { p[0] = 1; }"));
  EXPECT_EQ(result.status, Status::missing_kernel);
  EXPECT_EQ(result.message,
            "Is `k` in kernel.cu missing `__global__`? A kernel is declared `__global__ void`.");
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
  EXPECT_EQ(wide.message, "kernel.cu is saved as UTF-16; please save it as UTF-8.");
  const Result nul = compile(request(std::string("int\n\0x", 6)));
  EXPECT_EQ(nul.message.substr(0, 35), "kernel.cu has a NUL byte in line 2,");
  EXPECT_EQ(compile(request("  // nothing\n")).message, "kernel.cu is empty.");
}

TEST_F(CompileErrors, HostHelpersAreToldInOneSentence) {
  const Result result = compile(request(
      "void fill(float* p) { p[0] = 1; }\nstatic int errors = 0;\n__global__ void k(int* p) {}\n"
      "int main() { float f; fill(&f); return errors; }\n"));
  EXPECT_EQ(result.status, Status::rejected);
  EXPECT_EQ(result.message,
            "kernel.cu:1: `fill` (line 1), `errors` (line 2) are host code. If the kernel uses one "
            "of them, write __device__ (or constexpr) before it; if not, put it between `#ifndef "
            "__CUDACC_RTC__` and `#endif`, or in "
            "another file.");
  EXPECT_EQ(result.log.find("JIT"), std::string::npos) << result.log;
}

TEST_F(CompileErrors, AForgottenGlobalIsAskedFor) {
  for (const char* source : {"void k(int* p) { p[threadIdx.x] = 1; }",
                             "\ninline void helper() {}\nvoid k(int* p) { *p = 1; }"}) {
    const Result result = compile(request(source));
    EXPECT_EQ(result.status, Status::rejected);
    EXPECT_NE(result.message.find("is `k` missing `__global__`?"), std::string::npos)
        << result.message;
  }
}

TEST_F(CompileErrors, ACharacterThatOnlyLooksRightIsNamedWithItsColumn) {
  const Result wide =
      compile(request("__global__ void k(int* p) {\n  if \xef\xbc\x88p) *p = 1;\n}"));
  EXPECT_EQ(wide.status, Status::rejected);
  EXPECT_EQ(wide.message.substr(0, wide.message.find(". ")),
            "kernel.cu:2, column 6: `\xef\xbc\x88` (U+FF08) only looks like `(`");
  EXPECT_EQ(wide.log, "");
  // In text and comments they are welcome, also beside another error.
  const Result comment =
      compile(request("__global__ void k(int* p) {\n  *p = x;  // \xe2\x80\x9c\n}"));
  EXPECT_NE(comment.message.find("identifier \"x\" is undefined"), std::string::npos);
}

TEST_F(CompileErrors, ARenamedTemplateIsToldOnceAndWithoutNoise) {
  const Result result = compile(request(
      "template <typename T> __global__ void kk(T* p) { *p = 1; }", {"k<float>", "k<double>"}));
  EXPECT_EQ(result.status, Status::missing_kernel);
  EXPECT_EQ(result.message.find("has no kernel named k"),
            result.message.rfind("has no kernel named k"));
  EXPECT_EQ(result.log, "");
}

TEST_F(CompileErrors, ATemplateWithoutItsArgumentIsAskedForOne) {
  const Result result =
      compile(request("template <typename T> __global__ void k(T* p) { *p = 1; }", {"k"}));
  EXPECT_EQ(result.status, Status::missing_kernel);
  EXPECT_EQ(result.message, "k in kernel.cu is a template: say of what, as in `k<float>`.");
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
