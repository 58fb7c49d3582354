#include "words/render.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace labkit::words {
namespace {

/// Every message there is but `none`.
std::vector<Id> all_ids() {
  std::vector<Id> ids;
  for (std::uint16_t i = 1;; ++i) {
    const auto id = static_cast<Id>(i);
    if (!is_id(i)) return ids;
    ids.push_back(id);
  }
}

/// The names between the braces of a row: "where", "n?thread|threads" -> "n".
std::set<std::string> names_in(std::string_view row) {
  std::set<std::string> names;
  for (std::size_t at = row.find('{'); at != std::string_view::npos; at = row.find('{', at)) {
    if (row.substr(at, 2) == "{{") {
      at += 2;
      continue;
    }
    const auto close = row.find('}', at);
    const std::string_view field = row.substr(at + 1, close - at - 1);
    names.emplace(field.substr(0, field.find_first_of("?~&@")));
    at = close;
  }
  return names;
}

TEST(Render, PutsParametersIn) {
  const SourceLine line{"kernel.cu", 12};
  EXPECT_EQ(render({Id::race_fix_barrier_between,
                    {{"barrier", "__syncthreads()"}, {"above", line}, {"below", SourceLine{}}}}),
            "Put __syncthreads() between line 12 and its line, not inside an `if` that only some "
            "threads enter.");
  EXPECT_EQ(render({Id::compile_error_at, {{"at", line}, {"text", "no"}}}), "kernel.cu:12: no");
  EXPECT_EQ(render({Id::compile_error_at, {{"at", SourceLine{"k.cu", 0}}, {"text", "no"}}}),
            "k.cu: no");
  EXPECT_EQ(render(Message{}), "");
  const auto lanes = [&](std::int64_t count) {
    return render({Id::slow_idle_lanes, {{"lanes", count}, {"where", line}}});
  };
  EXPECT_EQ(lanes(1), "Only 1 of a warp's 32 lanes takes part in each access at line 12.");
  EXPECT_EQ(lanes(4), "Only 4 of a warp's 32 lanes take part in each access at line 12.");
  EXPECT_EQ(
      render({Id::slow_same_bytes_again,
              {{"moved", count(20971520)}, {"needed", count(9999)}, {"where", line}}}),
      "The kernel moves 20,971,520 sectors where 9999 hold all its data, most of them at line "
      "12.");
}

TEST(Render, PutsAndBeforeTheLastOfAList) {
  const auto lines = [](const char* list, std::int64_t count) {
    return render({Id::change_more, {{"lines", list}, {"count", count}}});
  };
  EXPECT_EQ(lines("4", 1), "Line 4 must change as well.");
  EXPECT_EQ(lines("4, 5", 2), "Lines 4 and 5 must change as well.");
  EXPECT_EQ(lines("4, 5, 9", 3), "Lines 4, 5 and 9 must change as well.");
}

TEST(Render, RefusesAMessageWithoutItsParameter) {
  EXPECT_THROW(render({Id::race_fix_barrier_between, {}}), std::logic_error);
}

TEST(Render, EveryRowIsASentenceWithWellFormedBraces) {
  const std::vector<Id> ids = all_ids();
  EXPECT_GT(ids.size(), 100u);
  std::set<std::string_view> names;
  for (const Id id : ids) {
    const std::string_view row = row_of(id);
    EXPECT_TRUE(names.insert(name_of(id)).second) << name_of(id) << " stands twice";
    EXPECT_EQ(id_from_name(name_of(id)), id);
    Message message{.id = id, .parameters = {}};
    for (const std::string& name : names_in(row)) {
      EXPECT_FALSE(name.empty()) << row;
      message.parameters.push_back({name, count(2)});
    }
    std::string text;
    ASSERT_NO_THROW(text = render(message)) << name_of(id);
    ASSERT_FALSE(text.empty()) << name_of(id);
    EXPECT_FALSE(text.starts_with(' ') || text.ends_with(' ')) << text;
    EXPECT_EQ(text.find("  "), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace labkit::words
