#include "explain/lane_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/text.h"
#include "explain/words.h"
#include "observe/rules.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using words::Id;

constexpr std::uint32_t kLanes = 32, kSectorBytes = 32, kWordBytes = 4, kBanks = 32;

bool takes_part(std::uint32_t lanes, std::uint32_t lane) { return (lanes >> lane & 1) != 0; }

std::uint64_t first_address(const observe::WarpAccess& access) {
  return access.addresses[static_cast<std::size_t>(std::countr_zero(access.active))];
}

std::string number_text(std::int64_t value) { return number(static_cast<double>(value)); }

std::string number_text(std::size_t value) { return number(static_cast<double>(value)); }

/// Of Id::sectors_count and the like.
std::string count_text(Id id, std::size_t count) {
  return words::text(id, {{"count", number_text(count)}});
}

// ---- what the access is made of

std::uint32_t element_bytes_of(std::string_view spelling, std::uint32_t otherwise) {
  const auto dot = spelling.rfind('.');
  const auto type =
      dot == std::string_view::npos ? std::nullopt : ptx::type_from_name(spelling.substr(dot + 1));
  const std::uint32_t bytes = type ? ptx::size_bytes(*type) : 0;
  return bytes > 0 ? bytes : otherwise;
}

const observe::NamedRange* range_of(const LanePicture& picture,
                                    const std::vector<observe::NamedRange>& ranges) {
  if (picture.space == ptx::Space::local) return nullptr;
  const bool shared = picture.space == ptx::Space::shared;
  const std::uint64_t address = first_address(picture.access);
  for (const observe::NamedRange& range : ranges)
    if ((range.space == ptx::Space::shared) == shared && address >= range.begin &&
        address - range.begin < range.bytes)
      return &range;
  return nullptr;
}

std::vector<SectorUse> sectors_of(const observe::WarpAccess& access) {
  std::map<std::uint64_t, SectorUse> sectors;
  for (std::uint32_t word = 0; word < access.words; ++word)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (!takes_part(access.active, lane)) continue;
      const std::uint64_t begin = access.addresses[lane] + std::uint64_t{128} * word;
      for (std::uint64_t at = begin; at < begin + access.bytes_per_lane; ++at) {
        SectorUse& sector = sectors[at / kSectorBytes];
        sector.address = at / kSectorBytes * kSectorBytes;
        sector.bytes |= 1u << at % kSectorBytes;
        sector.lanes |= 1u << lane;
      }
    }
  std::vector<SectorUse> all;
  all.reserve(sectors.size());
  for (const auto& [number, sector] : sectors) all.push_back(sector);
  return all;
}

std::vector<Wavefront> wavefronts_of(const observe::WarpAccess& access, bool is_load) {
  std::vector<Wavefront> all;
  const std::uint32_t passes = observe::shared_passes(access.addresses.data(), access.active,
                                                      access.bytes_per_lane, is_load);
  const std::uint32_t lanes_a_pass = kLanes / passes;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    // Words of each bank in the order of the first lane that wants them: one a wavefront.
    const std::size_t begin = all.size();
    std::array<std::vector<std::uint64_t>, kBanks> words;
    for (std::uint32_t lane = pass * lanes_a_pass; lane < (pass + 1) * lanes_a_pass; ++lane) {
      if (!takes_part(access.active, lane)) continue;
      const std::uint64_t address = access.addresses[lane];
      const std::uint64_t last = (address + access.bytes_per_lane - 1) / kWordBytes;
      for (std::uint64_t word = address / kWordBytes; word <= last; ++word) {
        std::vector<std::uint64_t>& of_bank = words[word % kBanks];
        const auto have = std::ranges::find(of_bank, word);
        const auto turn = static_cast<std::size_t>(have - of_bank.begin());
        if (have == of_bank.end()) of_bank.push_back(word);
        if (begin + turn == all.size()) all.push_back({.pass = pass, .banks = {}});
        BankUse& use = all[begin + turn].banks[word % kBanks];
        use.word = word;
        use.lanes |= 1u << lane;
      }
    }
  }
  return all;
}

// ---- how the lanes' places follow from their numbers

/// value(lane) = base + step * (lane % group) + jump * (lane / group); group 32: no jump.
struct Rule {
  std::uint32_t group = kLanes;
  std::int64_t base = 0, step = 0, jump = 0;

  std::int64_t operator()(std::uint32_t lane) const {
    return base + step * (lane % group) + jump * (lane / group);
  }
};

using Values = std::array<std::int64_t, kLanes>;

