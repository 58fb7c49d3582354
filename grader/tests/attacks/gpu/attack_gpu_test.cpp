// Attacks that a real GPU must withstand: kernels that the simulator finds right, since they know one
// clock from the other. Skipped by name where there is no GPU.
#include "attack.h"
#include "base/error.h"
#include "device/cuda_device.h"

namespace labkit::attacks {
namespace {

class GpuAttack : public Attack {
 protected:
  void SetUp() override {
    try {
      device::find_gpus();
    } catch (const Error& error) {
      GTEST_SKIP() << "needs a GPU: " << error.what();
    }
    Attack::SetUp();
  }
  /// A verdict against it that the GPU reached, and no points.
  void expect_caught(const std::string& name, const std::string& verdict) {
    const Graded graded = grade(name, {.device = "cuda"});
    ASSERT_FALSE(graded.json.is_null()) << graded.run.err;
    EXPECT_EQ(graded.verdict(), verdict) << graded.run.out;
    EXPECT_EQ(graded.points(), 0) << graded.run.out;
    EXPECT_EQ(graded.run.exit_code, kExitVerdict);
  }
};

TEST_F(GpuAttack, RightOnTheSimulatorIdleOnTheGpu) { expect_caught("idle_on_gpu", "wrong_result"); }

TEST_F(GpuAttack, RightWhenCheckedIdleWhenTimed) {
  // Luck may win the small tests; the many samples of the timed ones are all looked at.
  const Graded graded = grade("idle_now_and_then", {.device = "cuda"});
  EXPECT_EQ(graded.verdict(), "wrong_result") << graded.run.out << graded.run.err;
  EXPECT_NE(graded.test("BandwidthFloat"), "pass") << graded.run.out;
  EXPECT_NE(graded.test("BandwidthDouble"), "pass") << graded.run.out;
}

TEST_F(GpuAttack, EndlessOnTheGpuOnly) {
  const Graded graded = grade("endless_on_gpu", {.device = "cuda"});
  ASSERT_FALSE(graded.json.is_null()) << graded.run.err;
  EXPECT_EQ(graded.run.exit_code, kExitVerdict);
  EXPECT_EQ(graded.points(), 0) << graded.run.out;
}

TEST_F(GpuAttack, IdleAfterTheFirstLaunch) {
  // As on the simulator: right each time, since each time is the first.
  const Graded graded = grade("idle_after_first", {.device = "cuda"});
  EXPECT_EQ(graded.verdict(), "pass") << graded.run.out << graded.run.err;
}

TEST_F(GpuAttack, WorksFromTheSecondLaunchOn) { expect_caught("works_later", "wrong_result"); }
TEST_F(GpuAttack, ReplayOnly) { expect_caught("replay_only", "wrong_result"); }

}  // namespace
}  // namespace labkit::attacks
