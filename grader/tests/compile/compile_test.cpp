#include "compile/compile.h"

#include <cstdio>
#include <limits>
#include <type_traits>

#include "compile/diagnostics.h"
#include "messages.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

using Compile = WithNvrtc;

constexpr char kScale[] = R"(
template <typename T>
__global__ void scale(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = T(2) * in[i];
}
)";

TEST_F(Compile, GivesPtxAndTheMangledEntries) {
  const Result result = compile(request(kScale, {"scale<float>", "scale<double>"}));
  ASSERT_EQ(result.status, Status::ok) << result.log;
  EXPECT_TRUE(result.message.empty());
  ASSERT_EQ(result.entries.size(), 2u);
  EXPECT_EQ(result.entries.at("scale<float>"), "_Z5scaleIfEvPKT_PS0_i");
  for (const auto& [name, entry] : result.entries)
    EXPECT_NE(result.ptx.find(".entry " + entry + "("), std::string::npos) << name;
  EXPECT_NE(result.ptx.find(".target sm_90"), std::string::npos);
  EXPECT_EQ(result.compiler,
            "NVRTC " + std::to_string(nvrtc_.major) + "." + std::to_string(nvrtc_.minor));
}

TEST_F(Compile, NamesTheFileAndItsLinesAsTheCallerDoes) {
  const Result with = compile(request(kScale, {"scale<float>"}));
  EXPECT_NE(with.ptx.find("\"kernel.cu\""), std::string::npos);
  EXPECT_EQ(with.ptx.find("/kernel.cu"), std::string::npos);
  EXPECT_NE(with.ptx.find(".loc\t1 5 "), std::string::npos) << with.ptx;
  Request without = request(kScale, {"scale<float>"});
  without.line_info = false;
  EXPECT_EQ(compile(without).ptx.find(".loc"), std::string::npos);
}

TEST_F(Compile, CompilesForTheArchitectureAskedFor) {
  Request turing = request(kScale, {"scale<float>"});
  turing.arch = "compute_75";
  EXPECT_NE(compile(turing).ptx.find(".target sm_75"), std::string::npos);
  turing.arch = "compute_1234";  // our mistake, not the student's
  EXPECT_THROW(compile(turing), Error);
}

TEST_F(Compile, MakesMachineCodeThatKnowsWhereTheFileLies) {
  Request wanted =
      request("__global__ void k(float* p) { p[0] = __uint_as_float(__LINE__); int v; }");
  wanted.arch = "sm_" + std::to_string(nvrtc_.architectures.back());
  wanted.path = "/home/student/my labs/kernel.cu";
  const Result result = compile(wanted);
  ASSERT_EQ(result.status, Status::ok) << result.log;
  EXPECT_EQ(result.cubin.substr(0, 4), "\177ELF");
  EXPECT_NE(result.cubin.find("/home/student/my labs"), std::string::npos);
  EXPECT_NE(result.ptx.find("\"kernel.cu\""), std::string::npos);
  EXPECT_EQ(result.ptx.find("/home/student"), std::string::npos);
  EXPECT_NE(result.log.find("kernel.cu(1)"), std::string::npos) << result.log;
  EXPECT_EQ(result.log.find("/home/student"), std::string::npos) << result.log;
  wanted.source = "__global__ void k(float* p) { p[0] = nothing; }";
  EXPECT_EQ(compile(wanted).log.find("/home/student"), std::string::npos);
}

TEST_F(Compile, MakesNoMachineCodeForAVirtualArchitecture) {
  Request wanted = request("__global__ void k(float* p) { p[0] = 1; }");
  wanted.path = "/home/student/kernel.cu";
  EXPECT_EQ(compile(wanted).cubin, "");
}

TEST_F(Compile, CanLeaveTheCodeUnoptimised) {
  Request debug = request("__global__ void k(int* p) { int x = 1; int y = x + 1; p[0] = y; }");
  const Result fast = compile(debug);
  debug.device_debug = true;
  const Result slow = compile(debug);
  ASSERT_EQ(slow.status, Status::ok) << slow.log;
  EXPECT_GT(slow.ptx.size(), fast.ptx.size());
}

TEST_F(Compile, FusesMultiplyAndAddAsNvccDoes) {
  const Result result =
      compile(request("__global__ void k(float* p) { p[0] = p[1] * p[2] + p[3]; }"));
  EXPECT_NE(result.ptx.find("fma.rn.f32"), std::string::npos);
}

