// Serial load latencies, against the scoreboard waits in the SASS of ptxas 13.0 (-arch=sm_90 -O3) for the same PTX.
#include <numeric>

#include "ptx/passes.h"
#include "tests/ptx/helpers.h"

namespace labkit::ptx {
namespace {

int sum(const std::vector<std::uint8_t>& charges) {
  return std::accumulate(charges.begin(), charges.end(), 0);
}

struct Charges {
  int loads = 0;
  int shared_loads = 0;
};
Charges charges_of(const Function& function) {
  const LatencyDepth depth = latency_depth(function, control_flow(function));
  EXPECT_EQ(depth.serial_loads_at.size(), function.body.size());
  return {sum(depth.serial_loads_at), sum(depth.serial_shared_loads_at)};
}
Charges charges_of(const std::string& body) {
  const Module module = test::parsed(test::kernel_text(body));
  return charges_of(*module.find_function("k"));
}

class LatencyFixtures : public testing::TestWithParam<const char*> {};

TEST_P(LatencyFixtures, AsInTheSass) {
  const Module module = test::parsed_file(GetParam());
  const auto loads = [&](const char* kernel) {
    return charges_of(*module.find_function(kernel)).loads;
  };
  EXPECT_EQ(loads("copy_rows"), 4) << "no load may pass an earlier store";
  EXPECT_EQ(loads("copy_rows_rolled"), 1) << "charged at each turn";
  EXPECT_EQ(loads("copy_rows_restrict"), 2) << "three together; the last stands behind an exit";
  EXPECT_EQ(loads("transpose_rows"), 1) << "loads pass stores to shared memory";
  EXPECT_EQ(loads("vecadd_chunk"), 2) << "one in the loop unrolled by four, one in the rest";
  EXPECT_EQ(loads("gather"), 3);
  EXPECT_EQ(loads("matmul"), 1);
  EXPECT_EQ(charges_of(*module.find_function("matmul")).shared_loads, 1);
  EXPECT_EQ(charges_of(*module.find_function("transpose_rows")).shared_loads, 2);
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, LatencyFixtures,
                         testing::Values("passes_nvrtc13_sm90.ptx", "passes_nvrtc118_sm90.ptx"),
                         [](const auto& info) {
                           return std::string(info.param).substr(7, 8) == "nvrtc118" ? "v11"
                                                                                     : "v13";
                         });

// Registers and times on an H200: tests/timing/data/other_traffic.csv, sums_4096 against reduce_2e22 shuffle_264.
TEST(LatencyDepth, ShortCountedLoopsAreUnrolled) {
  const auto turns = [](const std::string& step, const std::string& more = "") {
    const Module module = test::parsed(test::kernel_text(
        "$L: ld.global.f32 %f1,[%rd1]; add.f32 %f2,%f2,%f1; " + more + "add.s32 %r1,%r1," + step +
        "; setp.ne.s32 %p1,%r1,0; @%p1 bra $L; ret;"));
    const Function& function = *module.find_function("k");
    return static_cast<int>(latency_depth(function, control_flow(function)).turns_in_flight_at[0]);
  };
  EXPECT_EQ(turns("-1"), 4);
  EXPECT_EQ(turns("%r2"), 1) << "counts by a variable";
  EXPECT_EQ(turns("-1", "st.global.f32 [%rd1],%f2; "), 1) << "loads may not pass the store";
  EXPECT_EQ(turns("-1", "bar.sync 0; "), 1);
  std::string loads;
  for (int i = 0; i < 7; ++i) loads += "ld.global.f32 %f3,[%rd1]; ";
  EXPECT_EQ(turns("-1", loads), 2) << "16 loads under way are enough";
}

TEST(LatencyDepth, IndependentLoadsShareOneLatency) {
  EXPECT_EQ(
      charges_of("ld.global.f32 %f1,[%rd1]; add.f32 %f2,%f1,%f1; ld.global.f32 %f3,[%rd2]; ret;")
          .loads,
      1);
}

TEST(LatencyDepth, ChargeStandsAtTheFirstLoadOfALevel) {
  const Module module =
      test::parsed(test::kernel_text("ld.global.u64 %rd2,[%rd1]; ld.global.u64 %rd3,[%rd1+8]; "
                                     "ld.global.f32 %f1,[%rd2]; ld.global.f32 %f2,[%rd3]; ret;"));
  const Function* k = module.find_function("k");
  const LatencyDepth depth = latency_depth(*k, control_flow(*k));
  EXPECT_EQ(depth.serial_loads_at, (std::vector<std::uint8_t>{1, 0, 1, 0, 0}));
}

TEST(LatencyDepth, StoresHoldBackLoadsThatMightReadThem) {
  const std::string copy = "ld.global.f32 %f1,[%rd1]; st.global.f32 [%rd2],%f1; ";
  EXPECT_EQ(charges_of(copy + "ld.global.f32 %f2,[%rd3]; ret;").loads, 2);
  EXPECT_EQ(charges_of(copy + "ld.global.nc.f32 %f2,[%rd3]; ret;").loads, 1) << "read-only";
  EXPECT_EQ(charges_of(copy + "ld.global.f32 %f2,[%rd2+4]; ret;").loads, 1)
      << "same base, other bytes";
  EXPECT_EQ(charges_of(copy + "ld.global.f32 %f2,[%rd2+-4]; ret;").loads, 1);
  EXPECT_EQ(charges_of(copy + "ld.global.f32 %f2,[%rd2]; ret;").loads, 2) << "same bytes";
  EXPECT_EQ(charges_of(copy + "ld.global.f64 %fd2,[%rd2+-4]; ret;").loads, 2) << "overlap";
  EXPECT_EQ(charges_of(copy + "add.s64 %rd2,%rd2,%rd4; ld.global.f32 %f2,[%rd2+4]; ret;").loads, 2)
      << "base moved";
  EXPECT_EQ(charges_of(copy + "ld.f32 %f2,[%rd3]; ret;").loads, 2) << "generic";
  EXPECT_EQ(
      charges_of("ld.global.f32 %f1,[%rd1]; st.shared.f32 [t],%f1; ld.global.f32 %f2,[%rd3]; ret;")
          .loads,
      1);
  EXPECT_EQ(charges_of("st.global.f32 [%rd2],%f1; ld.global.f32 %f2,[%rd3]; ret;").loads, 1)
      << "nothing to wait for";
  EXPECT_EQ(
      charges_of("ld.shared.f32 %f1,[t]; st.shared.f32 [u],%f1; ld.shared.f32 %f2,[%rd3]; ret;")
          .shared_loads,
      2);
}

TEST(LatencyDepth, AtomicsAreLoadsAndStores) {
  EXPECT_EQ(charges_of("ld.global.u32 %r1,[%rd1]; atom.global.add.u32 %r2,[%rd2],%r1; "
                       "ld.global.u32 %r3,[%rd3]; ret;")
                .loads,
            2);
  EXPECT_EQ(charges_of("red.global.add.u32 [%rd2],%r1; ret;").loads, 0);
}

TEST(LatencyDepth, BarriersAndLoopsBeginAnew) {
  EXPECT_EQ(charges_of("ld.global.f32 %f1,[%rd1]; add.f32 %f3,%f1,%f1; bar.sync 0; "
                       "ld.global.f32 %f2,[%rd2]; ret;")
                .loads,
            2);
  EXPECT_EQ(charges_of("ld.global.f32 %f1,[%rd1]; L: ld.global.f32 %f2,[%rd2]; @%p1 bra L; "
                       "ld.global.f32 %f3,[%rd3]; ret;")
                .loads,
            3);
}

TEST(LatencyDepth, BehindABarrierALoadJoinsThoseThatNobodyWaitsForYet) {
  EXPECT_EQ(
      charges_of("ld.global.f32 %f1,[%rd1]; bar.sync 0; ld.global.f32 %f2,[%rd2]; ret;").loads, 1);
  EXPECT_EQ(charges_of("ld.global.f32 %f1,[%rd1]; mov.f32 %f3,%f1; bar.sync 0; "
                       "ld.global.f32 %f2,[%rd2]; add.f32 %f4,%f3,%f3; bar.sync 0; "
                       "ld.global.f32 %f5,[%rd2]; ret;")
                .loads,
            2)
      << "a copy is another name of it";
}

TEST(LatencyDepth, ShortBranchesBecomePredicatesLongOnesDoNot) {
  const auto guarded = [](int length) {
    std::string body = "ld.global.nc.f32 %f1,[%rd1]; setp.gt.f32 %p1,%f1,%f2; mov.u32 %r1,0; ";
    body += "ld.global.nc.f32 %f3,[%rd4]; add.f32 %f3,%f3,%f1; @%p2 bra X;\n";
    for (int i = 0; i < length; ++i) body += "mad.lo.u32 %r1,%r1,%r2,7;\n";
    return body + "ld.global.nc.f32 %f4,[%rd2]; X: st.global.f32 [%rd3],%f4; ret;";
  };
  EXPECT_EQ(charges_of(guarded(3)).loads, 1);
  EXPECT_EQ(charges_of(guarded(60)).loads, 2);
}

TEST(LatencyDepth, AsyncCopiesArriveAtTheWait) {
  EXPECT_EQ(
      charges_of(
          "cp.async.ca.shared.global [%r1],[%rd1],4; cp.async.ca.shared.global [%r1+4],[%rd1+4],4;"
          "cp.async.wait_all; ld.global.f32 %f1,[%rd2]; ret;")
          .loads,
      1);
}

TEST(LatencyDepth, ParametersAndConstantsCostNothing) {
  EXPECT_EQ(charges_of("ld.param.u64 %rd1,[a]; ld.const.f32 %f1,[%rd1]; ret;").loads, 0);
}

}  // namespace
}  // namespace labkit::ptx
