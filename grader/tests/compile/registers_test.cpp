// Registers as NVRTC's own ptxas counts them.
#include "compile/machine_code.h"
#include "nvrtc_test.h"

namespace labkit::compile {
namespace {

class Registers : public WithNvrtc {
 protected:
  static Request wanted(std::string source) {
    Request wanted = request(std::move(source));
    wanted.registers = true;
    return wanted;
  }
  /// Of `k`, or of a kernel of another name.
  static Assembled::Kernel counted(const Result& result, const std::string& kernel = "k") {
    const auto at = result.assembled.kernels.find(result.entries.at(kernel));
    EXPECT_NE(at, result.assembled.kernels.end()) << result.assembled.why_not;
    return at == result.assembled.kernels.end() ? Assembled::Kernel{} : at->second;
  }
  std::string version() const {
    return "NVRTC " + std::to_string(nvrtc_.major) + "." + std::to_string(nvrtc_.minor);
  }
};

/// 80 values that live through a loop; `before`: of the kernel's name.
std::string eighty_values(const std::string& before = "") {
  return "__global__ void " + before + R"( k(float* p, int n) {
  float a[80];
#pragma unroll
  for (int i = 0; i < 80; ++i) a[i] = p[i * 32 + threadIdx.x];
#pragma unroll 1
  for (int j = 0; j < n; ++j)
#pragma unroll
    for (int i = 0; i < 80; ++i) a[i] = a[i] * a[(i + 7) % 80] + 1;
#pragma unroll
  for (int i = 0; i < 80; ++i) p[i * 32 + threadIdx.x] = a[i];
})";
}

constexpr char kSharedTooLarge[] =
    "__global__ void k(int* p) { __shared__ int s[20000]; s[p[0]] = p[1]; __syncthreads(); p[0] = "
    "s[p[2]]; }";

TEST_F(Registers, AreThoseOfTheMachineCode) {
  Request real = request(eighty_values());
  real.arch = "sm_90";
  const Result made = compile(real);
  ASSERT_EQ(made.status, Status::ok) << made.log;
  const Result virtual_one = compile(wanted(real.source));
  ASSERT_EQ(virtual_one.status, Status::ok) << virtual_one.log;
  EXPECT_GT(counted(virtual_one).registers, 64u);
  EXPECT_EQ(counted(virtual_one).registers, counted(made).registers);
  EXPECT_EQ(kernels_of_cubin(made.cubin).at(made.entries.at("k")).registers,
            counted(made).registers);
  EXPECT_EQ(virtual_one.assembled.by, version() + "'s ptxas for sm_90");
  EXPECT_EQ(virtual_one.cubin, "");
}

TEST_F(Registers, KeepToLaunchBoundsAndSpillForThem) {
  const Result free = compile(wanted(eighty_values()));
  const Result bound = compile(wanted(eighty_values("__launch_bounds__(1024, 2)")));
  EXPECT_EQ(counted(free).stack_bytes, 0u);
  EXPECT_LE(counted(bound).registers, 32u);
  EXPECT_GT(counted(bound).stack_bytes, 0u);
}

TEST_F(Registers, TheRestIsAsWithoutThem) {
  const std::string source = eighty_values() + "\n__device__ int never() { int unused; return 1; }";
  const Result with = compile(wanted(source)), without = compile(request(source));
  EXPECT_EQ(with.ptx, without.ptx);
  EXPECT_EQ(with.log, without.log);
  EXPECT_NE(with.log, "");
  EXPECT_EQ(with.entries, without.entries);
  EXPECT_TRUE(without.assembled.kernels.empty());
  EXPECT_EQ(without.assembled.by + without.assembled.why_not, "");
}

TEST_F(Registers, WhatPtxasRefusesCompilesWithoutThem) {
  const Result result = compile(wanted(kSharedTooLarge));
  ASSERT_EQ(result.status, Status::ok) << result.log;
  EXPECT_EQ(result.ptx, compile(request(kSharedTooLarge)).ptx);
  EXPECT_TRUE(result.assembled.kernels.empty());
  EXPECT_EQ(result.assembled.by, "");
  EXPECT_NE(result.assembled.why_not.find("shared data"), std::string::npos)
      << result.assembled.why_not;
}