TEST_F(Compile, AcceptsWhatStudentsFilesBeginWith) {
  const Result result = compile(request(R"(
#include <cstdio>
#include <stdio.h>
#include <stdlib.h>
#include <iostream>
#include <vector>
#include <algorithm>
#include <chrono>
#include <cuda.h>
#include <cuda_runtime.h>
#include "cuda_runtime.h"
#include <device_launch_parameters.h>
__global__ void k(int* p) { std::size_t i = threadIdx.x; p[i] = 1; printf("%d\n", p[i]); }
)"));
  EXPECT_EQ(result.status, Status::ok) << result.log;
}

TEST_F(Compile, HasTheLibraryHeadersThatDeviceCodeUses) {
  const Result result = compile(request(R"(
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
__device__ T root(T x) { return std::sqrt(x); }
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
__device__ T root(T x) { return x; }
static_assert(std::is_same_v<std::remove_cv_t<const volatile int>, int>);
static_assert(std::is_signed_v<int> && std::is_unsigned_v<std::uint8_t>);
static_assert(std::is_same_v<std::conditional_t<sizeof(void*) == 8, std::int64_t, int>, int64_t>);
static_assert(std::numeric_limits<int>::max() == INT_MAX && std::numeric_limits<float>::max() == FLT_MAX);
static_assert(UINT32_MAX == 0xffffffffu && sizeof(uint64_t) == 8 && sizeof(std::size_t) == 8);
__global__ void k(float* p, std::uint32_t n, std::ptrdiff_t d) {
  assert(n > 0);
  float a = root(p[0]), b = static_cast<float>(root(static_cast<int>(d)));
  std::swap(a, b);
  p[1] = std::fmax(a, std::move(b)) + std::isnan(a) + INFINITY + float(M_PI) + NAN;
  p[2] = std::numeric_limits<float>::infinity() + std::abs(a) + std::pow(a, b) + fabsf(b);
}
)"));
  EXPECT_EQ(result.status, Status::ok) << result.log;
}

TEST_F(Compile, KnowsTheLimitsOfTheNumbersAsTheStandardHasThem) {
  std::string source = "#include <limits>\n";
  const auto is = [&](const std::string& what) { source += "static_assert(" + what + ");\n"; };
  // What this program's own library says of a type, NVRTC must say too.
  const auto same = [&]<typename T>(const char* name, T) {
    using Here = std::numeric_limits<T>;
    const std::string there = std::string("std::numeric_limits<") + name + ">::";
    for (const auto& [member, value] :
         std::vector<std::pair<std::string, int>>{{"is_specialized", Here::is_specialized},
                                                  {"is_signed", Here::is_signed},
                                                  {"is_integer", Here::is_integer},
                                                  {"is_exact", Here::is_exact},
                                                  {"is_bounded", Here::is_bounded},
                                                  {"is_modulo", Here::is_modulo},
                                                  {"is_iec559", Here::is_iec559},
                                                  {"has_infinity", Here::has_infinity},
                                                  {"has_quiet_NaN", Here::has_quiet_NaN},
                                                  {"radix", Here::radix},
                                                  {"digits", Here::digits},
                                                  {"digits10", Here::digits10},
                                                  {"max_digits10", Here::max_digits10},
                                                  {"min_exponent", Here::min_exponent},
                                                  {"max_exponent", Here::max_exponent}})
      is(there + member + " == " + std::to_string(value));
    for (const auto& [member, value] :
         std::vector<std::pair<std::string, T>>{{"min()", Here::min()},
                                                {"max()", Here::max()},
                                                {"lowest()", Here::lowest()},
                                                {"epsilon()", Here::epsilon()},
                                                {"denorm_min()", Here::denorm_min()}}) {
      char text[64];
      if constexpr (std::is_floating_point_v<T>)
        std::snprintf(text, sizeof text, "%a", static_cast<double>(value));
      else if constexpr (std::is_signed_v<T>)  // the least long has no literal
        std::snprintf(text, sizeof text, "%lldll%s",
                      static_cast<long long>(value < 0 ? value + 1 : value),
                      value < 0 ? " - 1" : "");
      else
        std::snprintf(text, sizeof text, "%lluull", static_cast<unsigned long long>(value));
      is(there + member + " == " + text);
    }
  };
  same("bool", false);
  same("char", char{});
  same("signed char", static_cast<signed char>(0));
  same("unsigned char", static_cast<unsigned char>(0));
  same("short", short{});
  same("unsigned short", static_cast<unsigned short>(0));
  same("int", 0);
  same("unsigned", 0u);
  same("long", 0l);
  same("unsigned long", 0ul);
  same("long long", 0ll);
  same("unsigned long long", 0ull);
  same("float", 0.0f);
  same("double", 0.0);
  same("const float", 0.0f);
  source += R"(
struct Other {};
static_assert(!std::numeric_limits<Other>::is_specialized && !std::numeric_limits<Other>::is_iec559);
#if __CUDACC_VER_MAJOR__ >= 13
constexpr float kInfinity = std::numeric_limits<float>::infinity();
static_assert(kInfinity > std::numeric_limits<float>::max());
static_assert(std::numeric_limits<double>::infinity() > std::numeric_limits<double>::max());
static_assert(std::numeric_limits<double>::quiet_NaN() != std::numeric_limits<double>::quiet_NaN());
#endif
__global__ void k(float* p, double* q) {
  p[0] = std::numeric_limits<float>::infinity();
  p[1] = std::numeric_limits<float>::quiet_NaN();
  q[0] = std::numeric_limits<double>::infinity();
  q[1] = std::numeric_limits<double>::quiet_NaN();
}
)";
  const Result result = compile(request(source));
  EXPECT_EQ(result.status, Status::ok) << result.log;
}

TEST_F(Compile, TakesCudasDeviceHeadersFromTheToolkit) {
  const Request half = request(R"(
#include <cuda_fp16.h>
__global__ void k(__half* p) { p[0] = __hadd(p[1], p[2]); }
)");
  if (nvrtc_.include_directory.empty()) {
    // The machine lacks them: our fault, and said so, never a verdict.
    EXPECT_THROW(compile(half), Error);
    GTEST_SKIP() << "needs the CUDA Toolkit's headers";
  }
  EXPECT_EQ(compile(half).status, Status::ok) << compile(half).log;
  const Result groups = compile(request(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(float* p) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  p[0] = cg::reduce(warp, p[threadIdx.x], cg::plus<float>());
}
)"));
  EXPECT_EQ(groups.status, Status::ok) << groups.log;
}

class CompileHeaders : public WithNvrtc {
 protected:
  void SetUp() override {
    WithNvrtc::SetUp();
    if (!IsSkipped() && nvrtc_.include_directory.empty())
      GTEST_SKIP() << "needs the CUDA Toolkit's headers";
  }
};

// Types and macros of ours that headers of the toolkit have, too. Any of these may come first.
constexpr char kUsesAll[] = R"(
template <typename A, typename B> struct Same { static constexpr bool value = false; };
template <typename A> struct Same<A, A> { static constexpr bool value = true; };
static_assert(Same<int64_t, long>::value && Same<std::uint64_t, unsigned long>::value);
static_assert(Same<uintptr_t, unsigned long>::value && Same<int_fast16_t, long>::value);
static_assert(INT_MAX == 2147483647 && INT64_MAX == LONG_MAX && CHAR_BIT == 8 && FLT_MAX > 1);
__global__ void k(float* p, uint n) { p[0] = INFINITY + NAN + std::sqrt(p[1]) + n; }
)";

