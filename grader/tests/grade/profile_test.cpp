#include "grade/profile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "base/error.h"
#include "words/render.h"

namespace labkit::grade {
namespace {

class ProfileTest : public testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::temp_directory_path() /
            ("labkit_profile_test_" + std::to_string(getpid()) + ".cu");
  }
  void TearDown() override { std::filesystem::remove(file_); }

  Profile run(const std::string& source, const std::vector<std::string>& arguments,
              launch::Dim3 grid = {4}) {
    return run(source, arguments, grid, {});
  }
  Profile run(const std::string& source, const std::vector<std::string>& arguments,
              launch::Dim3 grid, ProfileRequest request) {
    std::ofstream(file_) << source;
    request.file = file_;
    launch::ParsedLaunch& launch = request.launches.emplace_back();
    launch.kernel = "k";
    launch.grid = grid;
    launch.block = {32};
    for (const std::string& argument : arguments)
      launch.arguments.push_back(launch::parse_argument(argument));
    return profile(device::make_devices("sim"), request).launches.at(0);
  }
  std::filesystem::path file_;
};

constexpr const char* kCopy =
    "__global__ void k(const float* in, float* out, int n) {\n  int i = blockIdx.x * blockDim.x + "
    "threadIdx.x;\n  if (i < n) out[i] = in[i];\n}\n";

TEST_F(ProfileTest, CountsALaunch) {
  const Profile result = run(kCopy, {"f32[128]:random", "f32[128]:poison", "i32:128"});
  EXPECT_FALSE(result.failed());
  ASSERT_TRUE(result.outcome.counters.has_value());
  const auto metrics = observe::metrics(*result.outcome.counters);
  EXPECT_EQ(metrics.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 16);
  EXPECT_EQ(metrics.at("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"), 4);
  EXPECT_GT(result.outcome.times_us.at(0), 0);
}

TEST_F(ProfileTest, AFindingIsAFailureWithTheArgumentsName) {
  const Profile result = run(kCopy, {"f32[128]:random", "f32[100]:poison", "i32:128"});
  EXPECT_TRUE(result.failed());
  EXPECT_TRUE(result.refusal.empty());
  ASSERT_FALSE(result.outcome.findings.empty());
  EXPECT_EQ(result.outcome.findings[0].where.line, 3u);
}

TEST_F(ProfileTest, WhatIsNotKnownIsRefusedByNameAndSourceLine) {
  const Profile result =
      run("__global__ void k(int** out) {\n"
          "  out[threadIdx.x] = (int*)malloc(8 + threadIdx.x);\n}\n",
          {"i64[128]:poison"});
  EXPECT_TRUE(result.failed());
  ASSERT_EQ(result.outcome.findings.size(), 1u);
  const launch::Finding& finding = result.outcome.findings[0];
  EXPECT_EQ(finding.kind, launch::FindingKind::unsupported);
  EXPECT_EQ(finding.where.line, 2u);
  EXPECT_TRUE(launch::has_evidence(finding, words::Id::unsupported_missing_function));
  const std::string said = words::render(finding.evidence);
  EXPECT_NE(said.find(".cu:2, PTX line"), std::string::npos) << said;
}

/// Lanes of a warp whose pointers differ go different ways, and meet again; in a loop too, and where a function comes back to itself.
TEST_F(ProfileTest, FunctionsAreCalledThroughPointers) {
  const Profile result = run(
      "__device__ __noinline__ int one(int x) { return x * 3; }\n"
      "__device__ __noinline__ int two(int x) { return x + 7; }\n"
      "__device__ int (*table[2])(int) = {one, two};\n"
      "__device__ __noinline__ int deep(int x) { return x < 2 ? x : table[x & 1](deep(x - 2)); }\n"
      "__device__ int (*other)(int) = deep;\n"
      "__global__ void k(int* out) {\n"
      "  int x = threadIdx.x, y = x;\n"
      "  for (int i = 0; i < 5; ++i) x = table[(x + i) & 1](x);\n"
      "  for (int i = 0; i < 5; ++i) y = ((y + i) & 1) != 0 ? y + 7 : y * 3;\n"
      "  out[threadIdx.x] = 0;\n"
      "  __syncwarp();\n"
      "  if (x != y) __trap();\n"
      "  int z = threadIdx.x % 2;\n"
      "  for (int k = 2 + z; k <= threadIdx.x; k += 2) z = z ? (k & 1 ? z + 7 : z * 3) : (k & 1 ? "
      "7 : 0);\n"
      "  if (other(threadIdx.x) != z) __trap();\n}\n",
      {"i32[128]:poison"});
  EXPECT_FALSE(result.failed());
  EXPECT_TRUE(result.outcome.completed);
}

