// The picture on a terminal: what it shows, how wide it is, and that nothing of it hangs on colour or Unicode.
#include <gtest/gtest.h>

#include <algorithm>

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

TEST(LanePictureText, InShortThreeLinesThatFit) {
  const auto lines = [](const explain::LanePicture& p) {
    const std::string text = short_lane_picture_text(p, {.colour = true, .unicode = true}, "  ");
    for (const std::string_view line : split_lines(text)) EXPECT_LE(columns(line), 80u) << text;
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  };
  EXPECT_EQ(lines(picture({}, [](int lane) { return 128 * lane + 4; })), 3u);
  EXPECT_EQ(lines(picture({}, [](int lane) { return 4 * lane; })), 2u);  // it is the ideal
  EXPECT_EQ(lines(picture({.space = ptx::Space::shared, .spelling = "ld.shared.f32"},
                          [](int lane) { return 128 * lane; })),
            3u);
}

TEST(FindingPictureText, ARowAWarpWithTheLanesAtFault) {
  explain::FindingPicture picture;
  EXPECT_EQ(finding_picture_text(picture, {}), "");
  picture.place = "tile[33]";
  for (const std::uint32_t line : {8u, 12u, 16u})
    picture.warps.push_back({.warp = line / 4,
                             .where = {"kernel.cu", line},
                             .deed = line == 8 ? "writes" : "reads",
                             .at_fault = 1,
                             .others = 0xff00});
  EXPECT_EQ(finding_picture_text(picture, {}, "  "),
            "  line 8: warp 2 writes  #....... ++++++++ ........ ........\n"
            "  line 12: warp 3 reads  #....... ++++++++ ........ ........\n"
            "  tile[33]: # a lane at fault, + another\n");
}

TEST(Clipped, CountsColumnsAndEndsColours) {
  EXPECT_EQ(clipped("abc", 3), "abc");
  EXPECT_EQ(clipped("abcd", 3), "abc");
  EXPECT_EQ(clipped("\u2588\u2588\u2588", 2), "\u2588\u2588");
  EXPECT_EQ(clipped("\x1b[31mabcd\x1b[0m", 2), "\x1b[31mab\x1b[0m");
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
