// The page that explains as a student uses it: where it begins, and lines that lead to pictures.
#include <gtest/gtest.h>

#include <algorithm>

#include "explain_in_browser.h"

namespace labkit::cli {
namespace {

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
        Case{"barrier_inside_if", 1, "never reaches it", "__syncthreads();"},
        Case{"load_bounds_for_store", 0, "but the last element is", "= tile[threadIdx.x]"}}) {
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
  EXPECT_NE(text("#found").find("that value belongs in out[1][0]"), std::string::npos);
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
  browser_->open(page("load_bounds_for_store"));
  EXPECT_NE(text("#found .headline").find(" writes out["), std::string::npos);
  const std::string headings =
      "[...document.querySelectorAll('main > section')].filter(s => s.getClientRects().length)"
      ".map(s => s.id)";
  const json stopped = run(headings);
  for (const char* heading : {"gates", "time", "counters"})
    EXPECT_EQ(std::count(stopped.begin(), stopped.end(), heading), 0) << stopped;
  browser_->click("#found-film");
  EXPECT_NE(text("#film-text").find(": the launch is stopped here. Thread ("), std::string::npos)
      << text("#film-text");
  EXPECT_GT(run("document.querySelectorAll('#film-warps .lane.fault').length").get<int>(), 0);
  browser_->click("label[for=launch-2]");
  const json graded = run(headings);
  EXPECT_EQ(std::count(graded.begin(), graded.end(), "gates"), 1) << graded;
}

