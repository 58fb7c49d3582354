// The page that explains, from plain data.
#include "report/explain_html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "explained.h"
#include "report/explain_view.h"
#include "report/html_page.h"
#include "report/json.h"
#include "words/render.h"

namespace labkit::report {
namespace {

const std::string kHostile =
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e\x1b[2J\xff &amp; -->";

TEST(ExplainHtml, SaysWhichLineAndWhatItCosts) {
  const auto elements = take_apart(explain_html(explained()));
  const HtmlElement* const line = find(elements, "id", "source-L3");
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->attributes.at("data-key"), "0-1");
  EXPECT_NE(line->text.find("280 sectors more than its bytes need"), std::string::npos)
      << line->text;
  EXPECT_EQ(find(elements, "id", "source-L1")->attributes.count("data-key"), 0u);
  const HtmlElement* const shared = find(elements, "id", "source-L4");
  EXPECT_NE(shared->text.find("310 wavefronts"), std::string::npos) << shared->text;
  EXPECT_EQ(shared->text.find("sectors more"), std::string::npos) << shared->text;
  const HtmlElement* const begin = find(elements, "class", "begin slow");
  ASSERT_NE(begin, nullptr);
  EXPECT_NE(begin->text.find("kernel.cu:3"), std::string::npos);
  EXPECT_NE(begin->text.find("Try."), std::string::npos);
  const HtmlElement* const chosen = find(elements, "id", "heat-sectors");
  EXPECT_TRUE(chosen->attributes.contains("checked"));
}

TEST(ExplainHtml, BeginsWithWhatTheGateBlames) {
  const auto elements = take_apart(explain_html(explained()));
  EXPECT_EQ(find(elements, "class", "launch")->attributes.at("data-first"), "0-1");
  grade::LabResult other = explained();
  grade::TestResult& test = other.tests[1];
  test.gates[0].culprit = {};
  // Without one, what wastes most: 310 wavefronts are more than 280 sectors.
  EXPECT_EQ(find(take_apart(explain_html(other)), "class", "launch")->attributes.at("data-first"),
            "0-2");
  launch::Finding finding;
  finding.where = {"kernel.cu", 2};
  test.findings = {finding};
  EXPECT_EQ(find(take_apart(explain_html(other)), "class", "launch")->attributes.at("data-first"),
            "0-0");
}

TEST(ExplainHtml, WhatTheScriptDrawsFrom) {
  const auto elements = take_apart(explain_html(explained()));
  const HtmlElement* const store = find(elements, "data-key", "0-1");
  ASSERT_NE(store, nullptr);
  // The first with this key is the line; the data come after it.
  const auto data = std::find_if(elements.begin(), elements.end(), [](const HtmlElement& e) {
    return e.attributes.contains("data-worst") && e.attributes.at("data-key") == "0-1";
  });
  ASSERT_NE(data, elements.end());
  const std::string one = "ffffffff,4,1,32,4,1048576,8192*31";
  const std::string samples = data->attributes.at("data-worst");
  const std::string said = samples.substr(samples.rfind(one) + one.size());
  EXPECT_EQ(samples, "0,0,0," + one + said);
  // What is said of it is worded in explain/, as in a terminal.
  const std::string page = explain_html(explained());
  for (const char* phrase :
       {"<li>32 sectors where 4 would do</li>",
        "<li>32 lanes touch 32 sectors of 32 bytes and use 4 bytes of each; 4 sectors would "
        "do.</li>",
        "<li>Neighbouring lanes are 8,192 bytes apart: {}. Each needs a sector ",
        "<li>out[2048*lane]</li>"})
    EXPECT_NE(page.find(phrase), std::string::npos) << phrase;
  EXPECT_EQ(std::count(said.begin(), said.end(), ','), 2) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), ' '), 2)
      << "a headline and two sentences: " << said;
  EXPECT_EQ(data->attributes.at("data-space"), "global");
  EXPECT_EQ(data->attributes.at("data-kind"), "store");
}

