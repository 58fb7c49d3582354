#include "report/html.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "base/sha256.h"
#include "grade/result.h"
#include "html_check.h"
#include "report/html_page.h"
#include "report/html_parts.h"
#include "report/html_source.h"
#include "report/html_svg.h"

namespace labkit::report::html {
namespace {

std::string body_text(const Markup& markup) {
  const auto elements = take_apart(element("div", {}, markup).str());
  return elements.at(0).text;
}

TEST(Html, TextIsEscaped) {
  EXPECT_EQ(text("<b>&\"'</b>").str(), "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;");
  EXPECT_EQ(element("p", {{"title", "\"><script>"}}, "</p>", std::string("<i>")).str(),
            "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;/p&gt;&lt;i&gt;</p>");
  EXPECT_EQ(element("br", {}).str(), "<br>");
  EXPECT_EQ(element("input", {{"disabled", true}, {"hidden", false}, {"size", 3}}).str(),
            "<input disabled size=\"3\">");
  EXPECT_EQ(element("rect", {{"x", 1.005}, {"y", -0.001}, {"width", 1.0 / 3}}).str(),
            "<rect x=\"1\" y=\"0\" width=\"0.33\"></rect>");
}

TEST(Html, WhatCannotBeSeenIsShown) {
  EXPECT_EQ(text("a\u202eb").str(), "a<span class=\"unseen\">U+202E</span>b");
  EXPECT_EQ(body_text(text("\x1b[31m")), "\u241b[31m");
  EXPECT_EQ(body_text(text(std::string_view("\0\x7f\r", 3))), "\u2400\u2421\u240d");
  for (const char* hidden : {"\u2066", "\u200b", "\u200f", "\u061c", "\u2028", "\ufeff", "\u3164",
                             "\u0085", "\U000e0041", "\u2060", "\u00ad"})
    EXPECT_NE(text(hidden).str().find("U+"), std::string::npos) << text(hidden).str();
  EXPECT_EQ(element("a", {{"title", "a\u202e\x01"}}).str(), "<a title=\"a[U+202E][\u2401]\"></a>");
  // Not UTF-8, overlong, a surrogate, cut short.
  for (const char* broken : {"\xff", "\xc0\xbc", "\xed\xa0\x80", "\xe2\x80"})
    EXPECT_NE(text(broken).str().find("\ufffd"), std::string::npos);
  // Scripts and their joiners, emoji, tabs and line ends are text.
  const std::string plain = "García Πέτρος 李 עזרא علی\u200cرضا 👩\u200d🔬\t\n";
  EXPECT_EQ(text(plain).str(), plain);
}

TEST(Html, LinksLeadNowhereElse) {
  EXPECT_EQ(link_to({"students", "javascript:alert(1)//\".html"}).str(),
            "students/javascript%3Aalert%281%29%2F%2F%22.html");
  EXPECT_EQ(link_to({"..", "index.html"}, "lab-3").str(), "../index.html#lab-3");
  EXPECT_EQ(fragment("a b\"").str(), "#a%20b%22");
  EXPECT_EQ(link_to({"李.html"}).str(), "%E6%9D%8E.html");
  EXPECT_THROW(element("a", {{"href", "javascript:alert(1)"}}), std::logic_error);
}

TEST(Html, IdsTellTextsApart) {
  EXPECT_EQ(id_of("lab3"), "lab3");
  EXPECT_EQ(id_of("a b"), "a_20b");
  EXPECT_NE(id_of("a b"), id_of("a_20b"));
}

TEST(HtmlPage, AllowsItsOwnStyleAndScriptAlone) {
  Page page;
  page.title = "</title><script>alert(1)</script>";
  page.styles = {"p { color: red }", " b { }"};
  page.scripts = {"var x = '<b>';"};
  page.body = element("main", {}, "x");
  const auto elements = take_apart(page_text(page));
  EXPECT_EQ(dangers(elements), std::vector<std::string>{});
  std::string policy;
  for (const HtmlElement& one : elements)
    if (one.attributes.contains("http-equiv")) policy = one.attributes.at("content");
  // echo -n 'p { color: red } b { }' | openssl dgst -sha256 -binary | base64, and of the script
  EXPECT_EQ(policy,
            "default-src 'none'; base-uri 'none'; form-action 'none'; style-src "
            "'sha256-+VqWKI4iy0dVAtNrcLR93VynamZ4tg97P7VfSSkmU9c='; script-src "
            "'sha256-78sv4BQ6HVH//Fj40WfOaoBlYJuMPfVayi8/RlQBqVs='");
  page.scripts = {};
  EXPECT_EQ(page_text(page).find("script-src"), std::string::npos);
  page.scripts = {"x = '</script>'"};
  EXPECT_THROW(page_text(page), std::logic_error);
}

TEST(HtmlPage, LoadsNothing) {
  for (const std::string_view asset : {assets().base_css, assets().class_css, assets().student_css,
                                       assets().base_js, assets().class_js}) {
    EXPECT_GT(asset.size(), 300u);
    for (const char* loads : {"http:", "https:", "@import", "url(", "fetch(", "XMLHttpRequest",
                              "innerHTML", "insertAdjacentHTML", "document.write", "eval("})
      EXPECT_EQ(asset.find(loads), std::string::npos) << loads;
  }
}

TEST(HtmlParts, EveryVerdictHasAStanding) {
  EXPECT_EQ(standing_of("pass"), Standing::pass);
  EXPECT_EQ(standing_of("gate ratio"), Standing::slow);
  EXPECT_EQ(standing_of("race"), Standing::wrong);
  EXPECT_EQ(standing_of("compile_error"), Standing::not_built);
  EXPECT_EQ(standing_of("inconclusive"), Standing::open);
  EXPECT_EQ(standing_of("something new"), Standing::open);
  for (const std::string& kind : grade::verdict_kinds())
    if (kind != "inconclusive") {
      EXPECT_NE(standing_of(kind), Standing::open) << kind << " has no standing in html_parts.cpp";
    }
}

TEST(HtmlParts, BlankIsNotZero) {
  EXPECT_EQ(body_text(points_of(0.0, 100, 2, "missing")), "0 of 100");
  EXPECT_EQ(body_text(points_of(std::nullopt, 100, 2, "missing")), "missing");
  EXPECT_NE(points_of(std::nullopt, 100, 2, "missing").str().find("blank"), std::string::npos);
  EXPECT_EQ(points_of(0.0, 100, 2, "missing").str().find("blank"), std::string::npos);
  EXPECT_EQ(points_number(87.5, 2), "87.5");
  EXPECT_EQ(points_number(-0.0001, 2), "0");
}

TEST(HtmlParts, ExplanationsLinkTheirLines) {
  const Places places = {.file = "kernel.cu", .listing = "s", .lines = 12};
  const Markup told = explanation({"Read at kernel.cu:9 in `out<float>`", "  at kernel.cu(12): x",
                                   "Fix: see line 13 and line 2.", "Next: <b>"},
                                  places);
  const std::string html = told.str();
  EXPECT_NE(html.find("<a href=\"#s-L9\">kernel.cu:9</a>"), std::string::npos) << html;
  EXPECT_NE(html.find("<code>out&lt;float&gt;</code>"), std::string::npos) << html;
  EXPECT_NE(html.find("<a href=\"#s-L12\">kernel.cu(12</a>)"), std::string::npos) << html;
  EXPECT_EQ(html.find("#s-L13"), std::string::npos) << "there is no line 13";
  EXPECT_NE(html.find("<a href=\"#s-L2\">line 2</a>"), std::string::npos) << html;
  EXPECT_NE(html.find("<b class=\"label\">Next</b> &lt;b&gt;"), std::string::npos) << html;
  EXPECT_TRUE(explanation({}, places).empty());
  // A hundred thousand of anything ends, and soon.
  EXPECT_FALSE(linked(std::string(200001, '`'), places).empty());
}

TEST(HtmlSource, MarksStandUnderTheirLines) {
  const std::string source = "one\ntwo /* <x>\nthree */ int\r\nfour";
  const Markup listing =
      source_listing("s", source,
                     {{.line = 2, .standing = Standing::slow, .text = "slow here\nin A"},
                      {.line = 2, .standing = Standing::wrong, .text = "wrong <here>"},
                      {.line = 99, .standing = Standing::wrong, .text = "nowhere"}});
  const auto elements = take_apart(listing.str());
  std::vector<std::string> classes;
  for (const HtmlElement& one : elements)
    if (one.tag == "div" && one.attributes.contains("class"))
      classes.push_back(one.attributes.at("class"));
  EXPECT_EQ(classes, (std::vector<std::string>{"source", "line", "line hit wrong", "remark slow",
                                               "remark wrong", "line", "line"}));
  EXPECT_NE(listing.str().find("<span class=\"c-note\">/* &lt;x&gt;</span>"), std::string::npos);
  EXPECT_NE(listing.str().find("<span class=\"c-note\">three */</span> "
                               "<span class=\"c-key\">int</span>"),
            std::string::npos)
      << listing.str();
  EXPECT_EQ(listing.str().find("nowhere"), std::string::npos);
  EXPECT_EQ(listed_lines(source), 4u);
}

TEST(HtmlSource, NothingMakesAPageEndless) {
  const ListingLimits limits = {.lines = 3, .characters_a_line = 10};
  const Markup listing =
      source_listing("s", "1\n" + std::string(5000, 'x') + "\n3\n4\n5\n", {}, limits);
  const std::string shown = body_text(listing);
  EXPECT_NE(shown.find("4990 bytes more"), std::string::npos) << shown;
  EXPECT_NE(shown.find("2 lines more"), std::string::npos) << shown;
  EXPECT_LT(listing.str().size(), 2000u);
  EXPECT_EQ(listed_lines("1\n2\n3\n4\n", limits), 3u);
  for (const char* odd : {"\"never closed", "'", "/*", "#", "\\", "\"\\", "/", ""})
    EXPECT_NO_THROW(take_apart(source_listing("s", odd, {}).str())) << odd;
}

TEST(HtmlSvg, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(round_ticks(0, 1, 4), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(round_ticks(0, 0, 4).size(), 1u);
  EXPECT_EQ(round_ticks(0, INFINITY, 4).size(), 1u);
  EXPECT_EQ(tick_text(3670016), "3.67M");
  EXPECT_EQ(tick_text(-0.0), "0");
  EXPECT_EQ(tick_text(0.25), "0.25");
}

TEST(HtmlSvg, BulletShowsYoursGateAndReference) {
  Bullet b;
  b.label = "ratio";
  b.value = 0.2;
  b.gate = 0.4;
  b.reference = 0.6;
  b.standing = Standing::slow;
  const Markup picture = bullet(b);
  std::map<std::string, double> at;
  for (const HtmlElement& one : take_apart(picture.str())) {
    if (one.tag == "line") at["gate"] = std::stod(one.attributes.at("x1"));
    if (one.tag == "rect" && one.attributes.at("class") == "bar slow")
      at["yours"] = std::stod(one.attributes.at("width"));
    if (one.tag == "path") at["reference"] = std::stod(one.attributes.at("d").substr(1));
  }
  ASSERT_EQ(at.size(), 3u) << picture.str();
  EXPECT_NEAR(at["gate"] - 4, 2 * at["yours"], 0.1);
  EXPECT_NEAR(at["reference"] - 4, 3 * at["yours"], 0.2);
  b.value = b.gate = 0;
  b.reference.reset();
  EXPECT_NO_THROW(take_apart(bullet(b).str())) << "all of them 0";
}

}  // namespace
}  // namespace labkit::report::html