/// Of two lanes that differ in `part` only, what one more of it adds.
template <typename Part, typename Same>
std::optional<std::int64_t> slope(const Values& values, std::uint32_t active, const Part& part,
                                  const Same& same) {
  for (std::uint32_t a = 0; a < kLanes; ++a)
    for (std::uint32_t b = a + 1; b < kLanes; ++b) {
      if (!takes_part(active, a) || !takes_part(active, b) || same(a) != same(b)) continue;
      const std::int64_t lanes = part(b) - part(a);
      if (lanes == 0) continue;
      const std::int64_t rise = values[b] - values[a];
      if (rise % lanes != 0) return std::nullopt;
      return rise / lanes;
    }
  return 0;
}

std::optional<Rule> rule_of(const Values& values, std::uint32_t active, std::uint32_t group) {
  const auto within = [&](std::uint32_t lane) { return std::int64_t{lane % group}; };
  const auto which = [&](std::uint32_t lane) { return std::int64_t{lane / group}; };
  const auto step = slope(values, active, within, which);
  const auto jump = slope(values, active, which, within);
  if (!step || !jump) return std::nullopt;
  Rule rule{.group = group, .base = 0, .step = *step, .jump = *jump};
  const auto first = static_cast<std::uint32_t>(std::countr_zero(active));
  rule.base = values[first] - rule(first);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (takes_part(active, lane) && values[lane] != rule(lane)) return std::nullopt;
  return rule;
}

/// The simplest that fits: one step for all lanes, else the largest groups.
std::optional<Rule> find_rule(const Values& values, std::uint32_t active) {
  for (const std::uint32_t group : {32, 16, 8, 4, 2})
    if (const auto rule = rule_of(values, active, group)) return rule;
  return std::nullopt;
}

std::string index_text(const Rule& rule) {
  std::string text;
  const auto add = [&](std::int64_t factor, const std::string& what) {
    if (factor == 0) return;
    const std::int64_t size = std::abs(factor);
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    text += what.empty() ? std::to_string(size)
            : size == 1  ? what
                         : fmt::format("{}*{}", size, what);
  };
  if (rule.group == kLanes) {
    if (rule.step < 0 && rule.base > 0) {  // "31 - lane"
      add(rule.base, "");
      add(rule.step, "lane");
      return text;
    }
    add(rule.step, "lane");
  } else if (rule.base == 0 && (rule.step == 0 ? rule.jump : rule.step) == 1 &&
             (rule.step == 0 || rule.jump == 0)) {
    add(1, fmt::format("lane{}{}", rule.step == 0 ? '/' : '%', rule.group));
  } else {
    add(rule.step, fmt::format("(lane%{})", rule.group));
    add(rule.jump, fmt::format("(lane/{})", rule.group));
  }
  add(rule.base, "");
  return text.empty() ? "0" : text;
}

// ---- words

/// ": out[2048*lane]", where that is known.
std::string place_text(const LanePicture& picture) {
  return picture.index.empty() ? "" : words::text(Id::spread_place, {{"index", picture.index}});
}

std::string some_elements(const LanePicture& picture) {
  std::vector<std::string> some;
  for (std::uint32_t lane = 0; lane < kLanes && some.size() < 4; ++lane)
    if (takes_part(picture.access.active, lane))
      some.push_back(words::text(
          Id::spread_lane_element,
          {{"lane", std::to_string(lane)},
           {"element", picture.array.empty()
                           ? words::text(Id::spread_unnamed_element,
                                         {{"index", std::to_string(picture.elements[lane])}})
                           : fmt::format("{}[{}]", picture.array, picture.elements[lane])}}));
  return joined(some);
}

std::string lanes_of(const LanePicture& picture) {
  return std::to_string(std::popcount(picture.access.active));
}

std::string sector_cost_text(const LanePicture& picture) {
  const std::vector<SectorUse>& sectors = picture.sectors;
  std::size_t used = 0;
  for (const SectorUse& sector : sectors) used += static_cast<std::size_t>(sector.used_bytes());
  const std::size_t all = kSectorBytes * sectors.size();
  std::string use;
  if (used == all)
    use = words::text(Id::use_every_byte);
  else if (sectors.size() == 1)
    use = count_text(Id::use_of_it, used);
  else if (std::ranges::all_of(sectors, [&](const SectorUse& sector) {
             return sector.used_bytes() == sectors[0].used_bytes();
           }))
    use = count_text(Id::use_of_each, used / sectors.size());
  else
    use = words::text(Id::use_of_all, {{"count", number_text(used)}, {"all", number_text(all)}});
  return words::text(picture.is_ideal() ? Id::sectors_ideal : Id::sectors_wasteful,
                     {{"lanes", lanes_of(picture)},
                      {"sectors", number_text(sectors.size())},
                      {"use", use},
                      {"ideal", number_text(std::size_t{picture.access.ideal})}});
}