/// Warp 0 stores, waits, goes on; warp 1 reads what it stored in shared memory.
observe::Film film() {
  using observe::FilmStep;
  observe::Film film;
  film.warps = {{0, 0}, {0, 1}};
  film.warps_a_block = 2;
  FilmStep store{.what = FilmStep::What::access,
                 .who = {0, 0},
                 .lanes = ~0u,
                 .where = {"kernel.cu", 3},
                 .instruction = 1,
                 .is_store = true,
                 .access = access(1 << 20, 8192, 32, 4)};
  FilmStep wait{.what = FilmStep::What::wait,
                .who = {0, 0},
                .lanes = 0xffff,
                .where = {"kernel.cu", 5},
                .arrived = 1};
  FilmStep release{
      .what = FilmStep::What::release, .where = {"kernel.cu", 5}, .filled = {{0, 128}, {256, 384}}};
  FilmStep read{.what = FilmStep::What::access,
                .who = {0, 1},
                .lanes = ~0u,
                .where = {"kernel.cu", 4},
                .instruction = 2,
                .space = ptx::Space::shared,
                .access = access(0, 128, 32, 1),
                .skipped = 12};
  film.steps = {store, wait, release, read};
  return film;
}

grade::LabResult filmed(const observe::Film& film) {
  grade::LabResult lab = explained();
  grade::LaunchDetail launch = detail();
  launch.film = film;
  lab.tests[1].detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  return lab;
}

/// Without scripts the table is the film.
TEST(ExplainHtml, AFilmIsATableOfSteps) {
  const std::string page = explain_html(filmed(film()));
  const auto elements = take_apart(page);
  EXPECT_EQ(dangers(elements), std::vector<std::string>{});
  std::vector<const HtmlElement*> steps;
  for (const HtmlElement& e : elements)
    if (e.attributes.contains("data-what")) steps.push_back(&e);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0]->text,
            "1Warp 0 at line 3: its 32 lanes write out[2048*lane]; 32 sectors where 4 would do.");
  EXPECT_EQ(steps[0]->attributes.at("data-key"), "0-1");
  EXPECT_EQ(steps[0]->attributes.at("data-sample").find("0,0,0,ffffffff,4,1,32,4,1048576,8192*31"),
            0u);
  EXPECT_EQ(steps[1]->text,
            "2Warp 0 at line 5: lanes 0 to 15 wait at the barrier; 1 of 2 warps has arrived.");
  EXPECT_EQ(steps[2]->attributes.at("data-filled"), "0-128 256-384");
  EXPECT_NE(steps[2]->text.find("All threads have reached the barrier at line 5"),
            std::string::npos);
  EXPECT_NE(steps[3]->text.find("Left out: 12 steps of this warp.)"), std::string::npos);
  EXPECT_NE(page.find("2 warps"), std::string::npos);
  EXPECT_EQ(explain_html(explained()).find("class=\"film\""), std::string::npos);
}

/// It has no figures, but its steps, and says so.
TEST(ExplainHtml, AStoppedLaunchHasItsFilm) {
  observe::Film stopped = film();
  stopped.steps.push_back({.what = observe::FilmStep::What::stop,
                           .who = {0, 1},
                           .lanes = 0xff,
                           .where = {"kernel.cu", 4},
                           .instruction = 0});
  stopped.stop.emplace();
  stopped.stop->finding.kind = launch::FindingKind::out_of_bounds;
  stopped.stop->finding.where = {"kernel.cu", 4};
  stopped.stop->counters = {.info = detail().counters.info, .instructions = {}};
  stopped.stop->counters.instructions.resize(stopped.stop->counters.info.size());
  stopped.stop->samples = *detail().samples;
  grade::LabResult lab = explained();
  grade::TestResult& test = lab.tests[1];
  test.verdict = {.kind = "out_of_bounds", .gate = {}};
  test.findings = {stopped.stop->finding};
  test.gates.clear();
  test.detail = std::make_shared<const grade::LaunchDetail>(grade::detail_of_stopped(stopped));
  const std::string page = explain_html(lab);
  const auto elements = take_apart(page);
  EXPECT_NE(page.find(test.name + " was stopped."), std::string::npos);
  const HtmlElement* const stop = find(elements, "data-what", "stop");
  ASSERT_NE(stop, nullptr);
  EXPECT_EQ(stop->text.find("5Warp 1 at line 4: the launch is stopped here. "), 0u) << stop->text;
  EXPECT_EQ(find(elements, "id", "counters"), nullptr);
  const std::string written = lab_json(lab);
  EXPECT_EQ(lab_json(read_lab_json(written, "x")), written);
}

