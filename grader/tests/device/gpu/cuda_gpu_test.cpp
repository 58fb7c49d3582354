// CudaDevice on a real GPU. Skipped by name where there is none; label gpu.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "compile/compile.h"
#include "device/cuda_device.h"
#include "words/render.h"

namespace labkit::device {
namespace {

using launch::FindingKind;

class OnGpu : public testing::Test {
 protected:
  static constexpr std::uint32_t kCount = 1 << 20;

  void SetUp() override {
    try {
      devices_ = make_devices("cuda");
      compile::find_nvrtc();
    } catch (const Error& error) {
      GTEST_SKIP() << "needs a GPU and NVRTC: " << error.what();
    }
  }

  /// Kernels of one source, each launched as k<<<kCount / 256, 256>>>(const float* in, float* out,
  /// int n).
  Plan plan_of(const std::string& source, const std::vector<std::string>& kernels,
               std::string arch = {}) const {
    compile::Request request;
    request.source = source;
    request.name = "kernel.cu";
    request.kernels = kernels;
    request.arch = arch.empty() ? devices_.gpu->describe().arch : arch;
    const compile::Result compiled = compile::compile(request);
    if (compiled.status != compile::Status::ok)
      throw Error(words::render(compiled.message) + compiled.log);
    Plan plan;
    plan.modules = {{.name = "kernel.cu", .ptx = compiled.ptx, .cubin = compiled.cubin}};
    launch::Buffer in;
    in.name = "in";
    in.count = kCount;
    in.fill = launch::Fill::random;
    in.seed = 5;
    launch::Buffer out = in;
    out.name = "out";
    out.fill = launch::Fill::poison;
    out.is_output = true;
    plan.buffers = {in, out};
    for (const std::string& kernel : kernels) {
      PlannedLaunch planned;
      planned.launch = {.kernel = kernel,
                        .entry = compiled.entries.at(kernel),
                        .grid = {kCount / 256},
                        .block = {256},
                        .arguments = {launch::BufferRef{0}, launch::BufferRef{1},
                                      launch::scalar(std::int32_t{kCount})}};
      plan.launches.push_back(planned);
    }
    return plan;
  }
  static void time_all(Plan& plan) {
    for (PlannedLaunch& launch : plan.launches) launch.want_time = true;
    plan.repetition = {.warmups = 2,
                       .min_samples = 11,
                       .max_samples = 60,
                       .enough_relative_error = 0.02,
                       .max_seconds = 10,
                       .max_wait_seconds = 10};
  }
  static float float_at(const Outcome& outcome, std::size_t i) {
    float value = 0;
    std::memcpy(&value, outcome.outputs.at(0).bytes.data() + i * sizeof value, sizeof value);
    return value;
  }
  static void expect_same_outputs(const Outcome& a, const Outcome& b) {
    ASSERT_EQ(a.outputs.size(), b.outputs.size());
    for (std::size_t i = 0; i < a.outputs.size(); ++i)
      EXPECT_TRUE(a.outputs[i].bytes == b.outputs[i].bytes) << "output " << i;
  }

