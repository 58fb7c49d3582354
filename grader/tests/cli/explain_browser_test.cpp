// The page that explains as a student uses it: in a browser, by mouse and by keyboard.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "../base/set_up.h"
#include "base/error.h"
#include "browser.h"
#include "class_files.h"
#include "process/process.h"

namespace labkit::cli {
namespace {

namespace fs = std::filesystem;
using course::Browser;
using nlohmann::json;

/// A loop over a tile: global and shared accesses, several times a warp, two lines with several instructions.
constexpr const char* kLooping =
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
constexpr const char* kUnrolled =
    "__global__ void k(const float* in, float* out) {\n"
    "  float sum = 0;\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 8; ++i)\n"
    "    sum += in[(i * 32 + threadIdx.x) * 4];\n"
    "  out[threadIdx.x] = sum;\n"
    "}\n";

/// Accesses of 8 and 16 bytes a lane, some of which merge (observe/rules.h), a part of a warp, and an atomic.
constexpr const char* kWide =
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
std::string racing() {
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
    command.environment.push_back("LABKIT_CACHE=" + (folder_->path() / "cache").string());
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
    folder_ = new course::TemporaryFolder;
    const std::string solutions =
        std::string(LABKIT_SOURCE_DIR) + "/solutions/lab3_corner_turning/";
    for (const char* name :
         {"coalesced_read", "no_barrier", "square_only", "barrier_inside_if", "tile_not_turned"})
      run_labkit({"explain", "lab3", "--file", solutions + "wrong/" + name + ".cu", "--html",
                  page(name).string()});
    run_labkit({"explain", "lab3", "--file", solutions + "correct/tile.cu", "--html",
                page("tile").string()});
    run_labkit({"profile", folder_->write("loop.cu", kLooping).string(), "--kernel", "k", "--grid",
                "1", "--block", "32x32", "--arg", "f32[4096]:random", "--arg", "f32[8192]:poison",
                "--arg", "i32:4", "--html", page("loop").string()});
    run_labkit({"profile", folder_->write("unrolled.cu", kUnrolled).string(), "--kernel", "k",
                "--grid", "1", "--block", "32", "--arg", "f32[1024]:random", "--arg",
                "f32[32]:poison", "--html", page("unrolled").string()});
    run_labkit({"profile", folder_->write("wide.cu", kWide).string(), "--kernel", "k", "--grid",
                "1", "--block", "32", "--arg", "f32[128]:random", "--arg", "f32[256]:poison",
                "--arg", "f64[128]:random", "--arg", "i32[4]:zero", "--html",
                page("wide").string()});
    run_labkit({"profile", folder_->write("racing.cu", racing()).string(), "--kernel", "k",
                "--grid", "1", "--block", "32x32", "--arg", "f32[1024]:poison", "--check", "--html",
                page("racing").string()});
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
  static course::TemporaryFolder* folder_;
  static Browser* browser_;
  static std::string failure_;
};
course::TemporaryFolder* ExplainInBrowser::folder_ = nullptr;
Browser* ExplainInBrowser::browser_ = nullptr;
std::string ExplainInBrowser::failure_;

TEST_F(ExplainInBrowser, BeginsWithTheWorstLine) {
  EXPECT_EQ(text("#lane-line"), "Line 9");
  EXPECT_EQ(text("#lane-headline"), "32 wavefronts where 1 would do");
  EXPECT_EQ(rows(), 32);
  browser_->open(page("coalesced_read"));
  EXPECT_EQ(text("#lane-headline"), "32 sectors where 4 would do");
  EXPECT_EQ(text("#lane-line"), "Line " + line_of("out[c * rows + r] ="));
}

/// What was found comes first: its line, its lanes, its idea; what the lines cost is for later.
TEST_F(ExplainInBrowser, BeginsAtWhatWasFound) {
  struct Case {
    const char* page;
    std::size_t lanes_at_fault;
    const char *headline, *line;
  };
  for (const Case& one :
       {Case{"no_barrier", 2, "reads it at line", "tile[threadIdx.x]"},
        Case{"racing", 2, "reads it at line 124", "tile[threadIdx.y][threadIdx.x];"},
        Case{"barrier_inside_if", 1, "does not come there", "__syncthreads();"},
        Case{"square_only", 0, "but the last element is", "= tile[threadIdx.x]"}}) {
    browser_->open(page(one.page));
    EXPECT_TRUE(shows("#found")) << one.page;
    EXPECT_FALSE(shows("#lanes")) << one.page;
    EXPECT_NE(text("#found .headline").find(one.headline), std::string::npos)
        << text("#found .headline");
    EXPECT_NE(text("#found").find("Fix"), std::string::npos) << one.page;
    const auto lanes = run("document.querySelectorAll('#found .lane.fault').length");
    if (one.lanes_at_fault > 0)
      EXPECT_EQ(lanes, one.lanes_at_fault) << one.page;
    else
      EXPECT_GT(lanes, 0) << one.page;
    const std::string line = "#source-L" + line_of(one.line);
    EXPECT_EQ(run("document.querySelector('#found').dataset.line"), line.substr(9)) << one.page;
    EXPECT_EQ(run("(() => { const l = document.querySelector('" + line +
                  "').getBoundingClientRect(), s = document.querySelector('#source')"
                  ".getBoundingClientRect(); return l.top >= s.top && l.bottom <= s.bottom; })()"),
              true)
        << one.page << ": the pane is not where the fault is";
    // Nothing of what is only slow, anywhere beside the line.
    EXPECT_EQ(run("[...document.querySelectorAll('#lines .heat, #lines .excess, #lines .slow')]"
                  ".filter(e => e.getClientRects().length).length"),
              0)
        << one.page;
    EXPECT_EQ(text(".begin h2"), "Begin here") << one.page;
    EXPECT_NE(text(".begin").find("Fix"), std::string::npos) << one.page;
  }
}

TEST_F(ExplainInBrowser, AWrongResultBeginsWithItsElementNotWithSectors) {
  browser_->open(page("tile_not_turned"));
  EXPECT_TRUE(shows("#found"));
  EXPECT_FALSE(shows("#lanes"));
  EXPECT_EQ(text("#found .headline").find("out[0][1] should be "), 0u) << text("#found .headline");
  EXPECT_NE(text("#found").find("that is what belongs to out[1][0]"), std::string::npos);
  EXPECT_EQ(run("document.querySelectorAll('#found circle.fault').length"), 1);
  EXPECT_EQ(run("[...document.querySelectorAll('#lines .heat, #lines .excess, #lines .slow')]"
                ".filter(e => e.getClientRects().length).length"),
            0);
}

TEST_F(ExplainInBrowser, FromWhatWasFoundToTheLanesAndBack) {
  for (const char* name : {"no_barrier", "racing"}) {
    browser_->open(page(name));
    const std::string line =
        "#source-L" + line_of(std::string(name) == "racing" ? "tile[threadIdx.y][threadIdx.x];"
                                                            : "tile[threadIdx.x]");
    browser_->click(line);
    EXPECT_TRUE(shows("#lanes"));
    EXPECT_FALSE(shows("#found"));
    EXPECT_EQ(text("#lane-line"), "Line " + line.substr(9));
    browser_->click("#lane-found");
    EXPECT_TRUE(shows("#found"));
    EXPECT_FALSE(shows("#lanes"));
    EXPECT_EQ(run("document.querySelectorAll('.line.chosen').length"), 0);
    EXPECT_EQ(run("document.activeElement.id"), "found") << "the keyboard goes along";
    browser_->click("label[for=heat-wavefronts]");
    EXPECT_GT(run("[...document.querySelectorAll('.heat')].filter(h => h.getClientRects().length)"
                  ".length")
                  .get<int>(),
              0);
  }
  EXPECT_EQ(run("document.querySelectorAll('.switch.launches').length"), 0);
  browser_->open(page("no_barrier"));
  browser_->click("label[for=launch-2]");
  EXPECT_TRUE(shows("#lanes")) << "who asks for another launch wants to see it";
}

TEST_F(ExplainInBrowser, NoLineIsCut) {
  for (const unsigned width : {700u, 1100u, 1300u, 1900u}) {
    browser_->resize(width, 900);
    for (const char* name : {"racing", "coalesced_read", "loop"}) {
      browser_->open(page(name));
      EXPECT_EQ(run("[...document.querySelectorAll('.line code')].filter(c => c.scrollWidth > "
                    "c.clientWidth + 1).map(c => c.parentElement.id)"),
                json::array())
          << name << " at " << width;
      EXPECT_EQ(run("(() => { const s = document.querySelector('#source');"
                    " return s.scrollWidth <= s.clientWidth; })()"),
                true)
          << name << " at " << width;
    }
  }
}

TEST_F(ExplainInBrowser, WhatALaunchLacksIsNoEmptyHeading) {
  browser_->open(page("square_only"));
  EXPECT_NE(text("#found .headline").find(" writes out["), std::string::npos);
  const std::string headings =
      "[...document.querySelectorAll('main > section')].filter(s => s.getClientRects().length)"
      ".map(s => s.id)";
  const json doubles = run(headings);
  EXPECT_EQ(std::count(doubles.begin(), doubles.end(), "gates"), 0) << doubles;
  browser_->click("label[for=launch-1]");
  const json graded = run(headings);
  EXPECT_EQ(std::count(graded.begin(), graded.end(), "gates"), 1) << graded;
}

TEST_F(ExplainInBrowser, ClickingALineShowsItsLanes) {
  const std::string before = picture();
  browser_->click("#source-L8");
  EXPECT_EQ(text("#lane-headline"), "32 sectors where 4 would do");
  EXPECT_NE(text("#lane-words")
                .find("128 bytes apart: argument 2[32*lane]. Each needs a sector of its own."),
            std::string::npos)
      << text("#lane-words");
  browser_->click("#source-L6");
  EXPECT_EQ(text("#lane-line"), "Line 6");
  EXPECT_NE(picture(), before);
  EXPECT_EQ(run("document.querySelector('#source-L6').getAttribute('aria-pressed')"), "true");
  EXPECT_EQ(run("document.querySelectorAll('.line.chosen').length"), 1);
  browser_->click("#source-L9");
  EXPECT_EQ(text("#lane-headline"), "32 wavefronts where 1 would do");
  EXPECT_NE(text("#lane-words").find("Lanes 0 to 31 want 32 different words of bank 0"),
            std::string::npos)
      << text("#lane-words");
  browser_->click("#source-L1");
  EXPECT_EQ(text("#lane-line"), "Line 9") << "a line without accesses is no button";
}

TEST_F(ExplainInBrowser, ALineWithSeveralInstructionsHasAButtonForEach) {
  browser_->click("#source-L6");
  ASSERT_EQ(run("document.querySelectorAll('#lane-ops button').length"), 2);
  EXPECT_EQ(text("#lane-ops button:nth-child(1)"), "global loadld.global.f32");
  browser_->click("#lane-ops button:nth-child(2)");
  EXPECT_EQ(text("#lane-ops [aria-pressed=true]"), "shared storest.shared.f32");
  EXPECT_EQ(text("#lane-headline"), "1 wavefront: as few as can be");
  browser_->click("#lane-ops button:nth-child(1)");
  EXPECT_EQ(text("#lane-headline"), "4 sectors: as few as can be");
}

TEST_F(ExplainInBrowser, WhatTheCompilerUnrolledIsOneInstructionInCopies) {
  browser_->open(page("unrolled"));
  browser_->click("#source-L5");
  ASSERT_EQ(run("document.querySelectorAll('#lane-ops button').length"), 1);
  const std::string at = text("#lane-copy");
  EXPECT_NE(at.find(" of 8"), std::string::npos) << at;
  const std::string words = text("#lane-words");
  browser_->click(at == "8 of 8" ? "#copy-back" : "#copy-on");
  EXPECT_NE(text("#lane-copy"), at);
  EXPECT_NE(text("#lane-words"), words);
}

TEST_F(ExplainInBrowser, SteppingChangesTheAddressesAndWorstReturns) {
  browser_->click("#source-L8");
  browser_->click("#lane-each summary");
  browser_->wait_for("document.querySelectorAll('#lane-table tbody tr').length === 32");
  const std::string first = lane_table(), words = text("#lane-words");
  EXPECT_EQ(run("document.getElementById('lane-worst').getAttribute('aria-pressed')"), "true");
  EXPECT_EQ(text("#lane-warp"), "0 of 0\u201331");
  browser_->click("#warp-on");
  EXPECT_EQ(text("#lane-warp"), "1 of 0\u201331");
  const std::string second = lane_table();
  EXPECT_NE(second, first);
  EXPECT_NE(text("#lane-words").find("Warp 1 (threads 32 to 63)"), std::string::npos);
  browser_->click("#time-on");
  EXPECT_EQ(text("#lane-time"), "2 of 4");
  EXPECT_NE(lane_table(), second);
  browser_->click("#time-back");
  EXPECT_EQ(lane_table(), second);
  EXPECT_EQ(run("document.getElementById('lane-worst').getAttribute('aria-pressed')"), "false");
  browser_->click("#lane-worst");
  EXPECT_EQ(lane_table(), first);
  EXPECT_EQ(text("#lane-words"), words);
  EXPECT_EQ(run("document.getElementById('lane-worst').getAttribute('aria-pressed')"), "true");
}

TEST_F(ExplainInBrowser, TheFirstAndTheLastWarpAreTheEnds) {
  EXPECT_EQ(run("document.getElementById('warp-back').getAttribute('aria-disabled')"), "true");
  for (int i = 0; i < 40; ++i) browser_->click("#warp-on");
  EXPECT_EQ(text("#lane-warp"), "31 of 0\u201331");
  EXPECT_EQ(run("document.getElementById('warp-on').getAttribute('aria-disabled')"), "true");
}

/// What is drawn is drawn by the script's own rules: it must come to what the simulator counted.
TEST_F(ExplainInBrowser, PicturesAgreeWithWhatWasCounted) {
  for (const char* name : {"loop", "unrolled", "wide", "coalesced_read", "no_barrier", "tile"}) {
    browser_->open(page(name));
    const int launches =
        std::max(1, run("document.querySelectorAll('input[name=launch]').length").get<int>());
    for (int launch = 0; launch < launches; ++launch) {
      if (launches > 1) browser_->click("label[for=launch-" + std::to_string(launch) + "]");
      const json lines = run("[...document.querySelectorAll('.line.able')].map(l => l.id)");
      ASSERT_GT(lines.size(), 0u) << name;
      for (const json& line : lines) {
        browser_->click("#" + line.get<std::string>());
        const int count = run("document.querySelectorAll('#lane-ops button').length").get<int>();
        for (int i = 1; i <= count; ++i) {
          const std::string button = "#lane-ops button:nth-child(" + std::to_string(i) + ")";
          browser_->click(button);
          const std::string cost = text("#lane-headline");
          EXPECT_EQ(std::stoi(cost), rows()) << name << " " << line << ": " << text(button);
        }
      }
    }
  }
}

TEST_F(ExplainInBrowser, TheKeyboardAloneIsEnough) {
  for (int i = 0; i < 40 && run("document.activeElement.classList.contains('able')") == false; ++i)
    browser_->key("Tab");
  ASSERT_EQ(run("document.activeElement.id"), "source-L6");
  browser_->key("ArrowDown");
  EXPECT_EQ(run("document.activeElement.id"), "source-L8");
  browser_->key("ArrowDown");
  EXPECT_EQ(run("document.activeElement.id"), "source-L9");
  browser_->key("ArrowUp");
  browser_->key("ArrowDown");
  browser_->key("Enter");
  EXPECT_EQ(text("#lane-line"), "Line 9");
  browser_->key("ArrowUp");
  browser_->key(" ");
  EXPECT_EQ(text("#lane-line"), "Line 8");
  for (int i = 0; i < 40 && run("document.activeElement.id") != "lane-picture"; ++i)
    browser_->key("Tab");
  ASSERT_EQ(run("document.activeElement.id"), "lane-picture");
  browser_->key("ArrowRight");
  EXPECT_EQ(text("#lane-warp"), "1 of 0\u201331");
  browser_->key("ArrowUp");
  EXPECT_EQ(text("#lane-time"), "2 of 4");
  browser_->key("ArrowDown");
  browser_->key("ArrowLeft");
  EXPECT_EQ(text("#lane-warp"), "0 of 0\u201331");
  browser_->key("ArrowRight");
  browser_->key("w");
  EXPECT_EQ(text("#lane-warp"), "0 of 0\u201331");
  browser_->key("Tab");
  for (int i = 0; i < 10 && run("document.activeElement.id") != "warp-on"; ++i)
    browser_->key("Tab");
  browser_->key("Enter");
  EXPECT_EQ(text("#lane-warp"), "1 of 0\u201331");
}

TEST_F(ExplainInBrowser, TheSwitchChangesWhatTheBarsShow) {
  const std::string shown =
      "[...document.querySelectorAll('.heat')].filter(h => h.getClientRects().length)"
      ".map(h => h.className + ' ' + h.closest('.line').id)";
  const json sectors = run(shown);
  EXPECT_EQ(sectors, json::array({"heat sectors source-L8"}));
  browser_->click("label[for=heat-wavefronts]");
  EXPECT_EQ(run(shown), json::array({"heat wavefronts source-L9"}));
  browser_->key("ArrowRight");
  EXPECT_EQ(run("document.getElementById('heat-traffic').checked"), true);
  const json traffic = run(shown);
  EXPECT_GE(traffic.size(), 2u);
  browser_->click("label[for=heat-sectors]");
  EXPECT_EQ(run(shown), sectors);
}

TEST_F(ExplainInBrowser, AnotherLaunchHasItsOwnPictures) {
  browser_->open(page("no_barrier"));
  ASSERT_EQ(run("document.querySelectorAll('input[name=launch]').length"), 4);
  browser_->click("#source-L" + line_of("] = in["));
  const std::string ops = text("#lane-ops");
  browser_->click("label[for=launch-2]");  // of doubles
  EXPECT_EQ(text("#lane-line"), "Line " + line_of("tile[threadIdx.x]"));
  EXPECT_NE(text("#lane-ops").find("f64"), std::string::npos) << text("#lane-ops");
  browser_->click("#source-L" + line_of("] = in["));
  EXPECT_NE(text("#lane-ops"), ops);
  EXPECT_EQ(run("[...document.querySelectorAll('#counters .per-launch')].filter(e => "
                "e.getClientRects().length).length"),
            1);
}

TEST_F(ExplainInBrowser, HostileSourceDoesNothing) {
  EXPECT_EQ(run("window.hit === undefined"), true);
  EXPECT_EQ(run("document.scripts.length"), 1);
  EXPECT_EQ(run("document.images.length"), 0);
  EXPECT_NE(text("#source-L1").find("</script><script>window.hit = 1</script>"), std::string::npos);
  EXPECT_NE(text("#source-L1").find("U+202E"), std::string::npos);
}

TEST_F(ExplainInBrowser, DarkIsDark) {
  browser_->click("#source-L8");
  const std::string light = browser_->screenshot();
  browser_->emulate("dark");
  EXPECT_EQ(run("getComputedStyle(document.body).backgroundColor"), "rgb(20, 23, 26)");
  EXPECT_NE(browser_->screenshot(), light);
  EXPECT_NE(run("getComputedStyle(document.querySelector('.lane')).fill"), "rgb(27, 111, 179)");
}

TEST_F(ExplainInBrowser, ReadableInTheLightAndInTheDark) {
  const std::string words =
      ".dim, h1, h2, h3, h4, p, a, code, code span, .badge, .what, .heat b, .switch span, .place, "
      "button span, .step, output, .headline, .num, td, th, summary, .key li, .verdict, .remark, "
      ".no";
  for (const char* scheme : {"light", "dark"}) {
    browser_->emulate(scheme);
    for (const char* name : {"loop", "coalesced_read", "no_barrier", "tile"}) {
      browser_->open(page(name));
      const double least = course::least_contrast(*browser_, words);
      EXPECT_GE(least, 4.5) << name << ", " << scheme;
      EXPECT_LT(least, 15) << name << ": nothing soft was measured";
    }
  }
}

TEST_F(ExplainInBrowser, WithoutScriptsThePictureIsText) {
  EXPECT_EQ(run("document.querySelector('.as-text').getClientRects().length"), 0);
  browser_->disable_scripts(true);
  browser_->open(page("loop"));
  EXPECT_EQ(run("document.querySelector('#lanes').getClientRects().length"), 0);
  EXPECT_EQ(run("document.querySelector('.as-text').getClientRects().length"), 1);
  EXPECT_NE(text(".as-text").find("Line 8, st.global.f32"), std::string::npos) << text(".as-text");
  EXPECT_NE(text(".as-text pre").find("wavefront"), std::string::npos) << text(".as-text pre");
  // The bars need no script, nor does their switch.
  EXPECT_EQ(run("document.querySelector('#source-L8 .heat.sectors').getClientRects().length"), 1);
  browser_->click("label[for=heat-wavefronts]");
  EXPECT_EQ(run("document.querySelector('#source-L8 .heat.sectors').getClientRects().length"), 0);
  browser_->disable_scripts(false);
}

TEST_F(ExplainInBrowser, FitsAPhone) {
  for (const unsigned width : {360u, 400u, 800u, 1280u}) {
    browser_->resize(width, 800);
    for (const char* name : {"loop", "wide", "coalesced_read", "square_only", "tile"}) {
      browser_->open(page(name));
      EXPECT_LE(run("document.documentElement.scrollWidth").get<unsigned>(), width) << name;
      EXPECT_EQ(run("(() => { const p = document.querySelector('#lane-picture'), s = p.firstChild;"
                    " return s.getBoundingClientRect().width <= p.clientWidth + 1; })()"),
                true)
          << name << " at " << width;
      for (const json& line : run("[...document.querySelectorAll('.line.able')].map(l => l.id)")) {
        // Not by the mouse: the middle of a line may be scrolled away.
        run("document.getElementById(" + line.dump() + ").click()");
        EXPECT_EQ(run("(() => { const s = document.querySelector('#lane-picture svg')"
                      ".getBoundingClientRect(); return [...document.querySelectorAll("
                      "'#lane-picture text')].filter(t => { const r = t.getBoundingClientRect();"
                      " return r.left < s.left - 2 || r.right > s.right + 2 || r.bottom > s.bottom"
                      " + 1; }).map(t => t.textContent); })()"),
                  json::array())
            << name << " at " << width << ", " << line;
      }
    }
  }
}

TEST_F(ExplainInBrowser, PaperHasNoControls) {
  browser_->emulate("light", "print");
  for (const char* control : {".steps", ".switch", "#lane-ops"})
    EXPECT_EQ(run("document.querySelector('" + std::string(control) + "').getClientRects().length"),
              0)
        << control;
  EXPECT_GT(run("document.querySelector('#lane-picture svg').getClientRects().length").get<int>(),
            0);
}

}  // namespace
}  // namespace labkit::cli
