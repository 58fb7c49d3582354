// clang as the compiler, each version that is here: what it sees, what it is stopped by, and what is said of a source.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/files.h"
#include "compile/compile.h"
#include "compile/diagnostics.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

class Clang : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    const std::string program = "/usr/bin/clang-" + std::to_string(GetParam());
    if (!std::filesystem::exists(program)) GTEST_SKIP() << "needs " << program;
    clang_.emplace("LABKIT_CLANG", program.c_str());
    compiler_.emplace(kCompilerSetting, "clang");
  }
  static Result compiled(std::string source, std::vector<std::string> kernels = {"k"},
                         const Limits& limits = {}) {
    Request request;
    request.source = std::move(source);
    request.name = "kernel.cu";
    request.kernels = std::move(kernels);
    return compile(request, limits);
  }
  static DiagnosticKind first_kind(const Result& result) {
    const auto all = diagnostics_of(result.log);
    return all.empty() ? DiagnosticKind::other : all.front().kind;
  }

 private:
  std::optional<ScopedEnvironment> clang_, compiler_;
};

INSTANTIATE_TEST_SUITE_P(Versions, Clang, testing::Values(14, 19),
                         [](const auto& version) { return std::to_string(version.param); });

TEST_P(Clang, CompilesTemplatesAndNamesTheirEntries) {
  const Result result = compiled(
      "template <typename T> __global__ void turn(T* p) { p[threadIdx.x] = T(1); }\n"
      "namespace { __global__ void hidden(int* p) { p[0] = 2; } }\n",
      {"turn<float>", "turn<double>", "hidden"});
  ASSERT_EQ(result.status, Status::ok) << result.log;
  EXPECT_EQ(result.entries.at("turn<float>"), "_Z4turnIfEvPT_");
  EXPECT_EQ(result.entries.size(), 3u);
  EXPECT_EQ(result.ptx.find("labkit_entry"), std::string::npos);
  EXPECT_TRUE(result.compiler.starts_with("clang " + std::to_string(GetParam())))
      << result.compiler;
}

TEST_P(Clang, NoSpellingOfIncludeOpensAFile) {
  const std::string secret =
      testing::TempDir() + "labkit-clang-secret-" + std::to_string(::getpid()) + ".h";
  write_file_atomically(secret, "#define SECRET 42\n");
  constexpr char kUse[] =
      "\n#ifdef SECRET\n#error the secret is out\n#endif\n__global__ void k(int* p) { *p = 1; }\n";
  for (const std::string& spelling :
       {"#include \"" + secret + "\"", "#include <" + secret + ">",
        "#include \"../../../../../../.." + secret + "\"",
        "#define NAME \"" + secret + "\"\n#include NAME", "#import \"" + secret + "\"",
        "#include \"/proc/self/root" + secret + "\"", std::string("#include \"/dev/stdin\""),
        std::string("#include \"/proc/self/fd/4\""), std::string("#include \"/etc/passwd\""),
        "__device__ char c[] = {\n#embed \"" + secret + "\"\n};"}) {
    const Result result = compiled(spelling + kUse);
    EXPECT_EQ(result.status, Status::rejected) << spelling << '\n' << result.log;
    EXPECT_EQ(result.log.find("the secret is out"), std::string::npos) << spelling;
    EXPECT_EQ(result.log.find("root:"), std::string::npos) << spelling;
  }
  for (const std::string& file :
       {secret, std::string("/etc/passwd"), std::string("/proc/self/maps")})
    EXPECT_EQ(
        compiled("#if __has_include(\"" + file + "\")\n#error it is seen\n#endif" + kUse).status,
        Status::ok)
        << file;
  std::filesystem::remove(secret);
}

TEST_P(Clang, SeesAFixedClockAndNoFolder) {
  const Result result = compiled(
      "__device__ const char when[] = __DATE__ \" \" __TIME__ \" \" __TIMESTAMP__ \" \" __FILE__;\n"
      "static_assert(sizeof when == sizeof \"Jan  1 2000 00:00:00 Sat Jan  1 00:00:00 2000 "
      "kernel.cu\");\n"
      "static_assert(__builtin_strcmp(__DATE__ __TIME__, \"Jan  1 200000:00:00\") == 0);\n"
      "__global__ void k(char* p) { *p = when[threadIdx.x]; }");
  EXPECT_EQ(result.status, Status::ok) << result.log;
}