/// What the scripts say are rows of the catalogue, each of which they use.
TEST(ExplainHtml, TheScriptsSpeakTheLanguageOfThePage) {
  const html::Assets& assets = html::assets();
  const std::string scripts = std::string(assets.pictures_js) + std::string(assets.film_js) +
                              std::string(assets.explain_js);
  constexpr std::string_view kBegin = "script_";
  std::size_t rows = 0;
  for (std::uint16_t number = 1; words::is_id(number); ++number) {
    const std::string_view name = words::name_of(static_cast<words::Id>(number));
    if (!name.starts_with(kBegin)) continue;
    ++rows;
    const std::string word = "'" + std::string(name.substr(kBegin.size())) + "'";
    // a row by the name of an access's space and kind, which are data
    static const std::set<std::string> kOfData = {"'global'", "'local'", "'store'", "'atomic'"};
    EXPECT_TRUE(kOfData.contains(word) || scripts.find(word) != std::string::npos) << name;
  }
  EXPECT_GT(rows, 50u);
  static const std::regex said("say\\('(\\w+)'");
  for (std::sregex_iterator at(scripts.begin(), scripts.end(), said), end; at != end; ++at)
    EXPECT_TRUE(words::id_from_name("script_" + (*at)[1].str())) << (*at)[1].str();

  words::use_language(words::Language::chinese);
  const std::string page = explain_html(filmed(film()));
  words::use_language(words::Language::english);
  const auto elements = take_apart(page);
  EXPECT_EQ(find(elements, "data-name", "play")->text, "播放");
  EXPECT_EQ(find(elements, "data-what", "wait")->text,
            "2线程束 0，第 5 行：通道 0 到 15 在屏障处等待；2 个线程束中已有 1 个到达。");
}

TEST(ExplainHtml, TheStepsOfARaceSayWhatTheirOrderDid) {
  observe::Film raced = film();
  raced.steps = {raced.steps[3], raced.steps[0]};
  raced.race = observe::FilmedRace{
      .early = 0, .late = 1, .early_lanes = 2, .late_lanes = 0x10, .address = 0};
  const auto elements = take_apart(explain_html(filmed(raced)));
  const HtmlElement *early = find(elements, "data-race", "2"),
                    *late = find(elements, "data-race", "10");
  ASSERT_NE(early, nullptr);
  ASSERT_NE(late, nullptr);
  EXPECT_NE(early->text.find(
                "warp 0 has not yet written it at line 3. Nothing orders these two accesses."),
            std::string::npos)
      << early->text;
  EXPECT_NE(late->text.find("too late, warp 1 has already read it at line 4."), std::string::npos)
      << late->text;
}

launch::Finding race() {
  launch::Finding race;
  race.kind = launch::FindingKind::race;
  race.space = "shared";
  race.other_access = launch::Access::write;
  race.access = launch::Access::read;
  race.hazard = "RAW";
  race.fix = {words::Id::race_fix_barrier_between,
              {{"barrier", "__syncthreads()"},
               {"above", launch::SourceLine{"kernel.cu", 2}},
               {"below", launch::SourceLine{"kernel.cu", 4}}}};
  race.other = {"kernel.cu", 2};
  race.where = {"kernel.cu", 4};
  race.other_thread = {1, 0, 0};
  race.thread = {0, 1, 0};
  race.block = race.other_block = {0, 0, 0};
  race.address = 132;
  race.access_bytes = 4;
  race.array = {"tile" + kHostile, 0, 4096};
  return race;
}

