// Files that are stubs, do not compile or are not there; mistakes of a lab's author; launch shapes that a file declares.
#include "session_fixture.h"
#include "words/render.h"

namespace labkit::lab::test {
namespace {

TEST_F(SessionTest, AnUntouchedStubIsToldBeforeAnythingIsCompiled) {
  Session& session = start(
      "template <typename T>\n__global__ void twice(const T* in, T* out, int n) {\n  // TODO: "
      "double\n}\n");
  EXPECT_EQ(session.submission().verdict.text(), "untouched");
  EXPECT_EQ(session.submission().where.line, 3u);
  EXPECT_TRUE(session.submission().compiler.empty());
  EXPECT_EQ(right(session).verdict.text(), "untouched");
  EXPECT_EQ(session.result().verdict.text(), "untouched");
}

TEST_F(SessionTest, AnOptionalKernelMayBeEmptyOrMissing) {
  for (const char* more :
       {"", "__global__ void extra(const float* in, float* out, int n) { /* TODO */ }"}) {
    Session& session = start(std::string(kKernel) + more);
    session.begin_test("Twice.Extra");
    EXPECT_FALSE(session.check({extra(10)}));
    const TestResult& result = session.end_test();
    EXPECT_EQ(result.verdict.text(), "not_attempted");
    EXPECT_EQ(result.points, 0);
    EXPECT_TRUE(right(session).verdict.passed());
    EXPECT_TRUE(session.result().verdict.passed());
  }
}

TEST_F(SessionTest, AnOptionalKernelEarnsItsBonus) {
  Session& session =
      start(std::string(kKernel) +
            "__global__ void extra(const float* in, float* out, int n) { out[0] = 1; }");
  session.begin_test("Twice.Extra");
  session.check({extra(10)});
  EXPECT_EQ(session.end_test().points, 7);
  EXPECT_EQ(session.result().bonus, 7);
  EXPECT_EQ(session.result().points, 0);
}

TEST_F(SessionTest, SourcesThatNeverBecomeTheKernel) {
  const auto verdict = [&](const std::string& source) {
    return start(source).submission().verdict.text();
  };
  EXPECT_EQ(
      verdict(
          "template <typename T> __global__ void twice(const T* in, T* out, int n) { out[0] = }"),
      "compile_error");
  EXPECT_EQ(session_->submission().where.line, 1u);
  EXPECT_FALSE(session_->submission().message.empty());
  EXPECT_EQ(verdict("template <typename T> __global__ void doubled(const T* in, T* out, int n) { "
                    "out[0] = 1; }"),
            "missing_kernel");
  EXPECT_EQ(
      verdict("template <typename T> __global__ void twice(const T* in, T* out) { out[0] = 1; }"),
      "signature");
  EXPECT_EQ(verdict("template <typename T> __global__ void twice(const T* in, T* out, long long n) "
                    "{ out[0] = n; }"),
            "signature");
  EXPECT_NE(session_->submission().message.find("parameter 3 has 8 bytes"), std::string::npos)
      << session_->submission().message;
}

TEST_F(SessionTest, WhatTheDeviceRefusesIsAVerdictBeforeAnyTest) {
  Session& session = start(kKernel);
  launch::Finding refused;
  refused.kind = launch::FindingKind::unsupported;
  refused.evidence = {{words::Id::unsupported_no_body}};
  refused.where = {"kernel.cu", 7};
  device_->refused = {refused};
  EXPECT_EQ(session.submission().verdict.text(), "unsupported");
  EXPECT_EQ(session.submission().where.line, 7u);
  EXPECT_EQ(session.submission().message, words::render(refused.evidence));
}

TEST_F(SessionTest, AMissingFileIsOurError) {
  SessionOptions options;
  options.file = directory_ / "nowhere.cu";
  EXPECT_THROW(Session(parse_manifest(kToml, directory_, "lab.toml"), options), Error);
}

// ---- what check.cpp may do wrong is the author's error, never a verdict

TEST_F(SessionTest, AuthorsMistakesAreErrors) {
  Session& session = start(kKernel);
  EXPECT_THROW(session.begin_test("Twice.Wrong"), Error);
  EXPECT_THROW(session.check({twice(1)}), Error);  // outside a test
  session.begin_test("Twice.Right");
  EXPECT_THROW(session.check({}), Error);
  EXPECT_THROW(session.graded_size("n"), Error);  // not graded
  EXPECT_THROW(session.grade([] { return twice(1); }), Error);
  Case unknown = twice(1);
  unknown.kernel = "twice<int>";
  EXPECT_THROW(session.check({unknown}), Error);
  Case few = twice(1);
  few.arguments.pop_back();
  EXPECT_THROW(session.check({few}), Error);
  Case wide = twice(1);
  wide.arguments.back() = Argument(1.0);
  EXPECT_THROW(session.check({wide}), Error);
  EXPECT_THROW(session.shape_from_kernel("nobody", "shape", {}), Error);
  EXPECT_THROW(session.end_test(), Error);  // it checked nothing
  session.begin_test("Twice.Fast");
  EXPECT_THROW(session.graded_size("rows"), Error);
  session.check({twice(1)});
  EXPECT_THROW(session.end_test(), Error);  // gates, but never graded
}

// ---- launch shapes as data

class ShapeTest : public SessionTest {
 protected:
  std::optional<std::vector<int>> read(const std::string& declaration) {
    Session& session = start(declaration + kKernel);
    session.begin_test("Twice.Right");
    return session.shape_from_kernel("twice", "shape",
                                     {{"block_x", 1, 1024}, {"block_y", 1, 32}, {"rows", 0, 64}});
  }
  std::string message() { return session_->end_test().message; }
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
    const TestResult& result = session_->end_test();
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

TEST_F(SessionTest, AKernelFileThatIsGoneIsAVerdictAndSaysHowToGetTheStubBack) {
  Session& session = start(kKernel);
  std::filesystem::remove(directory_ / "kernel.cu");
  EXPECT_EQ(session.submission().verdict.text(), "missing_kernel");
  const LabResult result = session.result();
  EXPECT_NE(result.message.find("is not there. `labkit reset "), std::string::npos)
      << result.message;
  EXPECT_EQ(result.max_points, 100);
  SessionOptions named;
  named.file = directory_ / "other.cu";  // but who names a file means one that is there
  EXPECT_THROW(Session(parse_manifest(kToml, directory_, "lab.toml"), named), Error);
}

}  // namespace
}  // namespace labkit::lab::test
