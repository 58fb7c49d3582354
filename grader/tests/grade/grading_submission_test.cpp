// Files that are stubs, do not compile or are not there; mistakes of a lab's author; launch shapes that a file declares.
#include "grading_fixture.h"
#include "words/render.h"

namespace labkit::grade::test {
namespace {

TEST_F(GradingTest, AnUntouchedStubIsToldBeforeAnythingIsCompiled) {
  Grading& grading = start(
      "template <typename T>\n__global__ void twice(const T* in, T* out, int n) {\n  // TODO: "
      "double\n}\n");
  EXPECT_EQ(grading.submission.verdict.text(), "untouched");
  EXPECT_EQ(grading.submission.where.line, 3u);
  EXPECT_TRUE(grading.submission.compiler.empty());
  EXPECT_EQ(right(grading).verdict.text(), "untouched");
  EXPECT_EQ(result_of(grading).verdict.text(), "untouched");
}

TEST_F(GradingTest, AnOptionalKernelMayBeEmptyOrMissing) {
  for (const char* more :
       {"", "__global__ void extra(const float* in, float* out, int n) { /* TODO */ }"}) {
    Grading& grading = start(std::string(kKernel) + more);
    begin_test(grading, "Twice.Extra");
    EXPECT_FALSE(check(grading, {extra(10)}));
    const TestResult& result = end_test(grading);
    EXPECT_EQ(result.verdict.text(), "not_attempted");
    EXPECT_EQ(result.points, 0);
    EXPECT_TRUE(right(grading).verdict.passed());
    EXPECT_TRUE(result_of(grading).verdict.passed());
  }
}

TEST_F(GradingTest, AnOptionalKernelEarnsItsBonus) {
  Grading& grading =
      start(std::string(kKernel) +
            "__global__ void extra(const float* in, float* out, int n) { out[0] = 1; }");
  begin_test(grading, "Twice.Extra");
  check(grading, {extra(10)});
  EXPECT_EQ(end_test(grading).points, 7);
  EXPECT_EQ(result_of(grading).bonus, 7);
  EXPECT_EQ(result_of(grading).points, 0);
}

TEST_F(GradingTest, SourcesThatNeverBecomeTheKernel) {
  const auto verdict = [&](const std::string& source) {
    return start(source).submission.verdict.text();
  };
  EXPECT_EQ(
      verdict(
          "template <typename T> __global__ void twice(const T* in, T* out, int n) { out[0] = }"),
      "compile_error");
  EXPECT_EQ(grading_->submission.where.line, 1u);
  EXPECT_FALSE(grading_->submission.message.empty());
  EXPECT_EQ(verdict("template <typename T> __global__ void doubled(const T* in, T* out, int n) { "
                    "out[0] = 1; }"),
            "missing_kernel");
  EXPECT_EQ(
      verdict("template <typename T> __global__ void twice(const T* in, T* out) { out[0] = 1; }"),
      "signature");
  EXPECT_EQ(verdict("template <typename T> __global__ void twice(const T* in, T* out, long long n) "
                    "{ out[0] = n; }"),
            "signature");
  ASSERT_EQ(ids(grading_->submission.message), Ids{words::Id::signature_size});
  EXPECT_EQ(words::render(grading_->submission.message),
            "twice must take (const T* in, T* out, int n), in this order; your parameter 3 has 8 "
            "bytes where `int n` has 4.");
}

TEST_F(GradingTest, WhatTheDeviceRefusesIsAVerdictBeforeAnyTest) {
  launch::Finding refused;
  refused.kind = launch::FindingKind::unsupported;
  refused.evidence = {{words::Id::unsupported_no_body}};
  refused.where = {"kernel.cu", 7};
  refused_ = {refused};
  Grading& grading = start(kKernel);
  EXPECT_EQ(grading.submission.verdict.text(), "unsupported");
  EXPECT_EQ(grading.submission.where.line, 7u);
  EXPECT_EQ(grading.submission.message, refused.evidence);
}

TEST_F(GradingTest, AMissingFileIsOurError) {
  GradingOptions options;
  options.file = directory_ / "nowhere.cu";
  EXPECT_THROW(start_grading(parse_manifest(kToml, directory_, "lab.toml"), options,
                             device::make_devices("sim")),
               Error);
}

// ---- what check.cpp may do wrong is the author's error, never a verdict

TEST_F(GradingTest, AuthorsMistakesAreErrors) {
  Grading& grading = start(kKernel);
  EXPECT_THROW(begin_test(grading, "Twice.Wrong"), Error);
  EXPECT_THROW(check(grading, {twice(1)}), Error);  // outside a test
  begin_test(grading, "Twice.Right");
  EXPECT_THROW(check(grading, {}), Error);
  EXPECT_THROW(graded_size(grading, "n"), Error);  // not graded
  EXPECT_THROW(grade(grading, [] { return twice(1); }), Error);
  Case unknown = twice(1);
  unknown.kernel = "twice<int>";
  EXPECT_THROW(check(grading, {unknown}), Error);
  Case few = twice(1);
  few.arguments.pop_back();
  EXPECT_THROW(check(grading, {few}), Error);
  Case wide = twice(1);
  wide.arguments.back() = Argument(1.0);
  EXPECT_THROW(check(grading, {wide}), Error);
  EXPECT_THROW(shape_from_kernel(grading, "nobody", "shape", {}), Error);
  EXPECT_THROW(end_test(grading), Error);  // it checked nothing
  begin_test(grading, "Twice.Fast");
  EXPECT_THROW(graded_size(grading, "rows"), Error);
  check(grading, {twice(1)});
  EXPECT_THROW(end_test(grading), Error);  // gates, but never graded
}

// ---- launch shapes as data

class ShapeTest : public GradingTest {
 protected:
  std::optional<std::vector<int>> read(const std::string& declaration) {
    Grading& grading = start(declaration + kKernel);
    begin_test(grading, "Twice.Right");
    return shape_from_kernel(grading, "twice", "shape",
                             {{"block_x", 1, 1024}, {"block_y", 1, 32}, {"rows", 0, 64}});
  }
  std::string message() { return words::render(end_test(*grading_).message); }
};

TEST_F(ShapeTest, IsReadFromTheModule) {
  const std::vector<int> wanted = {32, 8, 0};
  EXPECT_EQ(read("__constant__ int shape[3] = {32, 8, 0};"), wanted);
  EXPECT_EQ(read("__constant__ int shape[] = {32, 8, 0};"), wanted);
  EXPECT_EQ(read("__device__ const int shape[3] = {32, 8};"), wanted);
  EXPECT_EQ(read("constexpr int kRows = 8; __constant__ int shape[3] = {4 * kRows, kRows};"),
            wanted);
}

TEST_F(ShapeTest, HostileValuesAreAVerdict) {
  for (const char* declaration :
       {"__constant__ int shape[3] = {0, 8, 1};", "__constant__ int shape[3] = {1025, 8, 1};",
        "__constant__ int shape[3] = {32, -8, 1};", "__constant__ int shape[3] = {32, 8, 65};",
        "__constant__ int shape[3] = {-2147483647 - 1, 8, 1};", "__constant__ int shape[3];",
        "__constant__ int shape[2] = {32, 8};", "__constant__ int shape[4] = {32, 8, 1, 1};",
        "__constant__ short shape[3] = {32, 8, 1};", "__constant__ int other[3] = {32, 8, 1};",
        "__device__ float f; __device__ float* shape[3] = {&f, &f, &f};", "__device__ int shape;",
        "extern __constant__ int shape[3];", ""}) {
    EXPECT_EQ(read(declaration), std::nullopt) << declaration;
    const TestResult& result = end_test(*grading_);
    EXPECT_TRUE(result.verdict.kind == "launch_shape" || result.verdict.kind == "compile_error")
        << declaration << result.verdict.text();
    EXPECT_FALSE(result.message.empty());
  }
}

TEST_F(ShapeTest, TheMessageNamesTheNumberAndItsLimits) {
  read("__constant__ int shape[3] = {2048, 8, 1};");
  EXPECT_EQ(message(), "`shape` says 2048 for block_x; it must be 1 to 1024.");
}

// ---- sizes and inputs

TEST_F(GradingTest, AKernelFileThatIsGoneIsAVerdictAndSaysHowToGetTheStubBack) {
  Grading& grading = start(kKernel);
  std::filesystem::remove(directory_ / "kernel.cu");
  const Grading gone = start_grading(grading.manifest, {}, std::move(grading.devices));
  EXPECT_EQ(gone.submission.verdict.text(), "missing_kernel");
  const LabResult result = result_of(gone);
  EXPECT_EQ(ids(result.message), Ids{words::Id::submission_missing});
  EXPECT_EQ(result.max_points, 100);
  GradingOptions named;
  named.file = directory_ / "other.cu";  // but who names a file means one that is there
  EXPECT_THROW(start_grading(gone.manifest, named, device::make_devices("sim")), Error);
}

}  // namespace
}  // namespace labkit::grade::test