/// The first element with this id and all that is in it, as text.
std::string part_of(const std::string& page, const std::string& id) {
  const auto at = page.find("id=\"" + id + "\"");
  return at == std::string::npos ? "" : page.substr(at, page.find("</svg>", at) - at);
}

TEST(ExplainHtml, WhatWasFoundIsPicturedAndNothingSlowBesideIt) {
  grade::LabResult lab = explained();
  lab.verdict.kind = lab.tests[1].verdict.kind = "race";
  lab.tests[1].verdict.gate = {};
  lab.tests[1].findings = {race()};
  const std::string page = explain_html(lab);
  const auto elements = take_apart(page);
  EXPECT_EQ(dangers(elements), std::vector<std::string>{});
  const HtmlElement* const found = find(elements, "id", "found");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->attributes.at("data-line"), "4");
  const std::string picture = part_of(page, "found");
  EXPECT_NE(picture.find("line 4: lane 0 reads"), std::string::npos) << picture;
  EXPECT_NE(picture.find("line 2: lane 1 writes"), std::string::npos) << picture;
  std::size_t at_fault = 0;
  for (const HtmlElement& e : elements)
    at_fault += e.attributes.contains("class") && e.attributes.at("class") == "lane fault";
  EXPECT_EQ(at_fault, 2u);
  EXPECT_TRUE(find(elements, "id", "heat-none")->attributes.contains("checked"));
  for (const HtmlElement& e : elements)
    if (e.attributes.contains("class")) {
      EXPECT_NE(e.attributes.at("class"), "remark slow");
      EXPECT_EQ(e.attributes.at("class").find("hit slow"), std::string::npos);
    }
  EXPECT_EQ(find(take_apart(explain_html(explained())), "id", "found"), nullptr);
}

TEST(ExplainHtml, OfAWrongElementTheLineThatStoredItIsLinkedAndMarked) {
  grade::LabResult lab = explained();
  lab.verdict.kind = lab.tests[1].verdict.kind = "wrong_result";
  lab.verdict.gate = lab.tests[1].verdict.gate = {};
  grade::Mismatch m;
  m.array = "out";
  m.rows = m.cols = 32;
  m.row = 1;
  m.expected = "1";
  m.got = "2";
  m.wrong = 3;
  m.total = 1024;
  m.stored = {.stores = 1, .where = {"kernel.cu", 4}, .thread = {0, 1, 0}, .block = {0, 0, 0}};
  lab.tests[1].mismatches = {m};
  const std::string page = explain_html(lab);
  const auto elements = take_apart(page);
  const HtmlElement* const found = find(elements, "id", "found");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->attributes.at("data-line"), "4");
  EXPECT_NE(page.find("stored by thread (0,1,0) of block (0,0,0) at <a href=\"#source-L4\">line 4"),
            std::string::npos);
  EXPECT_NE(page.find("out[1][0]: expected 1, got 2; stored by thread (0,1,0)"), std::string::npos);
  // of what nobody wrote no line is to blame
  lab.tests[1].mismatches[0].never_written = true;
  const auto unwritten = take_apart(explain_html(lab));
  EXPECT_EQ(find(unwritten, "id", "found")->attributes.at("data-line"), "0");
}

// A launch that was stopped has no figures: what the page shows is of the same kernel, if there is such, and says so.
TEST(ExplainHtml, FiguresOfAnotherTestAreNotTakenForThoseOfTheOneThatFailed) {
  grade::LabResult lab = explained();
  grade::TestResult other = lab.tests[1];  // with figures
  other.name = "Other.Bandwidth";
  other.kernel = "other";
  lab.tests[1].kernel = "same";
  grade::TestResult stopped = lab.tests[0];
  stopped.name = "Same.AnyShape";
  stopped.kernel = "same";
  stopped.verdict.kind = "out_of_bounds";
  stopped.detail = nullptr;
  lab.tests = {other, stopped, lab.tests[1]};
  lab.verdict.kind = "out_of_bounds";
  const std::string page = explain_html(lab, {});
  EXPECT_NE(
      page.find(
          "There are no figures of Same.AnyShape, which was stopped before its end. Those below "
          "are of other tests."),
      std::string::npos);
  const auto elements = take_apart(page);
  EXPECT_TRUE(find(elements, "id", "launch-1")->attributes.contains("checked"));
  EXPECT_FALSE(find(elements, "id", "launch-0")->attributes.contains("checked"));
  lab.tests.pop_back();
  EXPECT_NE(explain_html(lab, {}).find("Those below are of Other.Bandwidth (other)."),
            std::string::npos);
  EXPECT_EQ(explain_html(explained(), {}).find("There are no figures of"), std::string::npos);
}

