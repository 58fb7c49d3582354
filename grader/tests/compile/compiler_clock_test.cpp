// What a source can ask about when and where it is compiled: the same each time, everywhere.

#include <ctime>

#include "compile/diagnose.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

class CompilerClock : public WithNvrtc {};

TEST(CompilerClockText, IsThatTime) {
  const std::time_t clock = kCompilerClock;
  std::tm utc{};
  ::gmtime_r(&clock, &utc);
  char text[64];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
  EXPECT_STREQ(text, kCompilerClockText);
}

// What it asserts fails at any other second.
constexpr char kAsks[] = R"(
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
__device__ constexpr bool same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}
static_assert(same(__TIME__, "00:00:00"), __TIME__);
static_assert(same(PASTE(__TI, ME__), "00:00:00"), "pasted");
static_assert(same(__DATE__, "Jan  1 2000"), __DATE__);
static_assert(same(__FILE__, "kernel.cu"), __FILE__);
static_assert(same(__BASE_FILE__, "kernel.cu"), __BASE_FILE__);
static_assert(__INCLUDE_LEVEL__ == 0 && __LINE__ == 13);
__global__ void k(int* p) { p[0] = __TIME__[7] & 1; }
)";

TEST_F(CompilerClock, StandsStill) {
  const Result result = compile(request(kAsks));
  EXPECT_EQ(result.status, Status::ok) << result.log;
}

TEST_F(CompilerClock, StandsStillForMachineCodeAndWhereverTheFileLies) {
  Request wanted = request(kAsks);
  wanted.arch = "sm_" + std::to_string(nvrtc_.architectures.back());
  wanted.path = "/home/student/kernel.cu";
  const Result here = compile(wanted);
  EXPECT_EQ(here.status, Status::ok) << here.log;
  wanted.path = "/elsewhere/kernel.cu";
  EXPECT_EQ(compile(wanted).ptx, here.ptx);
}

/// NVRTC names what no other file sees after its process: a header's inline function that takes part in the PTX.
TEST_F(CompilerClock, NoProcessNumberIsInTheNamesOfInlineFunctions) {
  const Request wanted = request(
      "#include <cuda_pipeline.h>\n"
      "__global__ void k(int* to, const int* from) {\n"
      "  __shared__ int tile[32];\n"
      "  __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], sizeof(int));\n"
      "  __pipeline_commit();\n"
      "  __pipeline_wait_prior(0);\n"
      "  to[threadIdx.x] = tile[threadIdx.x];\n"
      "}\n");
  const Result once = compile(wanted), again = compile(wanted);
  ASSERT_EQ(once.status, Status::ok) << once.log;
  EXPECT_EQ(once.ptx, again.ptx);
}

TEST_F(CompilerClock, TheFilesOwnNameIsInMessagesAlone) {
  Request wanted = request(kAsks);
  wanted.name = "alice's copy.cu";
  EXPECT_EQ(compile(wanted).status, Status::ok) << compile(wanted).log;
  wanted.source = "__global__ void k(int* p) {\n  p[0] = nothing;\n}\n";
  const Result wrong = compile(wanted);
  ASSERT_EQ(wrong.status, Status::rejected);
  const auto errors = diagnostics_of(wrong.log);
  ASSERT_EQ(errors.size(), 1u) << wrong.log;
  EXPECT_EQ(errors[0].file, "alice's copy.cu");
  EXPECT_EQ(errors[0].line, 2u);
  EXPECT_EQ(wrong.log.find("kernel.cu"), std::string::npos) << wrong.log;
}

TEST_F(CompilerClock, ALongLineIsQuotedInShort) {
  const Result wrong =
      compile(request("__global__ void k(int* p) { p[0] = 1; }\n" + std::string(1 << 18, 'a')));
  ASSERT_EQ(wrong.status, Status::rejected);
  EXPECT_LT(wrong.log.size(), 4000u);
}

TEST_F(CompilerClock, TheEnvironmentChangesNothing) {
  const Request wanted = request(kAsks);
  const std::string ptx = compile(wanted).ptx;
  const ScopedEnvironment zone("TZ", "Asia/Tokyo"), language("LC_ALL", "de_DE.UTF-8"),
      epoch("SOURCE_DATE_EPOCH", "1"), before("NVCC_PREPEND_FLAGS", "-DK=1"),
      after("NVCC_APPEND_FLAGS", "-G"), options("NVRTC_OPTIONS", "-G"),
      cache("CUDA_CACHE_PATH", "/nowhere");
  EXPECT_EQ(compile(wanted).ptx, ptx);
  EXPECT_FALSE(ptx.empty());
}

// Names that the compiler makes up are made of nothing but the source.
TEST_F(CompilerClock, MadeUpNamesAreTheSame) {
  const Request wanted = request(R"(
namespace { __device__ int hidden; }
static __device__ int local;
__global__ void k(int* p) {
  auto twice = [](int x) { return 2 * x; };
  p[0] = twice(atomicAdd(&hidden, p[1]) + atomicAdd(&local, p[2]));
}
)");
  EXPECT_EQ(compile(wanted).ptx, compile(wanted).ptx);
}

TEST_F(CompilerClock, OtherClocksOfTheCompilerAreUnknownToIt) {
  for (const char* name : {"__TIMESTAMP__", "__COUNTER__"}) {
    const Result result = compile(request(std::string("#ifdef ") + name +
                                          "\n#error known\n#endif\n__global__ void k() {}\n"));
    EXPECT_EQ(result.status, Status::ok) << name << " must be made the same each time";
  }
}

}  // namespace
}  // namespace labkit::compile