  Devices devices_;
};

constexpr char kHead[] =
    "#define K extern \"C\" __global__ void\n"
    "#define I (blockIdx.x * blockDim.x + threadIdx.x)\n";
constexpr char kCopy[] =
    "K copy(const float* in, float* out, int n) { if (I < n) out[I] = in[I]; }\n";

TEST_F(OnGpu, ResultsAreTheSimulators) {
  const std::string source =
      std::string(kHead) + kCopy +
      "K turn(const float* in, float* out, int n) {\n"
      "  __shared__ float tile[256]; tile[threadIdx.x] = in[I]; __syncthreads();\n"
      "  out[I] = tile[255 - threadIdx.x] * 3.0f + 0.25f;\n}\n"
      "K waves(const float* in, float* out, int n) { out[I] = sqrtf(fabsf(in[I])) / (1 + in[I ^ 1] "
      "* "
      "in[I ^ 1]); }\n";
  const std::vector<std::string> kernels = {"copy", "turn", "waves"};
  const auto on_gpu = devices_.gpu->run(plan_of(source, kernels));
  const auto on_simulator = devices_.simulator->run(plan_of(source, kernels, "compute_90"));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    ASSERT_TRUE(on_gpu[i].completed) << kernels[i];
    expect_same_outputs(on_gpu[i], on_simulator[i]);
    EXPECT_TRUE(on_gpu[i].changed_inputs.empty());
  }
}

TEST_F(OnGpu, TheDriverCompilesPtxToo) {
  compile::NvrtcInfo nvrtc = compile::find_nvrtc();
  const int oldest = nvrtc.architectures.front();
  Plan plan = plan_of(std::string(kHead) + kCopy, {"copy"}, "compute_" + std::to_string(oldest));
  ASSERT_TRUE(plan.modules[0].cubin.empty());
  const auto outcomes = devices_.gpu->run(plan);
  EXPECT_TRUE(outcomes[0].completed);
}

TEST_F(OnGpu, FaultsAreFindingsAndCostTheirLaunchOnly) {
  const std::string source =
      std::string(kHead) + kCopy +
      "#include <assert.h>\n"
      "K wild(float* in, float* out, int n) { out[1ll << 40] = 1; }\n"
      "K odd(float* in, float* out, int n) { *(float4*)(out + 1) = "
      "make_float4(1, 2, 3, 4); }\n"
      "K stop(float* in, float* out, int n) { __trap(); }\n"
      "K firm(float* in, float* out, int n) { assert(n < 4); }\n"
      "K loop(volatile float* in, float* out, int n) { while (in[0] != 7) ; }\n"
      "K deep(float* in, float* out, int n) { extern __shared__ float s[]; "
      "s[threadIdx.x + n] = 1; out[I] = s[threadIdx.x]; }\n";
  Plan plan = plan_of(source, {"copy", "wild", "odd", "stop", "firm", "loop", "deep"});
  PlannedLaunch wide = plan.launches[0];
  wide.launch.block = {2048};
  plan.launches.push_back(wide);
  plan.launches.push_back(plan.launches[0]);
  // A fault in every warp takes the driver seconds to tell of: faults of a few do as well.
  for (PlannedLaunch& launch : plan.launches) {
    launch.wall_seconds = launch.launch.kernel == "loop" ? 1 : 60;
    if (launch.launch.kernel != "copy") launch.launch.grid = {2};
  }
  const auto outcomes = devices_.gpu->run(plan);
  EXPECT_TRUE(outcomes.front().completed);
  EXPECT_TRUE(outcomes.back().completed);
  expect_same_outputs(outcomes.front(), outcomes.back());
  const FindingKind kinds[] = {FindingKind::out_of_bounds, FindingKind::misaligned,
                               FindingKind::trap,          FindingKind::assertion,
                               FindingKind::budget,        FindingKind::out_of_bounds,
                               FindingKind::launch};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    const Outcome& outcome = outcomes[1 + i];
    ASSERT_EQ(outcome.findings.size(), 1u) << i;
    EXPECT_EQ(outcome.findings[0].kind, kinds[i]) << words::render(outcome.findings[0].evidence);
    EXPECT_FALSE(outcome.completed);
    std::printf("%s\n\n", words::render(outcome.findings[0].evidence).c_str());
  }
  EXPECT_EQ(outcomes[4].findings[0].where.file, "kernel.cu");
}

TEST_F(OnGpu, VariablesAreAsNewForEverySample) {
  const std::string source =
      std::string(kHead) +
      "__device__ int seen = 5;\nstatic __device__ int hidden = 7;\n"
      "K open(float* in, float* out, int n) { if (I == 0) out[0] = seen++; }\n"
      "K closed(float* in, float* out, int n) { if (I == 0) out[0] = hidden++; "
      "}\n";
  Plan plan = plan_of(source, {"open", "closed"});
  time_all(plan);
  const auto outcomes = devices_.gpu->run(plan);
  EXPECT_EQ(float_at(outcomes[0], 0), 5);
  EXPECT_EQ(float_at(outcomes[1], 0), 7);
  for (const Outcome& outcome : outcomes) EXPECT_EQ(outcome.differing_samples, 0u);
}

