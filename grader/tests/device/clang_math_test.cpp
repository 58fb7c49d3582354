// The functions that clang gets from the kit's own headers (grader/compile/clang/include), through the simulator against the host's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "compile/compile.h"
#include "device/device.h"

namespace labkit::device {
namespace {

struct Function {
  const char* call;  ///< of x, as a kernel writes it
  double (*host)(double);
  double low, high;  ///< between which x is looked at
  double most;       ///< that it may be off: units in the last place of the result's type
};

constexpr int kPoints = 512;

/// What a kernel of clang's makes of kPoints values.
template <typename T>
std::vector<T> through_simulator(const std::string& call, const std::vector<T>& x,
                                 const std::string& type) {
  compile::Request request;
  request.source = fmt::format(
      "__global__ void f(const {0}* in, {0}* out) {{ const {0} x = in[threadIdx.x]; "
      "out[threadIdx.x] = {1}; }}",
      type, call);
  request.name = "f.cu";
  request.kernels = {"f"};
  const compile::Result compiled = compile::compile(request);
  if (compiled.status != compile::Status::ok) throw std::runtime_error(call + compiled.log);
  Plan plan;
  plan.modules = {{.name = "f.cu", .ptx = compiled.ptx, .cubin = {}}};
  const auto element = sizeof(T) == 4 ? launch::Element::f32 : launch::Element::f64;
  launch::Buffer in{.name = "in", .element = element, .count = kPoints, .data = {}};
  in.fill = launch::Fill::given;
  in.data.resize(kPoints * sizeof(T));
  std::memcpy(in.data.data(), x.data(), in.data.size());
  plan.buffers = {
      in, {.name = "out", .element = element, .count = kPoints, .data = {}, .is_output = true}};
  PlannedLaunch planned;
  planned.launch = {.kernel = "f",
                    .entry = compiled.entries.at("f"),
                    .grid = {},
                    .block = {.x = kPoints},
                    .arguments = {launch::BufferRef{0}, launch::BufferRef{1}}};
  plan.launches = {planned};
  const auto outcome = make_devices("sim").simulator->run(plan).at(0);
  if (!outcome.completed) throw std::runtime_error(call + ": the launch failed");
  std::vector<T> y(kPoints);
  std::memcpy(y.data(), outcome.outputs.at(0).bytes.data(), kPoints * sizeof(T));
  return y;
}

template <typename T>
void expect_close(const Function& f, const std::string& type) {
  std::vector<T> x;
  for (int i = 0; i < kPoints; ++i)
    x.push_back(static_cast<T>(f.low + (f.high - f.low) * (i + 0.37) / kPoints));
  const std::vector<T> y = through_simulator(f.call, x, type);
  double worst = 0, at = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double wanted = f.host(x[i]);
    const T size = std::max(std::abs(static_cast<T>(wanted)), std::numeric_limits<T>::min());
    const double unit =
        static_cast<double>(std::nextafter(size, std::numeric_limits<T>::infinity()) - size);
    const double off = std::abs(static_cast<double>(y[i]) - wanted) / unit;
    if (!(off <= worst)) worst = off, at = x[i];
  }
  EXPECT_LE(worst, f.most) << f.call << " of " << type << " at " << at;
}

class ClangMath : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv(compile::kCompilerSetting, "clang", 1);
    try {
      compile::find_clang();
    } catch (const compile::NoClang& none) {
      GTEST_SKIP() << none.what();
    }
  }
  void TearDown() override { ::unsetenv(compile::kCompilerSetting); }
};

TEST_F(ClangMath, FloatsAreNearTheHosts) {
  const Function all[] = {{"sinf(x)", std::sin, -100, 100, 2},
                          {"cosf(x)", std::cos, -100, 100, 2},
                          {"tanf(x)", std::tan, -1.5, 1.5, 2},
                          {"expf(x)", std::exp, -80, 80, 3},
                          {"exp2f(x)", std::exp2, -100, 100, 3},
                          {"logf(x)", std::log, 1e-3, 1000, 3},
                          {"log2f(x)", std::log2, 2, 1000, 3},
                          {"log10f(x)", std::log10, 2, 1000, 2},
                          {"sqrtf(x)", std::sqrt, 0, 1000, 0.5},
                          {"tanhf(x)", std::tanh, -3, 3, 2},
                          {"powf(x, 1.5f)", [](double x) { return std::pow(x, 1.5); }, 0.1, 100, 2},
                          {"rsqrtf(x)", [](double x) { return 1 / std::sqrt(x); }, 0.1, 100, 3},
                          {"erff(x)", std::erf, -3, 3, 2},
                          {"roundf(x)", std::round, -10, 10, 0},
                          {"cbrtf(x)", std::cbrt, -100, 100, 2},
                          {"atanf(x)", std::atan, -10, 10, 2}};
  for (const Function& f : all) expect_close<float>(f, "float");
}

TEST_F(ClangMath, DoublesAreNearTheHosts) {
  const Function all[] = {{"sin(x)", std::sin, -100, 100, 4},
                          {"cos(x)", std::cos, -100, 100, 4},
                          {"exp(x)", std::exp, -300, 300, 2},
                          {"log(x)", std::log, 1e-3, 1000, 2},
                          {"log2(x)", std::log2, 1.5, 1000, 2},
                          {"log1p(x)", std::log1p, -0.5, 3, 4},
                          {"expm1(x)", std::expm1, -3, 3, 4},
                          {"atan(x)", std::atan, -10, 10, 4},
                          {"asin(x)", std::asin, -0.99, 0.99, 4},
                          {"acos(x)", std::acos, -0.99, 0.99, 4},
                          {"sinh(x)", std::sinh, -5, 5, 6},
                          {"cosh(x)", std::cosh, -5, 5, 4},
                          {"tanh(x)", std::tanh, -3, 3, 6},
                          {"cbrt(x)", std::cbrt, -100, 100, 3},
                          {"pow(x, 3.3)", [](double x) { return std::pow(x, 3.3); }, 0.1, 100, 3},
                          {"erf(x)", std::erf, -3, 3, 8},
                          {"erfc(x)", std::erfc, 0.5, 5, 1000},
                          {"tgamma(x)", std::tgamma, 0.6, 20, 100},
                          {"lgamma(x)", std::lgamma, 3, 50, 100},
                          {"fmod(x, 0.7)", [](double x) { return std::fmod(x, 0.7); }, -50, 50, 0},
                          {"rint(x)", std::rint, -10, 10, 0}};
  for (const Function& f : all) expect_close<double>(f, "double");
}

TEST_F(ClangMath, IntegersAreExact) {
  const auto host = [](double x) {
    const auto bits = static_cast<std::uint32_t>(x);
    return static_cast<double>(std::popcount(bits) + 2 * std::countl_zero(bits) +
                               std::countr_zero(bits) + 1);
  };
  expect_close<double>({"__popc((unsigned)x) + 2 * __clz((int)x) + __ffs((int)x)", host, 1, 1e6, 0},
                       "double");
}

}  // namespace
}  // namespace labkit::device