TEST(ExplainHtml, AStatementThatDoesNothingIsMarkedAndItsFixBeginsThePage) {
  grade::LabResult lab = explained();
  lab.verdict.kind = lab.tests[1].verdict.kind = "race";
  lab.tests[1].findings = {race()};
  lab.tests[1].findings[0].fix = {words::Id::undefined_fix_declared};
  lab.tests[1].idle = {{.line = 3,
                        .what = {words::Id::idle_call, {{"statement", "f"}}},
                        .fix = {words::Id::idle_fix_call, {{"function", "f"}}}}};
  const std::string page = explain_html(lab, {});
  const auto begin = page.find("Begin here"), found = page.find("id=\"found\"");
  ASSERT_LT(begin, found);
  const std::string first = page.substr(begin, page.find("<details", begin) - begin);
  EXPECT_NE(first.find("<code>f;</code> does nothing"), std::string::npos) << first;
  EXPECT_NE(first.find("Write <code>f();</code>."), std::string::npos) << first;
  EXPECT_EQ(first.find("put a barrier"), std::string::npos) << first;
  const auto elements = take_apart(page);
  const auto marked = std::count_if(elements.begin(), elements.end(), [](const HtmlElement& e) {
    return e.attributes.contains("class") && e.attributes.at("class") == "remark wrong" &&
           e.text.find("is not a call.Fix: Write `f();`.") != std::string::npos;
  });
  EXPECT_EQ(marked, 1);
}

