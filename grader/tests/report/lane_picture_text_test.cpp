// The picture on a terminal: what it shows, how wide it is, and that nothing of it hangs on colour or Unicode.
#include <gtest/gtest.h>

#include "../explain/pictured.h"
#include "base/text.h"
#include "report/performance_text.h"

namespace labkit::report {
namespace {

using explain::test::picture;

std::size_t columns(std::string_view line) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') {
      while (line[i] != 'm') ++i;
      continue;
    }
    count += (static_cast<unsigned char>(line[i]) & 0xc0) != 0x80;
  }
  return count;
}

std::string without_colour(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      out += text[i];
      continue;
    }
    while (text[i] != 'm') ++i;
  }
  return out;
}

TEST(LanePictureText, AColumnAndItsIdealInAscii) {
  const auto p = picture({}, [](int lane) { return 128 * lane + 4; });
  const std::string text = lane_picture_text(p, {}, "  ");
  EXPECT_NE(text.find("\n  .#...... 0        .#...... 1        .#...... 2        .#...... 3\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  ######## 0-7      ######## 8-15     ######## 16-23    ######## 24-31\n"),
            std::string::npos)
      << text;
  for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
}

TEST(LanePictureText, BanksWavefrontByWavefront) {
  const auto p = picture({.space = ptx::Space::shared, .spelling = "ld.shared.f32"},
                         [](int lane) { return 128 * lane; });
  const std::string text = lane_picture_text(p, {.colour = false, .unicode = true});
  EXPECT_NE(text.find("\nwavefront  1  █······· ········ ········ ········  lane 0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("26 more like these"), std::string::npos) << text;
  EXPECT_NE(text.find("\nwavefront 32  █······· ········ ········ ········  lane 31\n"),
            std::string::npos)
      << text;
}

TEST(LanePictureText, ColourOnlyAddsAndLinesFit) {
  for (const std::uint32_t bytes : {1u, 4u, 8u, 16u})
    for (const int step : {1, 2, 7, 32, 33})
      for (const auto space : {ptx::Space::global, ptx::Space::shared}) {
        const auto p = picture({.space = space, .bytes = bytes, .spelling = "ld.x.f32"},
                               [&](int lane) { return std::int64_t{bytes} * step * lane; });
        const std::string plain = lane_picture_text(p, {.colour = false, .unicode = true}, "    ");
        EXPECT_EQ(without_colour(lane_picture_text(p, {.colour = true, .unicode = true}, "    ")),
                  plain);
        for (const std::string_view line : split_lines(plain))
          EXPECT_LE(columns(line), 80u) << line;
      }
}

}  // namespace
}  // namespace labkit::report
