// `labkit profile` beside a GPU; the GPU is the fake one of tests/device.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../device/fake_gpu.h"
#include "compile/compile.h"
#include "grade/policy.h"
#include "grade/profile.h"

namespace labkit::grade {
namespace {

class GpuProfile : public device::FakeGpu {
 protected:
  void SetUp() override {
    FakeGpu::SetUp();
    try {
      compile::find_nvrtc();
    } catch (const Error& error) {
      GTEST_SKIP() << "needs NVRTC: " << error.what();
    }
  }
  Profile run(const std::string& kernel, const std::string& body = "out[i] = in[i];") {
    const auto file = directory_ / "kernel.cu";
    std::ofstream(file) << "extern \"C\" __global__ void " << kernel
                        << "(const int* in, int* out, int n) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) "
                        << body << "\n}\n";
    ProfileRequest request;
    request.file = file;
    request.launches = {
        launch::parse_launch(kernel + "<<<4, 32>>>(i32[128]:iota, i32[128]:poison, 128)")};
    request.wall_seconds = 0.3;
    return profile(device::make_devices("cuda"), request).launches.at(0);
  }
};

TEST_F(GpuProfile, MeasuresOnTheGpuAndCountsOnTheSimulator) {
  const Profile result = run("copy_40us");
  EXPECT_FALSE(result.failed());
  EXPECT_EQ(result.device.name, "sim");
  ASSERT_TRUE(result.gpu.has_value());
  EXPECT_EQ(result.gpu->gpu, "NVIDIA Fake");
  ASSERT_TRUE(result.measured.has_value());
  EXPECT_NEAR(summarise(result.measured->times_us).median_us, 40, 0.1);
  EXPECT_FALSE(result.measured->time_is_predicted);
  EXPECT_FALSE(result.measured->counters.has_value());
  EXPECT_TRUE(result.simulated);
  EXPECT_TRUE(result.outcome.counters.has_value());
  EXPECT_TRUE(result.outcome.time_is_predicted);
}

TEST_F(GpuProfile, WhatDoesNotEndOnTheGpuIsNotSimulatedForEver) {
  const Profile result = run("endless", "while (true) out[i] += 1;");
  EXPECT_TRUE(result.failed());
  EXPECT_FALSE(result.simulated);
  ASSERT_EQ(result.measured->findings.size(), 1u);
  EXPECT_EQ(result.measured->findings[0].kind, launch::FindingKind::budget);
  EXPECT_EQ(result.notes.at(0).id, words::Id::profile_not_simulated);
}

TEST_F(GpuProfile, AFaultOnTheGpuIsAFailureAlsoIfTheSimulatorSeesNone) {
  const Profile result = run("illegal");
  EXPECT_TRUE(result.failed());
  EXPECT_TRUE(result.outcome.completed);
  EXPECT_EQ(result.measured->findings.at(0).kind, launch::FindingKind::out_of_bounds);
}

}  // namespace
}  // namespace labkit::grade
