#include "grade/source.h"

#include <gtest/gtest.h>

namespace labkit::grade {
namespace {

TEST(Source, TheFirstCommentDeclaresTheVerdict) {
  EXPECT_EQ(declared_verdict("// verdict: wrong_result\n// more\nint x;"), "wrong_result");
  EXPECT_EQ(declared_verdict("\n\n// A title.\n// verdict: gate read_sectors  \n"),
            "gate read_sectors");
  EXPECT_EQ(declared_verdict("/* verdict: out_of_bounds */\n"), "out_of_bounds");
  EXPECT_EQ(declared_verdict("int x; // verdict: pass\n"), std::nullopt);
  EXPECT_EQ(declared_verdict("// nothing here\n\n// verdict: pass\n"), std::nullopt);
  EXPECT_EQ(declared_verdict(""), std::nullopt);
  EXPECT_EQ(declared_verdict("/*"), std::nullopt);
}

TEST(Source, AWrongSolutionDeclaresAndMarks) {
  const char* source =
      "// verdict: race\n// class: missing first barrier\n// defect: race.missing_barrier\n\n"
      "// class: of another comment\nint a;  // <--\nint b;\nint c;  // <--  \nint d;  // <-- e\n";
  EXPECT_EQ(declared(source, "class"), "missing first barrier");
  EXPECT_EQ(declared(source, "defect"), "race.missing_barrier");
  EXPECT_EQ(declared(source, "lines"), std::nullopt);
  EXPECT_EQ(marked_lines(source), (std::vector<std::uint32_t>{6, 8}));
}

}  // namespace
}  // namespace labkit::grade
