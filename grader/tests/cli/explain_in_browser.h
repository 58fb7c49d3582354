// Pages that explain, made once, and a browser to look at them.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "../base/set_up.h"
#include "../base/temporary_folder.h"
#include "base/error.h"
#include "browser.h"
#include "kept_cache.h"
#include "process/process.h"

namespace labkit::cli {

namespace fs = std::filesystem;
using nlohmann::json;

/// A loop over a tile: global and shared accesses, several times a warp, two lines with several instructions.
inline constexpr const char* kLooping =
    "// </script><script>window.hit = 1</script> <img src=x onerror=\"window.hit = 2\"> \u202e\n"
    "__global__ void k(const float* in, float* out, int n) {\n"
    "  __shared__ float tile[32][32];\n"
    "#pragma unroll 1\n"
    "  for (int step = 0; step < n; ++step) {\n"
    "    tile[threadIdx.y][threadIdx.x] = in[(step * 32 + threadIdx.y) * 32 + threadIdx.x];\n"
    "    __syncthreads();\n"
    "    out[(step * 32 + threadIdx.x) * 32 + threadIdx.y] = tile[threadIdx.y][threadIdx.x];\n"
    "    out[4096 + (step * 32 + threadIdx.y) * 32 + threadIdx.x] = "
    "tile[threadIdx.x][threadIdx.y];\n"
    "    __syncthreads();\n"
    "  }\n"
    "}\n";

/// Eight loads of one line.
inline constexpr const char* kUnrolled =
    "__global__ void k(const float* in, float* out) {\n"
    "  float sum = 0;\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 8; ++i)\n"
    "    sum += in[(i * 32 + threadIdx.x) * 4];\n"
    "  out[threadIdx.x] = sum;\n"
    "}\n";

/// Accesses of 8 and 16 bytes a lane, some of which merge (observe/rules.h), a part of a warp, and an atomic.
inline constexpr const char* kWide =
    "__global__ void k(const float4* in, float4* out, double* d, int* count) {\n"
    "  __shared__ float4 quads[128];\n"
    "  __shared__ double pairs[512];\n"
    "  const int t = threadIdx.x;\n"
    "  quads[t * 3] = in[t];\n"
    "  pairs[t * 2] = d[t];\n"
    "  pairs[t * 2 + 1] = d[t + 32];\n"
    "  __syncthreads();\n"
    "  out[t] = quads[(t ^ 5) * 3];\n"
    "  out[t + 32] = quads[t / 2 * 3];\n"
    "  d[t + 32] = pairs[t / 4];\n"
    "  d[t + 64] = pairs[t * 16 % 64];\n"
    "  if (t % 3 == 0) d[t + 96] = pairs[t];\n"
    "  atomicAdd(&count[t % 4], 1);\n"
    "}\n";

/// A missing barrier far down a long source, one line of which is longer than any pane; bank conflicts beside it.
inline std::string racing() {
  std::string source;
  for (int i = 1; i <= 120; ++i) source += "// line " + std::to_string(i) + "\n";
  return source +
         "__global__ void k(float* out) {\n"
         "  __shared__ float tile[32][32];  // " +
         std::string(220, 'x') +
         "\n"
         "  tile[threadIdx.x][threadIdx.y] = threadIdx.x;\n"
         "  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];\n"
         "}\n";
}

class ExplainInBrowser : public testing::Test {
 protected:
  static void run_labkit(std::vector<std::string> arguments) {
    process::Command command;
    command.argv = {(fs::path(process::own_executable()).parent_path() / "labkit").string()};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.environment = process::inherited(
        {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "LABKIT_NVRTC", "ASAN_OPTIONS"});
    command.environment.push_back("LABKIT_CACHE=" + kept_cache().string());
    command.environment.emplace_back("LABKIT_DEVICE=sim");
    command.limits = {.wall_seconds = 240};
    const auto ran = process::run(command);
    if (ran.exit_code != kExitOk && ran.exit_code != kExitVerdict)
      throw std::runtime_error(ran.out + ran.err);
  }
  static void SetUpTestSuite() { failure_ = failure_of(set_up); }
  static void set_up() {
    const std::string program = Browser::find();
    if (program.empty()) return;
    folder_ = new TemporaryFolder;
    const std::string solutions =
        std::string(LABKIT_SOURCE_DIR) + "/solutions/lab3_corner_turning/";
    for (const char* name : {"coalesced_read", "no_barrier", "load_bounds_for_store",
                             "barrier_inside_if", "tile_not_turned"})
      run_labkit({"explain", "lab3", "--file", solutions + "wrong/" + name + ".cu", "--html",
                  page(name).string()});
    run_labkit({"explain", "lab3", "--file", solutions + "correct/tile.cu", "--html",
                page("tile").string()});
    run_labkit({"profile", folder_->write("loop.cu", kLooping).string(),
                "k<<<1, 32x32>>>(f32[4096]:random, f32[8192]:poison, 4)", "--html",
                page("loop").string()});
    run_labkit({"profile", folder_->write("unrolled.cu", kUnrolled).string(),
                "k<<<1, 32>>>(f32[1024]:random, f32[32]:poison)", "--html",
                page("unrolled").string()});
    run_labkit({"profile", folder_->write("wide.cu", kWide).string(),
                "k<<<1, 32>>>(f32[128]:random, f32[256]:poison, f64[128]:random, i32[4]:zero)",
                "--html", page("wide").string()});
    run_labkit({"profile", folder_->write("racing.cu", racing()).string(),
                "k<<<1, 32x32>>>(f32[1024]:poison)", "--check", "--html", page("racing").string()});
    browser_ = new Browser(program);
  }
  static void TearDownTestSuite() {
    delete browser_;
    delete folder_;
    browser_ = nullptr;
    folder_ = nullptr;
  }
  void SetUp() override {
    if (Browser::find().empty()) GTEST_SKIP() << "no chromium here; LABKIT_CHROMIUM may name one";
    ASSERT_EQ(failure_, "");
    browser_->resize(1280, 900);
    browser_->emulate("light");
    browser_->open(page("loop"));
  }
  void TearDown() override {
    if (!browser_) return;
    EXPECT_EQ(browser_->complaints(), std::vector<std::string>{});
    EXPECT_EQ(browser_->requests().size(), 1u) << "the page alone, and nothing that it asks for";
  }
  static fs::path page(const std::string& name) { return folder_->path() / (name + ".html"); }
  static json run(const std::string& expression) { return browser_->evaluate(expression); }
  static std::string text(const std::string& selector) {
    return run("document.querySelector(" + json(selector).dump() + ").textContent")
        .get<std::string>();
  }
  static bool shows(const std::string& selector) {
    return run("document.querySelector(" + json(selector).dump() + ").getClientRects().length") !=
           0;
  }
  static std::string picture() {
    return run("document.querySelector('#lane-picture').innerHTML").get<std::string>();
  }
  /// The number of the first line that holds this: solutions' comments come and go.
  static std::string line_of(const std::string& code) {
    return run("[...document.querySelectorAll('.line')].find(l => l.querySelector('code')"
               ".textContent.includes(" +
               json(code).dump() + ")).id.split('-L')[1]")
        .get<std::string>();
  }
  static int rows() {
    return run("Number(document.querySelector('#lane-picture svg').dataset.rows)").get<int>();
  }
  static std::string lane_table() {
    return run("document.getElementById('lane-table').textContent").get<std::string>();
  }
  inline static TemporaryFolder* folder_ = nullptr;
  inline static Browser* browser_ = nullptr;
  inline static std::string failure_;
};

}  // namespace labkit::cli