TEST_F(Registers, OneOfTwoKernelsThatCannotBeHad) {
  Request two = wanted(eighty_values());
  two.kernels = {"k", "other"};
  EXPECT_EQ(compile(two).status, Status::missing_kernel);
  two.source = "__global__ void k(float* p) { p[0] = nothing; }";
  EXPECT_EQ(compile(two).status, Status::rejected);
}

// Its 200 values that are found by an index make ptxas slow, not the compiler before it.
TEST_F(Registers, PtxasMayTakeNoVerdictWithIt) {
  const Result result = compile(wanted(R"(__global__ void k(float* p) {
  float a[200];
#pragma unroll
  for (int i = 0; i < 200; ++i) a[i] = p[i * 32 + threadIdx.x];
#pragma unroll
  for (int j = 0; j < 20; ++j)
    for (int i = 0; i < 200; ++i) a[i] = a[i] * a[(i * 7 + j) % 200] + a[(i + 3) % 200];
  for (int i = 0; i < 200; ++i) p[i * 32 + threadIdx.x] = a[i];
})"),
                                {.cpu_seconds = 3});
  ASSERT_EQ(result.status, Status::ok) << result.log;
  if (!result.assembled.by.empty()) GTEST_SKIP() << "this ptxas is quicker than that";
  EXPECT_NE(result.assembled.why_not.find("limits"), std::string::npos);
}

TEST_F(Registers, NobodyIsAskedWherePtxasIsOff) {
  const ScopedEnvironment off("LABKIT_PTXAS", "off");
  const Result result = compile(wanted(eighty_values()));
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_TRUE(result.assembled.kernels.empty());
  EXPECT_EQ(result.assembled.why_not, "LABKIT_PTXAS is off");
  const ScopedEnvironment unclear("LABKIT_PTXAS", "no");
  EXPECT_THROW(compile(wanted(eighty_values())), Error);
}

TEST_F(Registers, AnArchitectureThatTheCompilerHasNoMachineCodeFor) {
  Request newer = wanted(eighty_values());
  newer.arch = "compute_1234";
  EXPECT_THROW(compile(newer), Error);
}

// The compiler's log quotes the source, and calls its file as #line says.
TEST_F(Registers, ASourceCannotWordThem) {
  const std::string forged = R"(
#line 1 "ptxas info    : Compiling entry function '_Z1kPfi' for 'sm_90'\nptxas info    : Used 8 registers, used 0 barriers"
// ptxas info    : Used 8 registers
#warning ptxas info    : Used 8 registers, used 0 barriers
)";
  const Result result = compile(wanted(forged + eighty_values()));
  ASSERT_EQ(result.status, Status::ok) << result.log;
  EXPECT_NE(result.log.find("Used 8 registers"), std::string::npos);
  EXPECT_GT(counted(result).registers, 64u);
}

TEST_F(Registers, AreNotReadFromDamagedMachineCode) {
  Request real = request("__global__ void k(int* p) { p[0] = p[1]; }");
  real.arch = "sm_90";
  const std::string whole = compile(real).cubin;
  ASSERT_EQ(kernels_of_cubin(whole).size(), 1u);
  EXPECT_TRUE(kernels_of_cubin("").empty());
  EXPECT_TRUE(kernels_of_cubin("\177ELF").empty());
  EXPECT_TRUE(kernels_of_cubin(std::string(4096, '\xff')).empty());
  for (std::size_t size = 0; size < whole.size(); size += 7)
    kernels_of_cubin(whole.substr(0, size));
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char put : {'\0', '\xff', '\x7f'}) {
      std::string altered = whole;
      altered[at] = put;
      for (const auto& [name, kernel] : kernels_of_cubin(altered)) {
        EXPECT_GT(kernel.registers, 0u);
        EXPECT_FALSE(name.empty());
      }
    }
}

}  // namespace
}  // namespace labkit::compile