TEST_F(ProfileTest, WhatDoesNotCompileIsARefusal) {
  EXPECT_EQ(run("__global__ void k( {}", {}).refusal, "compile_error");
  EXPECT_EQ(run("__global__ void other() {}", {}).refusal, "missing_kernel");
}

TEST_F(ProfileTest, ArgumentsMustFitTheParameters) {
  EXPECT_THROW(run(kCopy, {"f32[128]:random"}), std::invalid_argument);
  EXPECT_THROW(run(kCopy, {"f32[128]:random", "f32[128]:poison", "i64:128"}),
               std::invalid_argument);
  EXPECT_THROW(run(kCopy, {"f32[128]:random", "i32:1", "i32:128"}), std::invalid_argument);
  EXPECT_THROW(run(kCopy, {"i32[128]:random", "f32[128]:poison", "i32:128"}),
               std::invalid_argument);
  EXPECT_THROW(run(kCopy, {"f32[128]:random", "f64[128]:poison", "i32:128"}),
               std::invalid_argument);
}

TEST_F(ProfileTest, AnArgumentOfAnotherTypeIsRefusedWhereThePtxTells) {
  constexpr const char* kScale =
      "struct Two { float a, b; };\n"
      "__global__ void k(float* out, int n, float f, Two two) {\n"
      "  if (threadIdx.x < n) out[threadIdx.x] = f * two.a; }\n";
  const auto refusal = [&](const std::vector<std::string>& arguments) -> std::string {
    try {
      run(kScale, arguments);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  const std::string out = "f32[128]:poison", two = "hex:0000000000000000";
  EXPECT_EQ(refusal({out, "i32:3", "f32:2", two}), "");
  EXPECT_EQ(refusal({out, "hex:03000000", "hex:00000040", two}), "");
  EXPECT_EQ(refusal({out, "f32:3", "f32:2", two}),
            "argument 2 is f32, but parameter 2 of k is an integer of 4 bytes");
  EXPECT_EQ(refusal({out, "i32:3", "u32:2", two}),
            "argument 3 is u32, but parameter 3 of k is a float");
}

bool has_note(const Profile& profile, words::Id id) {
  return std::any_of(profile.notes.begin(), profile.notes.end(),
                     [&](const words::Message& note) { return note.id == id; });
}

/// The optimiser takes the loop away; the build without it would be at it for long.
TEST_F(ProfileTest, WorkThatOnlyTheUnoptimisedBuildDoesIsNoFault) {
  ProfileRequest request;
  request.check = true;
  request.thread_instruction_budget = 3'200'000;
  const Profile result =
      run("__global__ void k(const float* in, float* out, int n) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  float dead = 0;\n"
          "  for (int j = 0; j < 300000; ++j) dead += tan(0.001f * j);\n"
          "  if (i < n) out[i] = in[i];\n}\n",
          {"f32[128]:random", "f32[128]:poison", "i32:128"}, {4}, request);
  EXPECT_FALSE(result.failed());
  EXPECT_TRUE(result.outcome.findings.empty());
  EXPECT_TRUE(has_note(result, words::Id::budget_checked_in_part));
}

/// And what it finds before that counts.
TEST_F(ProfileTest, WhatTheUnoptimisedBuildFindsUntilItIsStoppedCounts) {
  ProfileRequest request;
  request.check = true;
  request.thread_instruction_budget = 3'200'000;
  const Profile result =
      run("__global__ void k(float* out) {\n"
          "  __shared__ float s[32];\n"
          "  float unset;\n"
          "  if (unset > 3) out[1] = 1;\n"
          "  float dead = 0;\n"
          "  for (int j = 0; j < 300000; ++j) dead += tan(0.001f * j);\n"
          "  s[threadIdx.x] = dead;\n"
          "  out[threadIdx.x] = 1;\n}\n",
          {"f32[128]:poison"}, {1}, request);
  EXPECT_TRUE(result.failed());
  EXPECT_TRUE(
      std::none_of(result.outcome.findings.begin(), result.outcome.findings.end(),
                   [](const launch::Finding& f) { return f.kind == launch::FindingKind::budget; }));
}

/// All pairs: large, and every block of it ends.
TEST_F(ProfileTest, ALargeKernelIsNotCalledEndless) {
  ProfileRequest request;
  request.thread_instruction_budget = 3'200'000;
  const Profile result =
      run("__global__ void k(const float* in, float* out, int n) {\n"
          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  float sum = 0;\n"
          "  for (int j = 0; j < n; ++j) sum += rsqrtf(in[j] - in[i] + 3);\n"
          "  out[i] = sum;\n}\n",
          {"f32[2048]:random", "f32[2048]:poison", "i32:2048"}, {64}, request);
  EXPECT_TRUE(result.failed());
  ASSERT_EQ(result.outcome.findings.size(), 1u);
  const launch::Finding& finding = result.outcome.findings[0];
  EXPECT_EQ(finding.kind, launch::FindingKind::budget);
  EXPECT_EQ(finding.where.line, 4u);
  EXPECT_EQ(finding.cause, launch::Cause::budget_too_much_work);
  ASSERT_EQ(finding.evidence.size(), 2u);
  EXPECT_EQ(finding.evidence[0].id, words::Id::budget_busiest_line);
  EXPECT_EQ(finding.evidence[1],
            (words::Message{words::Id::budget_raise, {{"budget", "12800000"}}}));
}

TEST_F(ProfileTest, AMissingFileIsOurError) {
  ProfileRequest request;
  request.file = "/nowhere/k.cu";
  request.launches = {launch::parse_launch("k<<<1, 1>>>()")};
  EXPECT_THROW(profile(device::make_devices("sim"), request), Error);
}

/// Several launches: what the first leaves in an array, the second reads.
TEST_F(ProfileTest, ArraysGoFromLaunchToLaunchByTheirNames) {
  std::ofstream(file_) << "__constant__ float factor;\n"
                          "__global__ void twice(const float* in, float* out) {\n"
                          "  out[threadIdx.x] = factor * in[threadIdx.x];\n}\n";
  ProfileRequest request;
  request.file = file_;
  request.check = true;
  request.variables["factor"] = launch::parse_argument("3");
  request.wanted_arrays = {"last"};
  request.launches = {launch::parse_launch("twice<<<1, 32>>>(f32[32]:iota, f32[32]:poison)"),
                      launch::parse_launch("twice<<<1, 32>>>(out, last=f32[32]:poison)")};
  const Profiled profiled = profile(device::make_devices("sim"), request);
  ASSERT_EQ(profiled.launches.size(), 2u);
  for (const Profile& one : profiled.launches) {
    EXPECT_FALSE(one.failed()) << words::render(one.message) << one.compile_log;
    EXPECT_TRUE(one.outcome.findings.empty()) << "what the first has written is written";
    EXPECT_TRUE(one.outcome.counters.has_value());
  }
  launch::Buffer wanted{.name = "", .count = 32, .fill = launch::Fill::iota};
  std::vector<std::byte> right = launch::initial_contents(wanted);
  for (std::size_t i = 0; i < 32; ++i) {
    const float value = 9.0f * static_cast<float>(i);
    std::memcpy(right.data() + 4 * i, &value, sizeof value);
  }
  const launch::Buffer& last = profiled.arrays.at("last");
  EXPECT_EQ(compare_with(last, right, 0), std::nullopt);
  const float off = 9.01f;
  std::memcpy(right.data() + 4, &off, sizeof off);
  const auto mismatch = compare_with(last, right, 0);
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->col, 1u);
  EXPECT_EQ(mismatch->wrong, 1u);
  EXPECT_EQ(mismatch->got, "9");
  EXPECT_EQ(compare_with(last, right, 0.01), std::nullopt);
  right.pop_back();
  EXPECT_THROW(compare_with(last, right, 0), std::invalid_argument);
}

TEST_F(ProfileTest, WhatIsExpectedMayBeInfiniteOrNoNumber) {
  const float inf = INFINITY, nan = NAN;
  const auto floats = [](std::vector<float> values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  };
  launch::Buffer array{.name = "y", .count = 3, .fill = launch::Fill::given};
  array.data = floats({inf, nan, 1});
  for (const double tolerance : {0.0, 0.01}) {
    EXPECT_EQ(compare_with(array, floats({inf, nan, 1}), tolerance), std::nullopt);
    EXPECT_NE(compare_with(array, floats({-inf, nan, 1}), tolerance), std::nullopt);
    EXPECT_NE(compare_with(array, floats({inf, 1, 1}), tolerance), std::nullopt);
    EXPECT_NE(compare_with(array, floats({inf, nan, nan}), tolerance), std::nullopt);
  }
}

TEST_F(ProfileTest, WithOptionsForItTheWholeProgramIsCompiledAndNothingElse) {
  ProfileRequest request;
  request.only_whole = true;
  int asked = 0;
  request.whole_programs = [&](compile::Request wanted) {
    ++asked;
    wanted.source = "#define STEP 2\n" + wanted.source;
    return compile::compile(wanted, {});
  };
  const Profile result = run("__global__ void k(int* out) { out[threadIdx.x] = STEP; }",
                             {"i32[32]:poison"}, {1}, request);
  EXPECT_FALSE(result.failed()) << words::render(result.message) << result.compile_log;
  EXPECT_EQ(asked, 1);
}

TEST_F(ProfileTest, ArraysOfAKernelInANamespaceHaveItsParametersNames) {
  std::ofstream(file_) << "namespace mine {\n__global__ void k(int* first, int* second) {\n"
                          "  first[threadIdx.x] = second[threadIdx.x] = 1;\n}\n}\n";
  ProfileRequest request;
  request.file = file_;
  request.launches = {launch::parse_launch("mine::k<<<1, 8>>>(i32[8]:poison, i32[8]:poison)")};
  EXPECT_TRUE(profile(device::make_devices("sim"), request).arrays.contains("second"));
  request.launches = {launch::parse_launch("mine::k<<<1, 8>>>(a=i32[8]:poison, a=i32[8]:zero)")};
  EXPECT_THROW(profile(device::make_devices("sim"), request), std::invalid_argument);
}

TEST_F(ProfileTest, AHalfIsComparedAsANumber) {
  const auto halves = [](float a, float b) {
    std::vector<std::byte> bytes(4);
    const std::uint16_t bits[] = {launch::half_bits(a), launch::half_bits(b)};
    std::memcpy(bytes.data(), bits, sizeof bits);
    return bytes;
  };
  launch::Buffer array{.name = "h", .element = launch::Element::f16, .count = 2};
  array.fill = launch::Fill::given;
  array.data = halves(1, 2);
  EXPECT_EQ(compare_with(array, halves(1, 2.001f), 0.01), std::nullopt);
  const auto mismatch = compare_with(array, halves(1, 2.5f), 0.01);
  ASSERT_TRUE(mismatch.has_value());
  EXPECT_EQ(mismatch->expected, "2.5");
}

TEST_F(ProfileTest, WhatDoesNotFitNamesTheArgument) {
  std::ofstream(file_) << "__constant__ float mask[4];\nstatic __device__ int count = 5;\n"
                          "__global__ void k(float* out, const int* at) {\n"
                          "  out[threadIdx.x] = mask[at[threadIdx.x] & 3] + count;\n}\n";
  const auto refusal = [&](const char* launch, const char* name = "", const char* value = "0") {
    ProfileRequest request;
    request.file = file_;
    request.launches = {launch::parse_launch(launch)};
    if (*name) request.variables[name] = launch::parse_argument(value);
    try {
      const Profiled profiled = profile(device::make_devices("sim"), request);
      return profiled.launches.at(0).failed() ? std::string("failed") : std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  constexpr const char* kRight = "k<<<1, 32>>>(f32[32]:poison, i32[32]:iota)";
  EXPECT_EQ(refusal(kRight), "");
  EXPECT_EQ(refusal(kRight, "mask", "f32[4]:iota"), "");
  EXPECT_EQ(refusal(kRight, "count", "7"), "") << "a static one";
  EXPECT_NE(refusal(kRight, "mask", "f32[5]:iota").find("'mask' has 16 bytes"), std::string::npos);
  EXPECT_NE(refusal(kRight, "mask", "2").find("array or a struct"), std::string::npos);
  EXPECT_NE(refusal(kRight, "masks", "f32[4]:iota").find("'masks'"), std::string::npos);
  EXPECT_NE(refusal("k<<<1, 32>>>(f32[32]:poison, 3)").find("parameter 2 of k is a pointer"),
            std::string::npos);
  EXPECT_NE(refusal("k<<<1, 32>>>(f32[32]:poison, inn)").find("'inn' names no array"),
            std::string::npos);
}

}  // namespace
}  // namespace labkit::grade
