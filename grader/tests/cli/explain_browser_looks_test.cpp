// The page that explains by keyboard, in the dark, on a phone, on paper and without scripts.
#include <gtest/gtest.h>

#include "explain_in_browser.h"

namespace labkit::cli {
namespace {

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
  const std::string step = text("#film-place");
  browser_->key("ArrowRight");
  EXPECT_NE(text("#film-place"), step);
  browser_->key("ArrowLeft");
  EXPECT_EQ(text("#film-place"), step);
  browser_->key("w");
  EXPECT_EQ(run("document.getElementById('lane-worst').getAttribute('aria-pressed')"), "true");
  browser_->key("Home");
  for (int i = 0; i < 10 && run("document.activeElement.id") != "film-on"; ++i)
    browser_->key("Tab", true);
  browser_->key("Enter");
  EXPECT_EQ(text("#film-place").find("step 2 of "), 0u) << text("#film-place");
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
      const double least = least_contrast(*browser_, words);
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
  EXPECT_EQ(run("document.querySelector('.film tr').getClientRects().length"), 1);
  EXPECT_NE(text(".film tr").find("Warp 0 at line 6"), std::string::npos) << text(".film tr");
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
    for (const char* name : {"loop", "wide", "coalesced_read", "load_bounds_for_store", "tile"}) {
      browser_->open(page(name));
      EXPECT_LE(run("document.documentElement.scrollWidth").get<unsigned>(), width) << name;
      EXPECT_EQ(run("(() => { const p = document.querySelector('#lane-picture'), s = p.firstChild;"
                    " return s.getBoundingClientRect().width <= p.clientWidth + 1; })()"),
                true)
          << name << " at " << width;
      // Not by the mouse: the middle of a line may be scrolled away.
      EXPECT_EQ(run(R"js([...document.querySelectorAll('.line.able')].flatMap(line => {
        line.click();
        const s = document.querySelector('#lane-picture svg').getBoundingClientRect();
        return [...document.querySelectorAll('#lane-picture text')].filter(t => {
          const r = t.getBoundingClientRect();
          return r.left < s.left - 2 || r.right > s.right + 2 || r.bottom > s.bottom + 1;
        }).map(t => line.id + ': ' + t.textContent);
      }))js"),
                json::array())
          << name << " at " << width;
    }
  }
}

TEST_F(ExplainInBrowser, PaperHasNoControls) {
  browser_->emulate("light", "print");
  for (const char* control : {".player", ".switch", "#lane-ops"})
    EXPECT_EQ(run("document.querySelector('" + std::string(control) + "').getClientRects().length"),
              0)
        << control;
  EXPECT_GT(run("document.querySelector('#lane-picture svg').getClientRects().length").get<int>(),
            0);
}

}  // namespace
}  // namespace labkit::cli