TEST_F(OnGpu, WhatAKernelPrintsComesBack) {
  const std::string source =
      std::string(kHead) +
      "#include <stdio.h>\n"
      "K say(float* in, float* out, int n) { if (I == 3) printf(\"here is "
      "%d\\n\", (int)I); }\n"
      "K shout(float* in, float* out, int n) { if (I < 8192) for (int i = 0; i < 20; ++i) "
      "printf(\"thread %d\\n\", (int)I); }\n";
  const auto outcomes = devices_.gpu->run(plan_of(source, {"say", "shout"}));
  EXPECT_EQ(outcomes[0].printed, "here is 3\n");
  EXPECT_TRUE(outcomes[1].completed);
  EXPECT_GT(outcomes[1].printed.size(), 1000u);
  EXPECT_LE(outcomes[1].printed.size(), 1u << 20);
}

TEST_F(OnGpu, AWindowTimesLaunchesInTheSameRounds) {
  Plan plan = plan_of(std::string(kHead) + kCopy, {"copy", "copy", "copy"});
  plan.launches[2].kind = PlannedLaunch::Kind::driver_copy;
  time_all(plan);
  const auto outcomes = devices_.gpu->run(plan);
  for (const Outcome& outcome : outcomes) {
    EXPECT_TRUE(outcome.completed);
    ASSERT_TRUE(outcome.conditions.has_value());
    EXPECT_EQ(outcome.times_us.size(), outcome.conditions->rounds);
    EXPECT_GE(outcome.conditions->rounds, 11u);
    EXPECT_EQ(outcome.differing_samples, 0u);
    EXPECT_TRUE(outcome.changed_inputs.empty());
    EXPECT_TRUE(std::all_of(outcome.times_us.begin(), outcome.times_us.end(),
                            [](double time) { return time > 0; }));
    EXPECT_EQ(outcome.conditions->gpu_uuid.substr(0, 4), "GPU-");
  }
  expect_same_outputs(outcomes[0], outcomes[2]);
}

TEST_F(OnGpu, OutputsThatDependOnTimeAreSeen) {
  const std::string source = std::string(kHead) +
                             "K late(float* in, float* out, int n) { if (I == 0) out[0] = "
                             "(float)(clock64() & 0xffffff); else out[I] = 1; }\n"
                             "K writes(float* in, float* out, int n) { in[I] = 3; out[I] = 1; }\n";
  Plan plan = plan_of(source, {"late", "writes"});
  time_all(plan);
  const auto outcomes = devices_.gpu->run(plan);
  EXPECT_GT(outcomes[0].differing_samples, 0u);
  ASSERT_FALSE(outcomes[0].other_outputs.empty());
  EXPECT_NE(outcomes[0].other_outputs[0].at(0).bytes, outcomes[0].outputs[0].bytes);
  EXPECT_EQ(outcomes[1].differing_samples, 0u);
  EXPECT_EQ(outcomes[1].changed_inputs, (std::vector<std::uint32_t>{0}));
}

TEST_F(OnGpu, MoreMemoryThanThereIsIsOurError) {
  Plan plan = plan_of(std::string(kHead) + kCopy, {"copy"});
  const std::uint64_t free = devices_.gpu->describe().facts->free_bytes;
  EXPECT_GT(free, devices_.gpu->describe().facts->max_bytes);
  plan.buffers[0].fill = launch::Fill::zero;
  plan.buffers[0].count = free / 4 * 3 / 4;
  EXPECT_THROW(devices_.gpu->run(plan), Error);
}

}  // namespace
}  // namespace labkit::device