/// "Neighbouring lanes are 8,192 bytes apart: out[2048*lane]."
std::string spread_text(const LanePicture& picture, const std::optional<Rule>& bytes) {
  const std::string place = place_text(picture);
  if (!bytes) return words::text(Id::spread_no_rule, {{"elements", some_elements(picture)}});
  const std::int64_t size = picture.access.bytes_per_lane, step = bytes->step;
  const auto in_bytes = [](Id id, std::int64_t distance) {
    return words::text(id, {{"bytes", number_text(std::abs(distance))}});
  };
  const std::string apart = step == 0       ? words::text(Id::spread_same)
                            : step == size  ? words::text(Id::spread_side_by_side)
                            : step == -size ? words::text(Id::spread_reverse)
                                            : in_bytes(Id::spread_bytes, step);
  if (bytes->group != kLanes)
    return words::text(Id::spread_groups,
                       {{"group", std::to_string(bytes->group)},
                        {"apart", apart},
                        {"jump", bytes->jump == 0 ? words::text(Id::spread_same_again)
                                                  : in_bytes(Id::spread_jump, bytes->jump)},
                        {"place", place}});
  if (step == 0) return words::text(Id::spread_all_same, {{"place", place}});
  const bool has_own_sectors = std::abs(step) >= kSectorBytes && !picture.is_ideal();
  const std::string text = words::text(Id::spread_neighbours, {{"apart", apart}, {"place", place}});
  return has_own_sectors ? words::beside(text, words::text(Id::spread_own_sectors)) : text;
}

/// Side by side, and yet a sector too many: where it begins is to blame.
std::string misaligned_text(const LanePicture& picture, const std::optional<Rule>& bytes) {
  const std::uint64_t off = first_address(picture.access) % kSectorBytes;
  const std::uint32_t from_first =
      picture.access.active == 0 ? 0
                                 : picture.access.active >> std::countr_zero(picture.access.active);
  if ((from_first & (from_first + 1)) != 0) return {};  // lanes between them are missing
  if (!bytes || bytes->group != kLanes || picture.is_ideal() || off == 0 ||
      bytes->step != picture.access.bytes_per_lane)
    return {};
  return words::text(Id::sectors_cut, {{"bytes", std::to_string(off)}});
}

/// With the bank in which most words of one pass meet, and the lanes that want them.
std::string bank_conflict_text(const LanePicture& picture, const std::string& cost) {
  std::map<std::pair<std::uint32_t, std::size_t>, std::pair<int, std::uint32_t>> meeting;
  for (const Wavefront& wavefront : picture.wavefronts)
    for (std::size_t bank = 0; bank < kBanks; ++bank)
      if (wavefront.banks[bank].lanes != 0) {
        auto& [words, lanes] = meeting[{wavefront.pass, bank}];
        ++words;
        lanes |= wavefront.banks[bank].lanes;
      }
  const auto worst =
      std::ranges::max_element(meeting, {}, [](const auto& each) { return each.second.first; });
  return words::text(Id::banks_wasteful, {{"lanes", capitalised(lanes_text(worst->second.second))},
                                          {"words", std::to_string(worst->second.first)},
                                          {"bank", std::to_string(worst->first.second)},
                                          {"cost", cost},
                                          {"ideal", std::to_string(picture.access.ideal)}});
}

std::string bank_cost_text(const LanePicture& picture) {
  const std::string cost = count_text(Id::wavefronts_count, picture.access.cost);
  if (!picture.is_ideal()) return bank_conflict_text(picture, cost);
  std::set<std::uint64_t> words;
  for (const Wavefront& wavefront : picture.wavefronts)
    for (const BankUse& bank : wavefront.banks)
      if (bank.lanes != 0) words.insert(bank.word);
  return words::text(
      Id::banks_ideal,
      {{"lanes", lanes_of(picture)}, {"words", number_text(words.size())}, {"cost", cost}});
}

/// "Neighbouring lanes are 32 words apart: tile[32*lane]. Bank = word % 32, so ..."
std::string bank_spread_text(const LanePicture& picture, const std::optional<Rule>& bytes) {
  if (!bytes || bytes->group != kLanes || bytes->step == 0 || bytes->step % kWordBytes != 0)
    return picture.is_ideal()
               ? spread_text(picture, bytes)
               : words::beside(spread_text(picture, bytes), words::text(Id::spread_bank));
  const auto words = static_cast<std::uint64_t>(std::abs(bytes->step)) / kWordBytes;
  const std::string text =
      words::text(Id::spread_neighbours_words,
                  {{"words", number_text(std::size_t{words})}, {"place", place_text(picture)}});
  if (picture.is_ideal() || picture.access.bytes_per_lane > kWordBytes) return text;
  const auto round = kBanks / std::gcd(words, kBanks);
  return words::beside(
      text, round == 1 ? words::text(Id::spread_bank_same)
                       : words::text(Id::spread_bank_again, {{"lanes", std::to_string(round)}}));
}

