// What is kept of a search for repairs.
#include "grade/repair_cache.h"

#include <gtest/gtest.h>

#include "../base/temporary_folder.h"

namespace labkit::grade {
namespace {

TEST(RepairCache, GivesBackWhatWasKept) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "repairs.json";
  EXPECT_EQ(read_repairs(file), std::nullopt);
  const words::Message why{
      words::Id::change_line,
      {{"lines", "7"}, {"count", std::int64_t{1}}, {"before", "a"}, {"after", "b\xff\"c\""}}};
  write_repairs(file,
                {{"A.Test", {.lines = {{7, "x = a;", "x = b;"}}, .launches = 3, .why = {why}}},
                 {"A.Other", {.lines = {{1, "", "first\nsecond"}}}}});
  const std::optional<Repairs> read = read_repairs(file);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  const Repair& one = read->at("A.Test");
  EXPECT_EQ(one.launches, 3u);
  ASSERT_EQ(one.lines.size(), 1u);
  EXPECT_EQ(one.lines[0].line, 7u);
  EXPECT_EQ(one.lines[0].after, "x = b;");
  ASSERT_EQ(one.why.size(), 1u);
  EXPECT_EQ(one.why[0].id, why.id);
  EXPECT_EQ(*one.why[0].find("before"), *why.find("before"));
  EXPECT_EQ(read->at("A.Other").lines[0].after, "first\nsecond");
  // that nothing was found is kept, too
  write_repairs(file, {});
  EXPECT_EQ(read_repairs(file).value().size(), 0u);
}

TEST(RepairCache, IsNotKeptWithoutAFolder) {
  write_repairs({}, {});
  EXPECT_EQ(read_repairs({}), std::nullopt);
}

}  // namespace
}  // namespace labkit::grade
