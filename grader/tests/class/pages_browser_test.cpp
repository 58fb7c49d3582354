// The pages as people use them: in a browser, by mouse and by keyboard.
#include <gtest/gtest.h>

#include <set>

#include "../base/set_up.h"
#include "browser.h"
#include "class/pages/pages.h"
#include "large_class.h"
#include "write_pages.h"

namespace labkit::course {

using cli::Browser;
using cli::least_contrast;

namespace {

using nlohmann::json;

const LargeClass kClass = {.students = 30, .labs = 6, .results = {}};

/// Names of the rows that are shown, in their order.
constexpr const char* kNames =
    "[...document.querySelectorAll('#table tbody')].filter(b => !b.hidden)"
    ".map(b => b.dataset.id)";
class PagesInBrowser : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { failure_ = failure_of(set_up); }
  static void set_up() {
    const std::string program = Browser::find();
    if (program.empty()) return;
    folder_ = new TemporaryFolder;
    Gradebook book(folder_->path() / "g.sqlite");
    fill(book, kClass);
    Policy policy;
    policy.late.percent_per_day = 10;
    // Whoever shares a lab with a blank gets a zero: the two must not be taken for one another.
    for (const Grade& grade : make_report(book, policy, labs_of(kClass)).grades)
      if (!grade.points && grade.student != "s008") {
        book.decide({.student = "s008",
                     .lab = grade.lab,
                     .kind = Decision::Kind::points,
                     .value = 0,
                     .reason = "copied, and said so",
                     .by = "TA Kim",
                     .at = 1791000000});
        break;
      }
    write_pages(book, make_report(book, policy, labs_of(kClass)), labs_of(kClass),
                {{.lab = "lab3",
                  .first = "s001",
                  .second = "s002",
                  .share_first = 0.9,
                  .share_second = 0.8,
                  .weight = 99,
                  .note = ""}},
                folder_->path() / "out");
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
    browser_->emulate("light");
    browser_->open(page());
  }
  void TearDown() override {
    if (browser_) {
      EXPECT_EQ(browser_->complaints(), std::vector<std::string>{});
    }
  }
  static std::filesystem::path page(const std::string& name = "index.html") {
    return folder_->path() / "out" / name;
  }
  static json run(const std::string& expression) { return browser_->evaluate(expression); }
  static json shown() { return run(kNames); }
  static std::string sorted_by(int column) {
    return run("document.querySelectorAll('#table thead th')[" + std::to_string(column) +
               "].getAttribute('aria-sort')")
        .get<std::string>();
  }
  static TemporaryFolder* folder_;
  static Browser* browser_;
  static std::string failure_;
};
TemporaryFolder* PagesInBrowser::folder_ = nullptr;
Browser* PagesInBrowser::browser_ = nullptr;
std::string PagesInBrowser::failure_;

TEST_F(PagesInBrowser, ClickingAHeaderSorts) {
  const json before = shown();
  ASSERT_EQ(before.size(), 30u);
  // A lab with a blank and with a zero: they must not be taken for one another.
  const auto values = [](int column) {
    return "[...document.querySelectorAll('#table tbody')].map(b => b.rows[0].cells[" +
           std::to_string(column) + "].dataset.v)";
  };
  int column = 0;
  for (int i = 1; i <= 6 && column == 0; ++i)
    if (run(values(i) + ".includes('')") == true && run(values(i) + ".includes('0')") == true)
      column = i;
  ASSERT_GT(column, 0) << "no_lab of this class has both";
  const std::string header = "#table thead th:nth-child(" + std::to_string(column + 1) + ") button";
  browser_->click(header);
  EXPECT_EQ(sorted_by(column), "descending");
  const json down = run(values(column));
  double last = 1e9;
  bool blanks = false;
  for (const json& one : down) {
    const std::string text = one.get<std::string>();
    blanks |= text.empty();
    if (text.empty()) continue;
    EXPECT_FALSE(blanks) << "a blank stands before " << text;
    EXPECT_LE(std::stod(text), last);
    last = std::stod(text);
  }
  EXPECT_EQ(last, 0);
  browser_->click(header);
  EXPECT_EQ(sorted_by(column), "ascending");
  EXPECT_EQ(run(values(column)).front(), "0");
  EXPECT_EQ(run(values(column)).back(), "") << "blank is last both ways: it is not less than 0";
  browser_->click("#table thead th:nth-child(1) button");
  EXPECT_EQ(sorted_by(column), "none");
  EXPECT_EQ(sorted_by(0), "ascending");
  browser_->click("#table thead th:nth-child(1) button");
  browser_->click("#table thead th:nth-child(1) button");
  EXPECT_EQ(shown(), before) << "the third click gives the list's order back";
}

TEST_F(PagesInBrowser, FindsNamesWithoutTheirAccents) {
  browser_->click("#find");
  browser_->type("garcia");
  EXPECT_EQ(shown(), (json::array({"s000", "s025"})));
  EXPECT_EQ(run("document.getElementById('shown').textContent"), "2 of 30");
  browser_->click("#clear");
  EXPECT_EQ(shown().size(), 30u);
  browser_->click("#find");
  browser_->type("nobody at all");
  EXPECT_EQ(shown().size(), 0u);
  EXPECT_EQ(run("document.getElementById('none').hidden"), false);
}

TEST_F(PagesInBrowser, AVerdictLeadsToItsStudents) {
  // The first verdict of lab3 that is no pass: open it, then show its students in the table.
  const std::string item = "#lab-lab3 .verdicts details";
  const std::string who =
      "[...document.querySelectorAll('#lab-lab3 .verdicts details')[0]"
      ".querySelectorAll('.who a')].map(a => a.getAttribute('href'))";
  browser_->click(item + " summary");
  EXPECT_EQ(run("document.querySelector(" + json(item).dump() + ").open"), true);
  browser_->click(item + " button.show");
  std::set<std::string> wanted, got;
  for (const json& href : run(who)) wanted.insert(href.get<std::string>());
  for (const json& id : shown()) got.insert("students/" + id.get<std::string>() + ".html");
  EXPECT_EQ(got, wanted);
  EXPECT_GT(got.size(), 0u);
  EXPECT_LT(got.size(), 30u);
}

TEST_F(PagesInBrowser, ButtonsCopyTheLineToTypeAndTheAddressesThatAreShown) {
  const auto copied = [] {
    return run("document.querySelector('#copied input').value").get<std::string>();
  };
  EXPECT_EQ(run("document.getElementById('copied').hidden"), true);
  browser_->click("tbody[data-id=s001] summary");
  browser_->click("tbody[data-id=s001] .copy[data-lab=lab3]");
  EXPECT_TRUE(copied().ends_with(" class set " + (folder_->path() / "out").string() +
                                 " s001 lab3 --points N --reason \"...\""))
      << copied();
  EXPECT_EQ(run("getSelection().toString()"), copied())
      << "it is selected, whether the browser copied it or not";
  browser_->click("#find");
  browser_->type("garcia");
  browser_->click("#mail");
  EXPECT_EQ(copied(), "s000@uni.example, s025@uni.example");
}

TEST_F(PagesInBrowser, ACauseLeadsToItsStudents) {
  // Counted from the ids in the results: the label's number is the number of rows.
  const std::string item =
      "[...document.querySelectorAll('.card .show')].find("
      "b => b.dataset.how.startsWith('c:'))";
  ASSERT_EQ(run("!!" + item), true);
  const json count = run("Number(" + item + ".closest('li').querySelector('.count').textContent)");
  run(item + ".click()");
  EXPECT_EQ(run("document.getElementById('how').value.startsWith('c:')"), true);
  EXPECT_EQ(json(shown().size()), count);
  EXPECT_GT(shown().size(), 0u);
}

TEST_F(PagesInBrowser, OnlyWhatToLookAt) {
  browser_->click("#look");
  const std::size_t count = shown().size();
  EXPECT_GT(count, 0u);
  EXPECT_LT(count, 30u);
  EXPECT_EQ(run("[...document.querySelectorAll('#table tbody')].filter(b => !b.hidden)"
                ".every(b => b.querySelector('.look'))"),
            true);
}

TEST_F(PagesInBrowser, ARowOpensItsReasons) {
  const std::string row =
      "document.querySelector('tbody[data-id=s001] .more').getClientRects().length";
  EXPECT_EQ(run(row), 0);
  browser_->click("tbody[data-id=s001] summary");
  EXPECT_EQ(run(row), 1);
  browser_->click("tbody[data-id=s001] summary");
  EXPECT_EQ(run(row), 0);
}

TEST_F(PagesInBrowser, ThereAndBackKeepsTheTableAsItWas) {
  browser_->click("#find");
  browser_->type("s00");
  browser_->click("#table thead th:nth-child(8) button");
  const json before = shown();
  ASSERT_EQ(before.size(), 10u);
  browser_->click("tbody[data-id=s003] th a");
  browser_->wait_for("document.title.startsWith('Nov') && document.readyState === 'complete'");
  browser_->back();
  browser_->wait_for("!!document.getElementById('table') && document.readyState === 'complete'");
  EXPECT_EQ(shown(), before);
  EXPECT_EQ(sorted_by(7), "descending");
  // A name in another script leads to its page, too.
  browser_->click("#clear");
  browser_->click("tbody[data-id='ελένη-013'] th a");
  browser_->wait_for("!!document.querySelector('.tiles') && document.readyState === 'complete'");
  // The student's page is given away, and leads nowhere else.
  EXPECT_EQ(run("document.querySelectorAll('a:not([href^=\"#\"])').length"), 0);
}

TEST_F(PagesInBrowser, EverythingWorksFromTheKeyboard) {
  const auto tab_to = [&](const std::string& selector) {
    for (int i = 0; i < 400; ++i) {
      browser_->key("Tab");
      if (run("document.activeElement.matches(" + json(selector).dump() + ")") == true) return true;
    }
    return false;
  };
  ASSERT_TRUE(tab_to(".skip"));
  EXPECT_EQ(run("document.querySelector('.skip').getBoundingClientRect().x >= 0"), true)
      << "seen once it has the focus";
  browser_->key("Enter");
  ASSERT_TRUE(tab_to("#find"));
  browser_->type("s00");
  ASSERT_TRUE(tab_to("#table thead th:nth-child(2) button"));
  EXPECT_NE(run("getComputedStyle(document.activeElement).outlineStyle"), "none");
  browser_->key("Enter");
  EXPECT_EQ(sorted_by(1), "descending");
  browser_->key(" ");
  EXPECT_EQ(sorted_by(1), "ascending");
  ASSERT_TRUE(tab_to("tbody[data-id=s001] summary"));
  browser_->key("Enter");
  EXPECT_EQ(run("document.querySelector('tbody[data-id=s001] .more').getClientRects().length"), 1);
  ASSERT_TRUE(tab_to("tbody th a"));
  browser_->key("Enter");
  browser_->wait_for("!!document.querySelector('.tiles') && document.readyState === 'complete'");
}

TEST_F(PagesInBrowser, ALineOfTheSourceIsALinkAway) {
  // A student whose lab gives a line: follow the link to it.
  for (const json& id : shown()) {
    browser_->open(page("students/" + id.get<std::string>() + ".html"));
    if (run("!!document.querySelector('.begin a')") == false) continue;
    browser_->click(".begin a");
    browser_->wait_for("!!document.querySelector('.line:target')");
    EXPECT_EQ(run("document.querySelector('.line:target').classList.contains('hit')"), true);
    EXPECT_EQ(run("(() => { const r = document.querySelector('.line:target')"
                  ".getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; })()"),
              true);
    return;
  }
  FAIL() << "nobody has a line to look at";
}

TEST_F(PagesInBrowser, HostileTextDoesNothing) {
  for (const char* name : {"index.html", "students/s007.html", "students/s011.html"}) {
    browser_->open(page(name));
    EXPECT_EQ(run("document.scripts.length"), 1) << name;
    EXPECT_EQ(run("document.images.length"), 0) << name;
    EXPECT_EQ(run("[...document.querySelectorAll('*')].some(e => [...e.attributes]"
                  ".some(a => a.name.startsWith('on')))"),
              false)
        << name;
  }
  EXPECT_EQ(run("document.querySelector('h1').textContent"),
            "Alice U+202Eecila"
            "U+202C \u241b[31m");
}

TEST_F(PagesInBrowser, ItsPolicyStopsWhatWouldSlipIn) {
  run("document.body.insertAdjacentHTML('beforeend', '<img src=\"x:y\" onerror=\"window.hit = 1\">"
      "<p id=styled style=\"color: rgb(1, 2, 3)\">x</p>')");
  run("(() => { const s = document.createElement('script'); s.textContent = 'window.hit = 2';"
      " document.body.appendChild(s); })()");
  EXPECT_EQ(run("window.hit === undefined"), true);
  EXPECT_NE(run("getComputedStyle(document.getElementById('styled')).color"), "rgb(1, 2, 3)");
  EXPECT_GE(browser_->complaints().size(), 3u) << "the browser says what it refused";
}

TEST_F(PagesInBrowser, ReadableInTheLightAndInTheDark) {
  const std::string words =
      ".dim, .word, .sum, .badge, .n, h1, h2, h3, a, caption, summary, .points b, .of, label span,"
      " .label, code, .idea, .remark, .line code span, .key li, .head .verdict, .no";
  for (const char* scheme : {"light", "dark"}) {
    browser_->emulate(scheme);
    for (const char* name : {"index.html", "students/s001.html", "students/s008.html"}) {
      browser_->open(page(name));
      const double least = least_contrast(*browser_, words);
      EXPECT_GE(least, 4.5) << name << ", " << scheme;
      EXPECT_LT(least, 15) << name << ": nothing soft was measured";
    }
  }
  browser_->emulate("dark");
  EXPECT_EQ(run("getComputedStyle(document.body).backgroundColor"), "rgb(20, 23, 26)");
}

TEST_F(PagesInBrowser, FitsAPhone) {
  for (const unsigned width : {360u, 1280u}) {
    browser_->resize(width, 800);
    for (const char* name : {"index.html", "students/s001.html", "students/s007.html"}) {
      browser_->open(page(name));
      EXPECT_LE(run("document.documentElement.scrollWidth").get<unsigned>(), width)
          << name << " scrolls sideways as a whole";
    }
  }
  browser_->resize(1280, 900);
}

TEST_F(PagesInBrowser, PaperHasNoControls) {
  browser_->emulate("light", "print");
  EXPECT_EQ(run("document.querySelector('.controls').getClientRects().length"), 0);
  EXPECT_EQ(run("document.querySelector('nav').getClientRects().length"), 0);
  EXPECT_GT(run("document.querySelector('#table').getClientRects().length").get<int>(), 0);
}

TEST_F(PagesInBrowser, WithoutScriptsAllIsThereButSorting) {
  browser_->disable_scripts(true);
  browser_->open(page());
  EXPECT_EQ(run("document.querySelector('.controls').getClientRects().length"), 0)
      << "what would do nothing is not shown";
  EXPECT_EQ(run("document.querySelectorAll('#table tbody').length"), 30);
  browser_->click("tbody[data-id=s001] summary");
  EXPECT_EQ(run("document.querySelector('tbody[data-id=s001] .more').getClientRects().length"), 1);
  browser_->click("#lab-lab3 .verdicts details summary");
  EXPECT_GT(run("document.querySelector('#lab-lab3 .who').getClientRects().length").get<int>(), 0);
  browser_->click("tbody[data-id=s003] th a");
  browser_->wait_for("document.title.startsWith('Nov')");
  browser_->disable_scripts(false);
}

}  // namespace
}  // namespace labkit::course