std::string headline_of(const LanePicture& picture) {
  const std::string cost =
      count_text(picture.space == ptx::Space::shared ? Id::wavefronts_count : Id::sectors_count,
                 picture.access.cost);
  return words::text(picture.is_ideal() ? Id::access_ideal : Id::access_wasteful,
                     {{"cost", cost}, {"ideal", std::to_string(picture.access.ideal)}});
}

std::vector<std::string> words_of(const LanePicture& picture, const std::optional<Rule>& bytes) {
  std::vector<std::string> words;
  if (picture.space == ptx::Space::shared) {
    words.push_back(bank_cost_text(picture));
    if (!std::has_single_bit(picture.access.active))
      words.push_back(bank_spread_text(picture, bytes));
  } else {
    words.push_back(sector_cost_text(picture));
    if (picture.space == ptx::Space::local)
      words.push_back(words::text(Id::access_local));
    else if (!std::has_single_bit(picture.access.active))
      words.push_back(spread_text(picture, bytes));
    if (std::string off = misaligned_text(picture, bytes); !off.empty())
      words.push_back(std::move(off));
  }
  if (const int idle = std::popcount(~picture.access.active); idle > 0)
    words.push_back(words::text(Id::access_idle_lanes, {{"idle", std::to_string(idle)}}));
  return words;
}

}  // namespace

std::string lanes_text(std::uint32_t lanes) {
  const int count = std::popcount(lanes), first = std::countr_zero(lanes),
            last = 31 - std::countl_zero(lanes);
  if (count == 0) return words::text(Id::lane_none);
  if (count == 1) return words::text(Id::lane_one, {{"lane", std::to_string(first)}});
  const std::string to = std::to_string(last);
  if (last - first + 1 == count && count > 2)
    return words::text(Id::lanes_range, {{"first", std::to_string(first)}, {"last", to}});
  const bool is_long = count > 6;  // evenly spread ones mostly: the first tell it
  std::vector<int> before_last;
  for (std::uint32_t rest = lanes; before_last.size() + 1 < (is_long ? 5u : std::size_t(count));
       rest &= rest - 1)
    before_last.push_back(std::countr_zero(rest));
  return words::text(is_long ? Id::lanes_many : Id::lanes_some,
                     {{"lanes", fmt::format("{}", fmt::join(before_last, ", "))}, {"last", to}});
}

LanePicture picture_of(const observe::InstructionSamples& instruction,
                       const observe::WarpAccess& access,
                       const std::vector<observe::NamedRange>& ranges, std::string_view spelling) {
  LanePicture picture;
  picture.space = instruction.space;
  picture.is_store = instruction.is_store;
  picture.is_atomic = instruction.is_atomic;
  picture.access = access;
  picture.element_bytes = element_bytes_of(spelling, access.bytes_per_lane);
  std::uint64_t array_begin = 0;  // of memory, where the array is not known
  if (const observe::NamedRange* range = range_of(picture, ranges)) {
    picture.array = range->name;
    array_begin = range->begin;
    if (range->element_bytes > 0) picture.element_bytes = range->element_bytes;
  }
  if (picture.space == ptx::Space::shared)
    picture.wavefronts = wavefronts_of(access, !picture.is_store && !picture.is_atomic);
  else
    picture.sectors = sectors_of(access);

  Values bytes{};
  bool whole = true;
  picture.elements.fill(-1);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!takes_part(access.active, lane)) continue;
    bytes[lane] = static_cast<std::int64_t>(access.addresses[lane] - array_begin);
    picture.elements[lane] = bytes[lane] / picture.element_bytes;
    whole &= bytes[lane] % picture.element_bytes == 0;
  }
  const std::optional<Rule> rule = find_rule(bytes, access.active);
  if (rule && rule->group == kLanes && std::popcount(access.active) > 1) {
    picture.has_stride = true;
    picture.stride_bytes = rule->step;
  }
  if (whole && !picture.array.empty())
    if (const auto index = find_rule(picture.elements, access.active))
      picture.index = fmt::format("{}[{}]", picture.array, index_text(*index));
  picture.headline = headline_of(picture);
  picture.words = words_of(picture, rule);
  return picture;
}

}  // namespace labkit::explain