TEST(ExplainHtml, AProfilesFirstErrorComesFirst) {
  grade::Profile profile;
  profile.file = "/x/kernel.cu";
  profile.kernel = "k";
  profile.block = {32, 32, 1};
  profile.simulated = true;
  const grade::LaunchDetail launch = detail();
  profile.outcome.completed = true;
  profile.outcome.counters = launch.counters;
  profile.outcome.samples = launch.samples;
  launch::Finding warning = race();
  warning.severity = launch::Severity::warning;
  profile.outcome.findings = {warning, race()};
  const std::string page = explain_html(profile, "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(dangers(take_apart(page)), std::vector<std::string>{});
  const auto begin = page.find("Begin here"), fix = page.find("Put __syncthreads() between"),
             lines = page.find("id=\"lines\"");
  EXPECT_LT(begin, fix);
  EXPECT_LT(fix, lines) << "the fix stands above the source";
  EXPECT_NE(page.find("id=\"found\""), std::string::npos);
  EXPECT_NE(page.find("Also found"), std::string::npos) << "the warning";
  profile.outcome.findings = {warning};
  EXPECT_EQ(explain_html(profile, "one\n").find("Begin here"), std::string::npos);
}

TEST(ExplainHtml, HostileTextStaysText) {
  ExplainOptions options;
  options.command = kHostile;
  options.idea = kHostile;
  grade::LabResult lab = explained(kHostile);
  launch::Finding finding;
  finding.kernel = "Bad" + kHostile;
  finding.array = {"a" + kHostile, 0, 4};
  finding.fix = {words::Id::bounds_fix_declared_size, {{"array", "fix" + kHostile}}};
  finding.where = {"kernel.cu", 2};
  lab.tests[1].findings = {finding};
  for (const bool message : {false, true}) {
    if (message) {
      lab.verdict.kind = "compile_error";
      lab.message = {{words::Id::compile_error_at,
                      {{"at", words::SourceLine{"kernel.cu", 2}}, {"text", "no" + kHostile}}}};
      lab.compile_log = "kernel.cu(2): error: x" + kHostile + "\n";
    }
    const std::string page = explain_html(lab, options);
    const auto elements = take_apart(page);
    EXPECT_EQ(dangers(elements), std::vector<std::string>{});
    EXPECT_EQ(page.find("\u202e"), std::string::npos);
    EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  }
}

TEST(ExplainHtml, AHugeSourceIsCutAroundWhatCounts) {
  grade::LabResult lab = explained();
  lab.source.clear();
  for (int i = 1; i <= 100'000; ++i) lab.source += "line " + std::to_string(i) + "\n";
  lab.source += std::string(5'000'000, 'x');
  grade::LaunchDetail launch = detail();
  launch.counters.info[1].line = 90'000;
  lab.tests[1].gates[0].culprit.where.line = 90'000;
  lab.tests[1].detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  const std::string page = explain_html(lab);
  EXPECT_LT(page.size(), 1'500'000u);
  const auto elements = take_apart(page);
  EXPECT_NE(find(elements, "id", "source-L90000"), nullptr);
  EXPECT_NE(find(elements, "id", "source-L89990"), nullptr);
  EXPECT_EQ(find(elements, "id", "source-L50000"), nullptr);
  EXPECT_NE(page.find("lines more"), std::string::npos);
}

TEST(ExplainHtml, ManyAccessesDoNotBloatIt) {
  grade::LabResult lab = explained();
  grade::LaunchDetail launch = detail();
  observe::InstructionSamples samples = launch.samples->instructions[1];
  for (std::size_t lane = 0; lane < 32; ++lane)  // nothing regular to write short
    samples.worst.addresses[lane] = (977 + lane * lane * 7919) * 64;
  launch.samples->instructions.assign(10'000, samples);
  launch.film = film();
  launch.film->steps.assign(20'000, launch.film->steps[0]);
  for (observe::FilmStep& step : launch.film->steps) step.access = samples.worst;
  lab.tests[1].detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  const std::string page = explain_html(lab);
  EXPECT_LT(page.size(), 2'000'000u);
  EXPECT_NE(page.find("The page has no room for "), std::string::npos);
}

TEST(ExplainHtml, AProfileHasItsPageToo) {
  grade::Profile profile;
  profile.file = "/x/kernel.cu";
  profile.kernel = "k<" + kHostile + ">";
  profile.grid = {64, 64, 1};
  profile.block = {32, 2, 1};
  profile.device.title = "simulator";
  profile.simulated = true;
  grade::LaunchDetail launch = detail();
  profile.outcome.completed = true;
  profile.outcome.counters = launch.counters;
  profile.outcome.samples = launch.samples;
  profile.outcome.prediction = launch.prediction;
  const auto elements = take_apart(explain_html(profile, "one\ntwo\nthree\nfour\n"));
  EXPECT_EQ(dangers(elements), std::vector<std::string>{});
  EXPECT_EQ(find(elements, "id", "source-L3")->attributes.at("data-key"), "0-1");
  grade::Profile refused = profile;
  refused.refusal = "compile_error";
  refused.message = {
      {words::Id::compile_error_at,
       {{"at", words::SourceLine{"kernel.cu", 2}}, {"text", "expected a ;" + kHostile}}}};
  refused.outcome = {};
  const std::string page = explain_html(refused, "one\n" + kHostile);
  EXPECT_EQ(dangers(take_apart(page)), std::vector<std::string>{});
  EXPECT_NE(page.find("expected a ;"), std::string::npos);
}

TEST(ExplainHtml, TestsThatDidNotRunAreNotShown) {
  const std::string page = explain_html(explained());
  EXPECT_NE(page.find("CornerTurning.AnyShape"), std::string::npos);
  EXPECT_EQ(page.find("CornerTurning.NotAsked"), std::string::npos);
}

}  // namespace
}  // namespace labkit::report