TEST_F(ExplainInBrowser, ClickingALineShowsItsLanes) {
  const std::string before = picture();
  browser_->click("#source-L8");
  EXPECT_EQ(text("#lane-headline"), "32 sectors where 4 would do");
  EXPECT_NE(text("#lane-words").find("128 bytes apart: out[32*lane]. Each needs a sector"),
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

TEST_F(ExplainInBrowser, WhatTheCompilerUnrolledIsOneInstructionInManySteps) {
  browser_->open(page("unrolled"));
  browser_->click("#source-L5");
  ASSERT_EQ(run("document.querySelectorAll('#lane-ops button').length"), 1);
  const std::string words = text("#lane-words");
  browser_->click("#film-on");
  EXPECT_EQ(text("#lane-line"), "Line 5");
  EXPECT_NE(text("#lane-words"), words);
}

TEST_F(ExplainInBrowser, TheFilmStepsByKeysAndSaysWhatHappens) {
  run("document.getElementById('lane-picture').focus()");
  browser_->key("Home");
  EXPECT_EQ(text("#film-text").find("Warp 0 at line 6: its 32 lanes read in[lane]; 4 sectors"), 0u)
      << text("#film-text");
  EXPECT_EQ(run("document.getElementById('film-back').getAttribute('aria-disabled')"), "true");
  browser_->key("ArrowRight");
  EXPECT_NE(text("#film-text").find("write tile[lane]"), std::string::npos) << text("#film-text");
  EXPECT_EQ(text("#lane-line"), "Line 6");
  EXPECT_GT(run("document.querySelector('#film-shared .cell.writes').getAttribute('d').length"), 0);
  browser_->key("ArrowRight");
  EXPECT_NE(text("#film-text").find("wait at the barrier; 1 of 32 warps has arrived"),
            std::string::npos);
  EXPECT_EQ(text("#lane-line"), "Line 7");
  EXPECT_FALSE(shows("#lane-headline"));
  EXPECT_EQ(run("document.activeElement.id"), "lane-picture") << "keys still step the film";
  EXPECT_EQ(run("document.querySelectorAll('#film-warps .lane.waits').length"), 32);
  EXPECT_EQ(run("document.querySelector('#film-warps svg').getAttribute('aria-label')"),
            "warp 0, line 7: waits at the barrier; warp 1: not started; warp 2: not started; "
            "warp 3: not started");
  browser_->key("ArrowLeft");
  EXPECT_NE(text("#film-text").find("write tile[lane]"), std::string::npos);
  EXPECT_TRUE(shows("#lane-headline"));
  browser_->key("End");
  EXPECT_NE(text("#film-text").find("finished."), std::string::npos) << text("#film-text");
  EXPECT_EQ(run("document.getElementById('film-slider').value"),
            run("document.getElementById('film-slider').max"));
}

TEST_F(ExplainInBrowser, TheFilmPlaysOnlyWhenAskedTo) {
  const std::string live = "document.getElementById('film-text').getAttribute('aria-live')";
  EXPECT_EQ(run(live), "polite");
  EXPECT_EQ(text("#film-play"), "\u25b6") << "nothing plays by itself";
  run("document.getElementById('lane-picture').focus()");
  browser_->key("Home");
  browser_->key(" ");
  EXPECT_EQ(run(live), "off") << "what changes fast is not read";
  browser_->wait_for("document.getElementById('film-place').textContent.startsWith('step 3 ')");
  browser_->key(" ");
  EXPECT_EQ(run(live), "polite");
}

TEST_F(ExplainInBrowser, ARaceIsWatchedInTheOrderThatShowsIt) {
  browser_->open(page("no_barrier"));
  browser_->click("#found-film");
  EXPECT_TRUE(shows("#lanes"));
  EXPECT_NE(text("#film-text").find("has not yet written it"), std::string::npos)
      << text("#film-text");
  EXPECT_EQ(run("document.querySelectorAll('#film-warps .lane.fault').length"), 1)
      << "the lane that races";
  EXPECT_GT(run("document.querySelector('#film-shared .cell.hole').getAttribute('d').length"), 0);
  EXPECT_EQ(run("document.querySelectorAll('#film-shared .cell.raced').length"), 1);
  EXPECT_NE(text("#film-order").find("A GPU may run the two warps in this order"),
            std::string::npos);
  for (int i = 0; i < 20 && text("#film-text").find("too late") == std::string::npos; ++i)
    browser_->key("ArrowRight");
  EXPECT_NE(text("#film-text").find("too late"), std::string::npos) << text("#film-text");
}

TEST_F(ExplainInBrowser, TheWorstOfTheLaunchIsAStill) {
  browser_->click("#source-L8");
  browser_->click("#lane-worst");
  EXPECT_EQ(run("document.getElementById('lane-worst').getAttribute('aria-pressed')"), "true");
  EXPECT_NE(text("#film-text").find("Not a step of the film"), std::string::npos);
  browser_->click("#film-on");
  EXPECT_EQ(text("#film-text").find("Not a step"), std::string::npos);
}

/// What is drawn is drawn by the script's own rules: it must come to what the simulator counted.
TEST_F(ExplainInBrowser, PicturesAgreeWithWhatWasCounted) {
  for (const char* name : {"loop", "unrolled", "wide", "coalesced_read", "no_barrier", "tile"}) {
    browser_->open(page(name));
    const int launches =
        std::max(1, run("document.querySelectorAll('input[name=launch]').length").get<int>());
    for (int launch = 0; launch < launches; ++launch) {
      if (launches > 1) browser_->click("label[for=launch-" + std::to_string(launch) + "]");
      // All of a launch in one go: what a click of the mouse does is asked above.
      const json shown = run(R"js((() => {
        const shown = [], all = s => [...document.querySelectorAll(s)];
        for (const line of all('.line.able')) {
          line.click();
          for (let i = 0; i < all('#lane-ops button').length; ++i) {
            const button = all('#lane-ops button')[i];
            const text = button.textContent;
            button.click();
            shown.push([line.id + ': ' + text, all('#lane-headline')[0].textContent,
                        Number(all('#lane-picture svg')[0].dataset.rows)]);
          }
        }
        return shown;
      })())js");
      ASSERT_GT(shown.size(), 0u) << name;
      for (const json& one : shown)
        EXPECT_EQ(std::stoi(one[1].get<std::string>()), one[2].get<int>()) << name << " " << one;
    }
  }
}

}  // namespace
}  // namespace labkit::cli