TEST_F(CompileHeaders, WhicheverIsIncludedFirst) {
  const std::string own =
      "#include <cstdint>\n#include <climits>\n#include <cfloat>\n#include <cmath>\n"
      "#include <inttypes.h>\n#include <limits>\n#include <type_traits>\n#include <cassert>\n";
  for (const std::string toolkit :
       {"#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n#include <curand_kernel.h>\n",
        "#include <cuda_pipeline.h>\n#include <cuda/barrier>\n#include <cuda/std/climits>\n"
        "#include <cuda/std/cmath>\n"}) {
    for (const std::string& source : {own + toolkit, toolkit + own}) {
      const Result result = compile(request(source + kUsesAll));
      EXPECT_EQ(result.status, Status::ok) << source << result.log;
      EXPECT_EQ(result.log, "") << source;
    }
  }
}

TEST_F(CompileHeaders, RandomNumbersOfTheDevice) {
  const Result result = compile(request(R"(
#include <curand.h>
#include <curand_kernel.h>
__global__ void k(float* p) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  p[threadIdx.x] = curand_uniform(&state) + curand_normal(&state);
}
)"));
  EXPECT_EQ(result.status, Status::ok) << result.log;
}

TEST_F(CompileHeaders, AnErrorInsideOneNamesTheLineThatUsesIt) {
  const Result result = compile(request(R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* p) {
  p[0] = cg::tiled_partition<33>(cg::this_thread_block()).size();
}
)"));
  EXPECT_EQ(result.status, Status::rejected);
  const Message message = only(result.message);
  EXPECT_EQ(message.id, Id::compile_inside_header) << result.log;
  EXPECT_EQ(place_of(message), (SourceLine{"kernel.cu", 4}));
  EXPECT_EQ(text_of(message, "header"), "<cooperative_groups.h>");
}

