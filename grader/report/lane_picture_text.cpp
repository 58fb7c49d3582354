// Sectors: four a row, eight marks of 4 bytes each and the lanes that touch it.
//   ████████ 0-7     ████████ 8-15    ████████ 16-23   ████████ 24-31
// Shared memory: a row a wavefront, a mark a bank, and the lanes that are served in it.
//   wavefront  1  █······· ········ ········ ········  lane 0

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "report/performance_text.h"
#include "words/render.h"

namespace labkit::report {
namespace {

using words::Id;

constexpr std::size_t kSectorsARow = 4, kLaneColumns = 7, kWordBytes = 4, kSectorWords = 8,
                      kBanks = 32;
/// Of wavefronts that are alike, 32 tell no more than a few.
constexpr std::size_t kMostWavefronts = 6;
constexpr std::uint32_t kMostIdealSectors = 8;  ///< two rows

struct Signs {
  std::string_view used, part, idle, more;
};
constexpr Signs kUnicode{"█", "▒", "·", "⋮"}, kAscii{"#", "+", ".", ":"};

struct Painter {
  const Style& style;
  std::string_view indent;
  Signs marks = style.unicode ? kUnicode : kAscii;
  std::string text = {};

  void line(const std::string& line) { text += fmt::format("{}{}\n", indent, line); }
};

/// "0-7", "5", "0,16", "0,8..": no wider than kLaneColumns.
std::string short_lanes(std::uint32_t lanes) {
  const int count = std::popcount(lanes), first = std::countr_zero(lanes),
            last = 31 - std::countl_zero(lanes);
  if (count == 1) return std::to_string(first);
  if (last - first + 1 == count) return fmt::format("{}-{}", first, last);
  const int second = std::countr_zero(lanes & (lanes - 1));
  return fmt::format("{},{}{}", first, second, count > 2 ? ".." : "");
}

/// Bit i: byte i of a word.
std::uint32_t bytes_of(const explain::SectorUse& sector, std::size_t word) {
  return sector.bytes >> (kWordBytes * word) & 0xf;
}

std::string sector_text(const explain::SectorUse& sector, const Painter& painter, bool good) {
  const Signs& marks = painter.marks;
  std::string text, run;
  for (std::size_t word = 0; word < kSectorWords; ++word) {
    if (const std::uint32_t bytes = bytes_of(sector, word); bytes != 0) {
      run += bytes == 0xf ? marks.used : marks.part;
      if (word + 1 < kSectorWords && bytes_of(sector, word + 1) != 0) continue;
      text += painter.style.good(std::exchange(run, {}));
    } else {
      text += good ? painter.style.dim(marks.idle) : painter.style.bad(marks.idle);
    }
  }
  return text + fmt::format(" {:<{}}", short_lanes(sector.lanes), kLaneColumns);
}

std::string sector_row(const std::vector<explain::SectorUse>& sectors, std::size_t begin, bool good,
                       const Painter& painter) {
  std::string row;
  for (std::size_t i = begin; i < std::min(begin + kSectorsARow, sectors.size()); ++i)
    row += (i > begin ? "  " : "") + sector_text(sectors[i], painter, good);
  while (row.ends_with(' ')) row.pop_back();
  return row;
}

void paint_sectors(const std::vector<explain::SectorUse>& sectors, bool good, Painter& painter) {
  for (std::size_t begin = 0; begin < sectors.size(); begin += kSectorsARow)
    painter.line(sector_row(sectors, begin, good, painter));
}

/// The same lanes side by side, from a multiple of 32 bytes on.
std::vector<explain::SectorUse> ideal_sectors(const observe::WarpAccess& access) {
  std::vector<explain::SectorUse> sectors;
  std::uint64_t at = 0;
  for (std::uint32_t lanes = access.active; lanes != 0; lanes &= lanes - 1)
    for (std::uint32_t byte = 0; byte < access.bytes_per_lane; ++byte, ++at) {
      if (at / 32 >= sectors.size()) sectors.emplace_back();
      sectors.back().bytes |= 1u << at % 32;
      sectors.back().lanes |= lanes & -lanes;
    }
  return sectors;
}

std::string wavefront_text(const explain::Wavefront& wavefront, const Painter& painter, bool good) {
  std::string text;
  std::uint32_t lanes = 0;
  for (std::size_t bank = 0; bank < kBanks; ++bank) {
    if (bank % 8 == 0 && bank > 0) text += ' ';
    const explain::BankUse& use = wavefront.banks[bank];
    lanes |= use.lanes;
    const std::string_view mark = use.lanes != 0 ? painter.marks.used : painter.marks.idle;
    text += use.lanes != 0 ? painter.style.good(mark)
            : good         ? painter.style.dim(mark)
                           : painter.style.bad(mark);
  }
  constexpr std::size_t kMostColumns = 24;  // beside the banks
  std::string who = explain::lanes_text(lanes);
  if (who.size() > kMostColumns)
    who = words::text(Id::lanes_count, {{"count", std::to_string(std::popcount(lanes))}});
  return text + "  " + who;
}

void paint_banks(const explain::LanePicture& picture, Painter& painter) {
  const auto& all = picture.wavefronts;
  const std::size_t most = all.size() > kMostWavefronts ? kMostWavefronts - 1 : all.size();
  painter.line("         bank  0        8        16       24");
  for (std::size_t i = 0; i < most; ++i)
    painter.line(fmt::format("wavefront {:>2}  {}", i + 1,
                             wavefront_text(all[i], painter, picture.is_ideal())));
  if (most == all.size()) return;
  if (all.size() > most + 1)
    painter.line(fmt::format(
        "          {:>2}  {}", painter.marks.more,
        words::text(Id::more_like_these, {{"count", std::to_string(all.size() - most - 1)}})));
  painter.line(fmt::format("wavefront {:>2}  {}", all.size(),
                           wavefront_text(all.back(), painter, picture.is_ideal())));
}

/// Whether one sees by it what would be better.
bool shows_ideal(const explain::LanePicture& picture) {
  return !picture.is_ideal() && picture.access.ideal <= kMostIdealSectors &&
         picture.access.words == 1;
}

}  // namespace

std::string short_lane_picture_text(const explain::LanePicture& picture, const Style& style,
                                    std::string_view indent) {
  Painter painter{.style = style, .indent = indent};
  const Signs& marks = painter.marks;
  if (picture.space == ptx::Space::shared) {
    painter.line(style.dim(
        words::text(Id::legend_banks_short,
                    {{"headline", picture.headline}, {"used", marks.used}, {"idle", marks.idle}})));
    for (std::size_t i = 0; i < std::min<std::size_t>(picture.wavefronts.size(), 2); ++i)
      painter.line(fmt::format("wavefront {}  {}", i + 1,
                               wavefront_text(picture.wavefronts[i], painter, picture.is_ideal())));
    return painter.text;
  }
  painter.line(style.dim(
      words::text(Id::legend_sectors_short,
                  {{"headline", picture.headline}, {"used", marks.used}, {"idle", marks.idle}})));
  painter.line(words::text(Id::figure_yours) + "  " +
               sector_row(picture.sectors, 0, picture.is_ideal(), painter));
  if (shows_ideal(picture))
    painter.line(words::text(Id::figure_ideal) + "  " +
                 sector_row(ideal_sectors(picture.access), 0, true, painter));
  return painter.text;
}

std::string lane_picture_text(const explain::LanePicture& picture, const Style& style,
                              std::string_view indent) {
  constexpr std::size_t kColumns = 76;  // no longer than the picture
  Painter painter{.style = style, .indent = indent};
  for (const std::string& sentence : picture.words)
    painter.text += wrapped(printable(sentence), indent.size() + kColumns, indent);
  const Signs& marks = painter.marks;
  if (picture.space == ptx::Space::shared) {
    painter.line(
        style.dim(words::text(Id::legend_banks, {{"used", marks.used}, {"idle", marks.idle}})));
    paint_banks(picture, painter);
    return painter.text;
  }
  bool parts = false;
  for (const explain::SectorUse& sector : picture.sectors)
    for (std::size_t word = 0; word < kSectorWords; ++word)
      parts |= bytes_of(sector, word) != 0 && bytes_of(sector, word) != 0xf;
  painter.line(
      style.dim(words::text(parts ? Id::legend_sectors_part : Id::legend_sectors,
                            {{"used", marks.used}, {"part", marks.part}, {"idle", marks.idle}})));
  paint_sectors(picture.sectors, picture.is_ideal(), painter);
  if (shows_ideal(picture)) {
    painter.line(words::text(Id::ideal_lanes));
    paint_sectors(ideal_sectors(picture.access), true, painter);
  }
  return painter.text;
}

}  // namespace labkit::report
