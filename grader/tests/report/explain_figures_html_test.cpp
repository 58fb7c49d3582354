#include <gtest/gtest.h>

#include <algorithm>

#include "explained.h"
#include "report/explain_html.h"
#include "report/explain_view.h"

namespace labkit::report {
namespace {

TEST(ExplainHtml, AccessesAreWrittenShort) {
  observe::WarpAccess one = access(100, 4, 4, 4);
  EXPECT_EQ(encoded(one), "0,0,0,ffffffff,4,1,4,4,100,4*31");
  for (std::size_t i = 16; i < 32; ++i) one.addresses[i] += 1000;
  one.block = 7;
  one.warp = 3;
  one.execution = 2;
  EXPECT_EQ(encoded(one), "7,3,2,ffffffff,4,1,4,4,100,4*15 1004 4*15");
  one.active = 0x80000001;
  EXPECT_EQ(encoded(one), "7,3,2,80000001,4,1,4,4,100,1124");
  one.active = 0x80000000;
  EXPECT_EQ(encoded(one), "7,3,2,80000000,4,1,4,4,1224,");
  one = access(1000, -8, 8, 4);
  EXPECT_EQ(encoded(one), "0,0,0,ffffffff,4,1,8,4,1000,-8*31");
}

TEST(ExplainHtml, HeatIsWhatIsWastedAndWhatSetsTheTime) {
  const LaunchHeat heat = heat_of(detail(), "kernel.cu");
  EXPECT_EQ(heat.of(Heat::sectors), (std::map<std::uint32_t, double>{{3, 280}}));
  EXPECT_EQ(heat.of(Heat::wavefronts), (std::map<std::uint32_t, double>{{4, 310}}));
  EXPECT_EQ(heat.traffic, "store packets");
  EXPECT_EQ(heat.of(Heat::traffic), (std::map<std::uint32_t, double>{{3, 1}}));
  grade::LaunchDetail other = detail();
  other.prediction->bound = "DRAM";
  const LaunchHeat sectors = heat_of(other, "kernel.cu");
  EXPECT_EQ(sectors.traffic, "global sectors");
  EXPECT_DOUBLE_EQ(sectors.of(Heat::traffic).at(2), 40.0 / 360);
  EXPECT_TRUE(heat_of(detail(), "other.cu").of(Heat::sectors).empty());
}

TEST(ExplainHtml, FiguresStandAgainstNaiveIdealAndReference) {
  ExplainOptions options;
  options.yardsticks["CornerTurning.Bandwidth/store_sectors_per_request"] = {
      .naive = 32, .ideal = 4, .reference = 4};
  const auto elements = take_apart(explain_html(explained(), options));
  const HtmlElement* const key = find(elements, "class", "key");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->text, "naive 32yours 32ideal 4gate at most 4.50reference 4");
}

TEST(ExplainHtml, TheIdealFollowsFromTheCounters) {
  const auto elements = take_apart(explain_html(explained()));
  EXPECT_EQ(find(elements, "class", "key")->text, "yours 32ideal 4gate at most 4.50");
  grade::LabResult lab = explained();
  lab.tests[1].gates[0].figure = "excess_global_sectors";
  EXPECT_EQ(find(take_apart(explain_html(lab)), "class", "key")->text,
            "yours 32ideal 0gate at most 4.50");
  lab.tests[1].gates[0].figure = "ratio";
  EXPECT_EQ(find(take_apart(explain_html(lab)), "class", "key")->text, "yours 32gate at most 4.50");
}

TEST(ExplainHtml, TheRooflineIsOfTheSamePrediction) {
  grade::LabResult lab = explained();
  const auto roof = [&] {
    return find(take_apart(explain_html(lab)), "class", "chart roofline") != nullptr;
  };
  EXPECT_FALSE(roof()) << "no GPU is known";
  lab.gpu = "h200";
  EXPECT_FALSE(roof()) << "no arithmetic";
  EXPECT_NE(explain_html(lab).find("length bandwidth"), std::string::npos);
  grade::LaunchDetail launch = detail();
  launch.counters.info.push_back(
      {.line = 2, .file = "kernel.cu", .spelling = "add.f32", .access = {}, .cost = {}});
  launch.counters.instructions.push_back({.warp_executions = 10, .thread_executions = 320});
  lab.tests[1].detail = std::make_shared<const grade::LaunchDetail>(std::move(launch));
  EXPECT_TRUE(roof());
}

TEST(ExplainHtml, CountersSayWhatTheyMean) {
  const auto elements = take_apart(explain_html(explained()));
  const HtmlElement* const table = find(elements, "class", "plain counters");
  ASSERT_NE(table, nullptr);
  EXPECT_NE(table->text.find("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum320"),
            std::string::npos)
      << table->text;
  EXPECT_EQ(table->text.find("mem_local"), std::string::npos) << "what is 0 is not asked about";
}

}  // namespace
}  // namespace labkit::report