// nvcc reads cuda_runtime.h first, and with it glibc's math.h, limits.h and stdlib.h.
TEST_F(Compile, HasWithoutIncludesWhatNvccHas) {
  const Result result = compile(request(R"(
__global__ void k(float* p, uint n, ushort m, ulong l, int64_t i, ssize_t s, u_int32_t u) {
  p[0] = INFINITY; p[1] = -HUGE_VALF; p[2] = NAN; p[3] = M_PI; p[4] = std::sqrt(p[5]);
  p[6] = INT_MAX; p[7] = UINT_MAX; p[8] = n + m + l + i + s + u; p[9] = HUGE_VAL; p[10] = RAND_MAX;
  if (p == NULL) return;
}
)"));
  EXPECT_EQ(result.status, Status::ok) << result.log;
  EXPECT_EQ(result.log, "");
  EXPECT_EQ(compile(request("typedef unsigned int uint;\nusing ulong = unsigned long;\n"
                            "__global__ void k(uint* p) { p[0] = 1; }"))
                .log,
            "");
}

TEST_F(Compile, HasTheHeadersOfHostCode) {
  std::string source;
  for (const char* header : {"cublas_v2.h",
                             "cublas_api.h",
                             "cublasLt.h",
                             "cudnn.h",
                             "cufft.h",
                             "cusparse.h",
                             "nccl.h",
                             "nvToolsExt.h",
                             "nvtx3/nvToolsExt.h",
                             "thrust/device_vector.h",
                             "nvtx3/nvtx3.hpp",
                             "helper_cuda.h",
                             "stdbool.h",
                             "sys/types.h",
                             "sys/stat.h",
                             "memory.h",
                             "strings.h",
                             "pthread.h",
                             "inttypes.h",
                             "cinttypes",
                             "execution",
                             "numbers",
                             "bits/stdc++.h",
                             "cstring",
                             "string.h",
                             "cstdlib",
                             "time.h"})
    source += std::string("#include <") + header + ">\n";
  const Result result = compile(request(source + R"(
__global__ void k(uint32_t* p) {
  std::memcpy(p, p + 4, 4);
  p[1] = static_cast<uint32_t>(std::abs(static_cast<int>(p[1]))), p[2] = true;
  std::printf("%" PRId64 "\n", int64_t{1});
}
)"));
  EXPECT_EQ(result.status, Status::ok) << result.log;
}

TEST_F(Compile, LeavesMainOutAndKeepsTheLines) {
  const Result result = compile(request(R"(#include <vector>
int main(int argc, char** argv) {
  std::vector<float> host(1, '}');  // }
  cudaMalloc(nullptr, 1);
  k<<<1, 2>>>(host);
  return 0;
}
__global__ void k(int* p) {
  p[0] = 1;
}
)"));
  ASSERT_EQ(result.status, Status::ok) << result.log;
  EXPECT_EQ(words::render(only(result.notes)),
            "main() was left out (kernel.cu, line 2 to line 7): only device code is compiled "
            "here.");
  EXPECT_NE(result.ptx.find(".loc\t1 9 "), std::string::npos) << result.ptx;
}

TEST_F(Compile, AcceptsHostCodeThatIsWrapped) {
  EXPECT_EQ(compile(request(R"(
__global__ void k(int* p) { p[0] = 1; }
#ifndef __CUDACC_RTC__
#include "my_helpers.h"
void run() { cudaMalloc(0, 1); k<<<1, 1>>>(0); }
#endif
)"))
                .status,
            Status::ok);
}

TEST_F(Compile, AnyKernelMissingIsSaidAndTheOthersAreKept) {
  Request wanted = request(kScale, {"scale<float>", "shift<int>", "scale"});
  wanted.signatures["shift<int>"] = "template <typename T> __global__ void shift(T* data, int n)";
  const Result result = compile(wanted);
  EXPECT_EQ(result.status, Status::missing_kernel);
  ASSERT_EQ(result.message.size(), 2u);
  for (const Message& one : result.message) expect_message(one);
  EXPECT_EQ(result.message[0], (Message{Id::compile_no_such_kernel,
                                        {{"file", "kernel.cu"},
                                         {"kernel", "shift"},
                                         {"wanted", wanted.signatures["shift<int>"]},
                                         {"present", "scale"}}}));
  EXPECT_EQ(result.message[1].id, Id::compile_template_kernel);
  ASSERT_EQ(result.entries.size(), 1u);
  EXPECT_NE(result.ptx.find(".entry " + result.entries.at("scale<float>") + "("),
            std::string::npos);
  const Message none = only(compile(request("int constexpr n = 1;")).message);
  EXPECT_EQ(none.id, Id::compile_no_kernel);
  EXPECT_EQ(text_of(none, "wanted"), "__global__ void k(...)");
}

}  // namespace
}  // namespace labkit::compile