TEST_P(Clang, BombsAreVerdicts) {
  constexpr char kTemplates[] = R"(
template <int depth, long path> struct Bomb {
  static constexpr long value = Bomb<depth - 1, 2 * path>::value + Bomb<depth - 1, 2 * path + 1>::value;
};
template <long path> struct Bomb<0, path> { static constexpr long value = path; };
__global__ void k(long* p) { p[0] = Bomb<40, 0>::value; }
)";
  EXPECT_EQ(compiled(kTemplates, {"k"}, {.cpu_seconds = 1, .memory_bytes = 64ull << 30}).status,
            Status::limit);
  EXPECT_EQ(compiled(kTemplates, {"k"}, {.cpu_seconds = 60, .memory_bytes = 200ull << 20}).status,
            Status::limit);
  EXPECT_EQ(compiled(kHugeTable, {"k"}, {.output_bytes = 1 << 20}).status, Status::limit);
  EXPECT_NE(compiled("#include \"kernel.cu\"\n__global__ void k() {}").status, Status::ok);
  EXPECT_NE(compiled("__global__ void k() { " + std::string(100'000, '(') + " }").status,
            Status::ok);
}

TEST_P(Clang, ReportsWhatNvrtcReports) {
  const std::vector<std::pair<std::string, DiagnosticKind>> rows = {
      {"__global__ void k(int* p) { p[0] = 1 }", DiagnosticKind::expected_symbol},
      {"__global__ void k(int* p) { p[0] = count; }", DiagnosticKind::undefined_identifier},
      {"#include \"mine.h\"\n__global__ void k() {}", DiagnosticKind::no_such_file},
      {"__global__ void k(int* p) { p[0] = 1;", DiagnosticKind::missing_brace},
      {"__global__ void k(const int* p) { p[0] = 1; }", DiagnosticKind::not_modifiable},
      {"__global__ void k(float* p) { float x = 1; x[0] = p[0]; }", DiagnosticKind::not_a_pointer},
      {"__global__ void k(int* p) { int x = 1; x(2); }", DiagnosticKind::not_a_function},
      {"__global__ void k(float2* p) { p[0].q = 1; }", DiagnosticKind::no_such_field},
      {"__global__ void k(int* p) { std::sort(p, p); }", DiagnosticKind::no_such_member}};
  for (const auto& [source, kind] : rows) {
    const Result result = compiled(source);
    EXPECT_EQ(result.status, Status::rejected) << source;
    EXPECT_EQ(first_kind(result), kind) << source << '\n' << result.log;
  }
  EXPECT_EQ(first_kind(compiled("__global__ void k(int* p) { p[0] == 1; }")),
            DiagnosticKind::no_effect);
  EXPECT_EQ(first_kind(compiled("__global__ void k(int* p) { __syncthreads; p[0] = 1; }")),
            DiagnosticKind::no_effect);
  // on some paths only: what was executed shows whether it matters
  EXPECT_EQ(first_kind(compiled("__global__ void k(int* p) { int i; if (p[0]) i = 1; p[1] = i; }")),
            DiagnosticKind::other);
  EXPECT_EQ(compiled("__global__ void other() {}").status, Status::missing_kernel);
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST_P(Clang, UnrollsAndInlinesAsNvrtc) {
  // a loop from the thread's number on: four loads at once, and one for those that are left
  const Result loop = compiled(R"(
__global__ void k(const float* __restrict__ in, float* out, int n) {
  __shared__ float tile[1024];
#pragma unroll
  for (int e = threadIdx.x; e < 1024; e += 256) tile[e] = e < n ? in[e] : 0.0f;
  __syncthreads();
  out[threadIdx.x] = tile[n];
})");
  ASSERT_EQ(loop.status, Status::ok) << loop.log;
  EXPECT_EQ(count_of(loop.ptx, "ld.global"), 5u) << loop.ptx;
  // a large helper; elements that a condition picks are in registers
  const Result own = compiled(R"(
__device__ void turned(float* p, int lane) {
  float q[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) q[i] = p[i];
#pragma unroll
  for (int d = 4; d > 0; d /= 2)
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if (i & d) continue;
      const float give = lane & d ? q[i] : q[i + d];
      const float got = __shfl_xor_sync(0xffffffff, give, d);
      if (lane & d) q[i] = got; else q[i + d] = got;
    }
#pragma unroll
  for (int i = 0; i < 8; ++i) p[i] = q[i];
}
__global__ void k(float* p) {
  turned(p, threadIdx.x);
  turned(p + 8, threadIdx.x);
})");
  ASSERT_EQ(own.status, Status::ok) << own.log;
  EXPECT_EQ(count_of(own.ptx, ".local"), 0u) << own.ptx;
  EXPECT_EQ(count_of(own.ptx, "call"), 0u) << own.ptx;
}

TEST_P(Clang, HeadersNeedNoToolkit) {
  for (const char* header : {"cuda_runtime.h", "cooperative_groups.h", "cuda_pipeline.h", "cstdint",
                             "cmath", "limits", "type_traits", "utility", "bits/stdc++.h",
                             "math_constants.h", "cuda_fp16.h", "sys/types.h"})
    EXPECT_EQ(compiled(std::string("#include <") + header + ">\n__global__ void k() {}").status,
              Status::ok)
        << header;
}

TEST(Compiler, NamesThatMeanNothingAreErrors) {
  const ScopedEnvironment setting(kCompilerSetting, "gcc");
  EXPECT_THROW(find_compiler(), Error);
}

TEST(Compiler, AClangThatIsNotThereIsNamedWithItsRemedy) {
  const ScopedEnvironment setting(kCompilerSetting, "clang"),
      clang("LABKIT_CLANG", "/no/such/clang");
  try {
    find_compiler();
    FAIL();
  } catch (const NoClang& error) {
    EXPECT_NE(error.remedy(), "");
  }
}

}  // namespace
}  // namespace labkit::compile
