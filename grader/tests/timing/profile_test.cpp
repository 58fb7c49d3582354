// GPU profiles: found, complete, refused with the reason when broken.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files.h"
#include "timing/timing.h"

namespace labkit::timing {
namespace {

std::string h200_text() {
  return read_file(std::string(LABKIT_SOURCE_DIR) + "/grader/timing/profiles/h200.toml");
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& toml) {
  try {
    parse_profile("broken", toml, "broken.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Profile, H200IsCarriedAndMeasured) {
  const GpuProfile& gpu = find_profile("h200");
  EXPECT_TRUE(gpu.measured);
  EXPECT_EQ(gpu.sm_count, 132u);
  EXPECT_EQ(gpu.l2_bytes, 60u << 20);
  EXPECT_LT(gpu.dram_bytes_per_second, gpu.dram_peak_bytes_per_second);
  EXPECT_LT(gpu.l1_latency_seconds, gpu.l2_latency_seconds);
  EXPECT_LT(gpu.l2_latency_seconds, gpu.dram_latency_seconds);
  EXPECT_EQ(measured_profile_names(), std::vector<std::string>{"h200"});
}

TEST(Profile, OthersAreReadAndSaidNotToBeMeasured) {
  const std::vector<std::string> names = profile_names();
  EXPECT_EQ(names, (std::vector<std::string>{"a100", "h200", "l4", "rtx3080", "rtx3090", "rtx4090",
                                             "t4"}));
  for (const std::string& name : names) {
    const GpuProfile& gpu = find_profile(name);
    EXPECT_EQ(gpu.measured, name == "h200") << name;
    EXPECT_LT(gpu.dram_bytes_per_second, gpu.dram_peak_bytes_per_second) << name;
    EXPECT_LT(gpu.dram_bytes_per_second, gpu.l2_read_bytes_per_second) << name;
    EXPECT_LT(gpu.l1_latency_seconds, gpu.l2_latency_seconds) << name;
    EXPECT_LT(gpu.l2_latency_seconds, gpu.dram_latency_seconds) << name;
    EXPECT_EQ(gpu.max_threads_per_sm, 32 * gpu.max_warps_per_sm) << name;
    EXPECT_LT(gpu.l2_reuse_bytes, static_cast<double>(gpu.l2_bytes)) << name;
    EXPECT_LE(gpu.shared_bytes_per_block_max + gpu.shared_bytes_reserved, gpu.shared_bytes_per_sm)
        << name;
    EXPECT_LT(gpu.shared_bytes_per_sm, gpu.l1_bytes) << name;
  }
}

TEST(Profile, UnknownNameSaysWhichThereAre) {
  try {
    find_profile("voodoo2");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("voodoo2"), std::string::npos);
    EXPECT_NE(error.remedy().find("h200"), std::string::npos);
  }
}

TEST(Profile, EveryNumberNeedsUnitSourceAndSense) {
  const std::string good = h200_text();
  EXPECT_EQ(refusal(good), "accepted");
  EXPECT_NE(refusal(replaced(good, "value = 132,", "value = -1,")).find("limits.sm_count"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(good, "unit = \"SMs\",", "")).find("no unit"), std::string::npos);
  EXPECT_NE(refusal(replaced(good, "source = \"cudaDeviceProp (micro)\"", "source = \"\""))
                .find("no source"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(good, "sm_count  ", "sm_cuont  ")).find("limits.sm_count: missing"),
            std::string::npos);
  EXPECT_NE(refusal(good + "\nextra = { value = 1, unit = \"s\", source = \"x\" }\n")
                .find("unknown entry"),
            std::string::npos);
  EXPECT_NE(refusal("title = [").find("broken.toml, line 1"), std::string::npos);
  EXPECT_NE(refusal("").find("title"), std::string::npos);
}

}  // namespace
}  // namespace labkit::timing
