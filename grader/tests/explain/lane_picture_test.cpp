// Lane pictures: sectors and wavefronts as the rules count them, the index where there is one, and the sentences.
#include "explain/lane_picture.h"

#include <gtest/gtest.h>

#include <bit>

#include "pictured.h"

namespace labkit::explain {
namespace {

using test::Access;
using test::picture;

TEST(LanePicture, CoalescedFloats) {
  const auto p = picture({}, [](int lane) { return 4 * lane; });
  ASSERT_EQ(p.sectors.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(p.sectors[i].address, test::kBuffer + 32 * i);
    EXPECT_EQ(p.sectors[i].used_bytes(), 32);
    EXPECT_EQ(p.sectors[i].lanes, 0xffu << 8 * i);
    EXPECT_EQ(p.sectors[i].lanes, 0xffu << 8 * i);
  }
  EXPECT_TRUE(p.is_ideal());
  EXPECT_EQ(p.index, "in[lane]");
  EXPECT_EQ(p.elements[31], 31);
  EXPECT_EQ(p.words[0],
            "32 lanes touch 4 sectors of 32 bytes and use every byte: no fewer would do.");
  EXPECT_EQ(p.words[1], "Neighbouring lanes are side by side: in[lane].");
}

TEST(LanePicture, AColumn) {
  const auto p = picture({.is_store = true, .spelling = "st.global.f32"},
                         [](int lane) { return 8192 * lane + 12; });
  EXPECT_EQ(p.sectors.size(), 32u);
  EXPECT_EQ(p.sectors[5].bytes, 0xf000u);
  EXPECT_EQ(p.sectors[5].bytes, 0xf000u);
  EXPECT_TRUE(p.has_stride);
  EXPECT_EQ(p.stride_bytes, 8192);
  EXPECT_EQ(p.index, "in[2048*lane + 3]");
  EXPECT_EQ(p.words[0],
            "32 lanes touch 32 sectors of 32 bytes and use 4 bytes of each; 4 sectors would do.");
  EXPECT_EQ(p.words[1],
            "Neighbouring lanes are 8,192 bytes apart: in[2048*lane + 3]. Each needs a sector of "
            "its own.");
}

TEST(LanePicture, OffByOneElement) {
  const auto p = picture({}, [](int lane) { return 4 * lane + 4; });
  EXPECT_EQ(p.sectors.size(), 5u);
  EXPECT_EQ(p.words[0],
            "32 lanes touch 5 sectors of 32 bytes and use 128 of their 160 bytes; 4 sectors would "
            "do.");
  ASSERT_EQ(p.words.size(), 3u);
  EXPECT_NE(p.words[2].find("4 bytes past a multiple of 32"), std::string::npos);
}

TEST(LanePicture, IndexOfGroupsOfLanes) {
  EXPECT_EQ(picture({}, [](int lane) { return 4 * (lane % 16) + 8192 * (lane / 16); }).index,
            "in[(lane%16) + 2048*(lane/16)]");
  EXPECT_EQ(picture({}, [](int lane) { return 4 * (lane / 16); }).index, "in[lane/16]");
  EXPECT_EQ(picture({}, [](int lane) { return 4 * (lane % 8); }).index, "in[lane%8]");
  EXPECT_EQ(picture({}, [](int) { return 40; }).index, "in[10]");
  EXPECT_EQ(picture({}, [](int lane) { return 4 * (31 - lane); }).index, "in[31 - lane]");
  const auto scattered = picture({}, [](int lane) { return 4 * (lane * lane * 7 % 191); });
  EXPECT_EQ(scattered.index, "");
  EXPECT_FALSE(scattered.has_stride);
  EXPECT_NE(scattered.words[1].find("lane 2 in[28]"), std::string::npos) << scattered.words[1];
  EXPECT_EQ(
      picture({.bytes = 16, .spelling = "ld.global.v4.f32"}, [](int lane) { return 16 * lane; })
          .index,
      "in[4*lane]");
}

TEST(LanePicture, LanesThatTakeNoPart) {
  const auto six = picture({.active = 0x3f}, [](int lane) { return 4 * lane; });
  EXPECT_EQ(six.elements[5], 5);
  EXPECT_EQ(six.elements[6], -1);
  EXPECT_EQ(six.words.back(), "26 of the warp's 32 lanes take no part.");
  const auto one = picture({.active = 1u << 9}, [](int) { return 64; });
  EXPECT_EQ(one.words[0],
            "1 lane touches 1 sector of 32 bytes and uses 4 bytes of it: no fewer would do.");
  EXPECT_FALSE(one.has_stride);
}

TEST(LanePicture, BanksOfAColumn) {
  const auto p = picture({.space = ptx::Space::shared, .spelling = "ld.shared.f32"},
                         [](int lane) { return 128 * lane; });
  ASSERT_EQ(p.wavefronts.size(), 32u);
  EXPECT_EQ(p.wavefronts[7].banks[0].lanes, 1u << 7);
  EXPECT_EQ(p.wavefronts[7].banks[0].word, 7u * 32);
  EXPECT_EQ(p.wavefronts[7].banks[1].lanes, 0u);
  EXPECT_EQ(
      p.words[0],
      "Lanes 0 to 31 want 32 different words of bank 0; they are served one after another: 32 "
      "wavefronts, where 1 would do.");
  EXPECT_EQ(
      p.words[1],
      "Neighbouring lanes are 32 words apart: tile[32*lane]. The bank is word % 32: the same for "
      "every lane.");
  const auto padded = picture({.space = ptx::Space::shared, .spelling = "ld.shared.f32"},
                              [](int lane) { return 132 * lane; });
  EXPECT_EQ(padded.wavefronts.size(), 1u);
  EXPECT_EQ(padded.words[0],
            "32 lanes touch 32 words in 1 wavefront: no bank is asked for two of them at once.");
}

/// A picture has as many wavefronts or sectors as the hardware counts, whatever the access.
TEST(LanePicture, CostsWhatTheRulesSay) {
  std::uint32_t state = 12345;
  const auto random = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
  for (int round = 0; round < 400; ++round) {
    Access access;
    access.space = round % 2 ? ptx::Space::shared : ptx::Space::global;
    access.bytes = 1u << random() % 5;
    access.is_store = random() % 2 != 0;
    access.active = random() % 3 == 0 ? (random() << 8 ^ random()) | 1 : ~0u;
    const std::int64_t step = random() % 64, group = 1 << random() % 6, same = 1 << random() % 3;
    const bool wild = random() % 4 == 0;
    const auto p = picture(access, [&](int lane) {
      const std::int64_t at = wild ? random() % 512 : lane / same % group * step + lane / group;
      return at * access.bytes;
    });
    EXPECT_EQ(access.space == ptx::Space::shared ? p.wavefronts.size() : p.sectors.size(),
              p.access.cost);
    std::uint32_t lanes = 0;
    for (const auto& sector : p.sectors) lanes |= sector.lanes;
    for (const auto& wavefront : p.wavefronts)
      for (const auto& bank : wavefront.banks) lanes |= bank.lanes;
    EXPECT_EQ(lanes, access.active);
    EXPECT_FALSE(p.words.empty());
  }
}

TEST(LanePicture, LanesInWords) {
  EXPECT_EQ(lanes_text(0), "no lane");
  EXPECT_EQ(lanes_text(1u << 5), "lane 5");
  EXPECT_EQ(lanes_text(~0u), "lanes 0 to 31");
  EXPECT_EQ(lanes_text(1u << 0 | 1u << 16), "lanes 0 and 16");
  EXPECT_EQ(lanes_text(0x01010101u), "lanes 0, 8, 16 and 24");
  EXPECT_EQ(lanes_text(0x55555555u), "lanes 0, 2, 4, 6, ..., 30");
}

}  // namespace
}  // namespace labkit::explain
