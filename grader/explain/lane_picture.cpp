#include "explain/lane_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "explain/words.h"
#include "observe/rules.h"

namespace labkit::explain {
namespace {

constexpr int kLanes = 32;
constexpr std::uint64_t kSectorBytes = 32, kWordBytes = 4, kBanks = 32;

bool takes_part(std::uint32_t lanes, int lane) { return (lanes >> lane & 1) != 0; }

std::string count_text(std::uint64_t count, const char* thing) {
  return fmt::format("{} {}{}", number(static_cast<double>(count)), thing, count == 1 ? "" : "s");
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
  const std::uint64_t address =
      picture.access.addresses[static_cast<std::size_t>(std::countr_zero(picture.access.active))];
  for (const observe::NamedRange& range : ranges)
    if ((range.space == ptx::Space::shared) == shared && address >= range.begin &&
        address - range.begin < range.bytes)
      return &range;
  return nullptr;
}

std::vector<SectorUse> sectors_of(const observe::WarpAccess& access) {
  std::map<std::uint64_t, SectorUse> sectors;
  for (std::uint32_t word = 0; word < access.words; ++word)
    for (int lane = 0; lane < kLanes; ++lane) {
      if (!takes_part(access.active, lane)) continue;
      const std::uint64_t begin =
          access.addresses[static_cast<std::size_t>(lane)] + std::uint64_t{128} * word;
      for (std::uint64_t at = begin; at < begin + access.bytes_per_lane; ++at) {
        SectorUse& sector = sectors[at / kSectorBytes];
        sector.address = at / kSectorBytes * kSectorBytes;
        sector.bytes |= 1u << at % kSectorBytes;
        sector.lanes |= 1u << lane;
        int& first = sector.word_lane[at % kSectorBytes / kWordBytes];
        if (first == kNobody) first = lane;
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
  const int lanes_a_pass = kLanes / static_cast<int>(passes);
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    // Words of each bank in the order of the first lane that wants them.
    std::array<std::vector<BankUse>, kBanks> queues;
    const int begin = static_cast<int>(pass) * lanes_a_pass;
    for (int lane = begin; lane < begin + lanes_a_pass; ++lane) {
      if (!takes_part(access.active, lane)) continue;
      const std::uint64_t address = access.addresses[static_cast<std::size_t>(lane)];
      const std::uint64_t last = (address + access.bytes_per_lane - 1) / kWordBytes;
      for (std::uint64_t word = address / kWordBytes; word <= last; ++word) {
        std::vector<BankUse>& queue = queues[word % kBanks];
        const auto have = std::find_if(queue.begin(), queue.end(),
                                       [&](const BankUse& use) { return use.word == word; });
        if (have != queue.end())
          have->lanes |= 1u << lane;
        else
          queue.push_back({word, 1u << lane});
      }
    }
    std::size_t most = 0;
    for (const auto& queue : queues) most = std::max(most, queue.size());
    for (std::size_t turn = 0; turn < most; ++turn) {
      Wavefront& wavefront = all.emplace_back();
      wavefront.pass = pass;
      for (std::size_t bank = 0; bank < kBanks; ++bank)
        if (turn < queues[bank].size()) wavefront.banks[bank] = queues[bank][turn];
    }
  }
  return all;
}

// ---- how the lanes' places follow from their numbers

/// value(lane) = base + step * (lane % group) + jump * (lane / group); group 32: no jump.
struct Rule {
  int group = kLanes;
  std::int64_t base = 0, step = 0, jump = 0;
};

using Values = std::array<std::int64_t, kLanes>;

/// Of two lanes that differ in `part` only, what one more of it adds.
template <typename Part, typename Same>
std::optional<std::int64_t> slope(const Values& values, std::uint32_t active, const Part& part,
                                  const Same& same) {
  for (int a = 0; a < kLanes; ++a)
    for (int b = a + 1; b < kLanes; ++b) {
      if (!takes_part(active, a) || !takes_part(active, b) || !same(a, b)) continue;
      const std::int64_t lanes = part(b) - part(a);
      if (lanes == 0) continue;
      const std::int64_t rise =
          values[static_cast<std::size_t>(b)] - values[static_cast<std::size_t>(a)];
      if (rise % lanes != 0) return std::nullopt;
      return rise / lanes;
    }
  return 0;
}

std::optional<Rule> rule_of(const Values& values, std::uint32_t active, int group) {
  const auto within = [&](int lane) { return std::int64_t{lane % group}; };
  const auto which = [&](int lane) { return std::int64_t{lane / group}; };
  const auto step =
      slope(values, active, within, [&](int a, int b) { return which(a) == which(b); });
  const auto jump =
      slope(values, active, which, [&](int a, int b) { return within(a) == within(b); });
  if (!step || !jump) return std::nullopt;
  const int first = std::countr_zero(active);
  Rule rule{.group = group, .step = *step, .jump = *jump};
  rule.base = values[static_cast<std::size_t>(first)] - rule.step * within(first) -
              rule.jump * which(first);
  for (int lane = 0; lane < kLanes; ++lane)
    if (takes_part(active, lane) &&
        values[static_cast<std::size_t>(lane)] !=
            rule.base + rule.step * within(lane) + rule.jump * which(lane))
      return std::nullopt;
  return rule;
}

/// The simplest that fits: one step for all lanes, else the largest groups.
std::optional<Rule> find_rule(const Values& values, std::uint32_t active) {
  for (const int group : {32, 16, 8, 4, 2})
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

/// "out[2048*lane]", or what is known without the array's name.
std::string place_text(const LanePicture& picture) {
  return picture.array.empty() || picture.index.empty() ? "" : ": " + picture.index;
}

std::string some_elements(const LanePicture& picture) {
  std::string text;
  int told = 0;
  for (int lane = 0; lane < kLanes && told < 4; ++lane)
    if (takes_part(picture.access.active, lane)) {
      text += fmt::format("{}lane {} {}[{}]", told++ ? ", " : "", lane,
                          picture.array.empty() ? "element " : picture.array,
                          picture.elements[static_cast<std::size_t>(lane)]);
    }
  return text;
}

std::string lanes_in_all(const LanePicture& picture) {
  return count_text(static_cast<std::uint64_t>(std::popcount(picture.access.active)), "lane");
}

std::string sector_cost_text(const LanePicture& picture) {
  std::uint64_t used = 0;
  for (const SectorUse& sector : picture.sectors) used += sector.used_bytes();
  const auto sectors = picture.sectors.size();
  const bool same = std::all_of(
      picture.sectors.begin(), picture.sectors.end(),
      [&](const SectorUse& s) { return s.used_bytes() == picture.sectors[0].used_bytes(); });
  const bool all = used == kSectorBytes * sectors;
  const std::string begin = fmt::format("{} touch{} {} of 32 bytes", lanes_in_all(picture),
                                        std::has_single_bit(picture.access.active) ? "es" : "",
                                        count_text(sectors, "sector"));
  std::string use;
  if (all)
    use = "every byte";
  else if (sectors == 1)
    use = fmt::format("{} of it", count_text(used, "byte"));
  else if (same)
    use = fmt::format("{} of each", count_text(used / sectors, "byte"));
  else
    use = fmt::format("{} of their {} bytes", number(static_cast<double>(used)),
                      number(static_cast<double>(kSectorBytes * sectors)));
  use = (std::has_single_bit(picture.access.active) ? "and uses " : "and use ") + use;
  if (picture.is_ideal()) return fmt::format("{} {}: no fewer would do.", begin, use);
  return fmt::format("{} {}; {} would do.", begin, use, count_text(picture.access.ideal, "sector"));
}

/// "Neighbouring lanes are 8,192 bytes apart: out[2048*lane]."
std::string spread_text(const LanePicture& picture, const std::optional<Rule>& bytes) {
  const auto lane_bytes = static_cast<std::int64_t>(picture.access.bytes_per_lane);
  const std::string place = place_text(picture);
  if (!bytes) return "The places follow from no simple rule: " + some_elements(picture) + ", ...";
  const auto apart = [](std::int64_t step, std::int64_t size) {
    if (step == 0) return std::string("at the same address");
    if (step == size) return std::string("side by side");
    if (step == -size) return std::string("side by side, in reverse");
    return fmt::format("{} bytes apart", number(static_cast<double>(std::abs(step))));
  };
  if (bytes->group == kLanes) {
    if (bytes->step == 0) return fmt::format("All of them touch the same place{}.", place);
    std::string text =
        fmt::format("Neighbouring lanes are {}{}.", apart(bytes->step, lane_bytes), place);
    if (std::abs(bytes->step) >= static_cast<std::int64_t>(kSectorBytes) && !picture.is_ideal())
      text += " Each needs a sector of its own.";
    return text;
  }
  return fmt::format(
      "Within {} lanes, neighbours are {}; from each {} to the next it is {}{}.", bytes->group,
      apart(bytes->step, lane_bytes), bytes->group,
      bytes->jump == 0
          ? std::string("the same place again")
          : fmt::format("{} bytes", number(static_cast<double>(std::abs(bytes->jump)))),
      place);
}

/// Side by side, and yet a sector too many: where it begins is to blame.
std::string misaligned_text(const LanePicture& picture, const std::optional<Rule>& bytes) {
  if (!bytes || bytes->group != kLanes || picture.is_ideal()) return {};
  if (bytes->step != static_cast<std::int64_t>(picture.access.bytes_per_lane)) return {};
  const std::uint64_t off =
      picture.access.addresses[static_cast<std::size_t>(std::countr_zero(picture.access.active))] %
      kSectorBytes;
  if (off == 0) return {};
  return fmt::format(
      "They begin {} past a multiple of 32, so that the first and the last sector are cut.",
      count_text(off, "byte"));
}

/// The bank in which most words of one pass meet, and the lanes that want them.
std::string worst_bank_text(const LanePicture& picture) {
  std::map<std::pair<std::uint32_t, std::size_t>, std::pair<int, std::uint32_t>> meeting;
  for (const Wavefront& wavefront : picture.wavefronts)
    for (std::size_t bank = 0; bank < kBanks; ++bank)
      if (wavefront.banks[bank].lanes != 0) {
        auto& [words, lanes] = meeting[{wavefront.pass, bank}];
        ++words;
        lanes |= wavefront.banks[bank].lanes;
      }
  const auto worst = std::max_element(
      meeting.begin(), meeting.end(),
      [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  std::string lanes = lanes_text(worst->second.second);
  lanes[0] = 'L';
  return fmt::format("{} want {} different words of bank {}", lanes, worst->second.first,
                     worst->first.second);
}

std::string bank_cost_text(const LanePicture& picture) {
  const observe::WarpAccess& access = picture.access;
  const std::string cost = count_text(access.cost, "wavefront");
  if (!picture.is_ideal())
    return fmt::format("{}, which come one after the other: {}; {} would do.",
                       worst_bank_text(picture), cost, access.ideal);
  std::set<std::uint64_t> words;
  for (const Wavefront& wavefront : picture.wavefronts)
    for (const BankUse& bank : wavefront.banks)
      if (bank.lanes != 0) words.insert(bank.word);
  return fmt::format("{} touch{} {} in {}: no bank is asked for two of them at once.",
                     lanes_in_all(picture), std::has_single_bit(access.active) ? "es" : "",
                     count_text(words.size(), "word"), cost);
}

/// "Neighbouring lanes are 32 words apart: tile[32*lane]. Bank = word % 32, so ..."
std::string bank_spread_text(const LanePicture& picture, const std::optional<Rule>& bytes) {
  const std::string place = place_text(picture);
  if (!bytes || bytes->group != kLanes || bytes->step == 0 ||
      bytes->step % static_cast<std::int64_t>(kWordBytes) != 0)
    return spread_text(picture, bytes) + (picture.is_ideal() ? "" : " The bank is word % 32.");
  const std::int64_t words = std::abs(bytes->step) / static_cast<std::int64_t>(kWordBytes);
  std::string text = fmt::format("Neighbouring lanes are {} apart{}.",
                                 count_text(static_cast<std::uint64_t>(words), "word"), place);
  const std::int64_t round =
      static_cast<std::int64_t>(kBanks) / std::gcd(words, static_cast<std::int64_t>(kBanks));
  if (picture.is_ideal() || picture.access.bytes_per_lane > kWordBytes) return text;
  if (round == 1) return text + " The bank is word % 32: for every lane the same.";
  return text +
         fmt::format(" The bank is word % 32: after {} lanes it is the first one again.", round);
}

std::string headline_of(const LanePicture& picture) {
  const std::string cost =
      count_text(picture.access.cost, picture.space == ptx::Space::shared ? "wavefront" : "sector");
  return picture.is_ideal() ? cost + ": as few as can be"
                            : fmt::format("{} where {} would do", cost, picture.access.ideal);
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
      words.emplace_back(
          "This is local memory: an array that is indexed as the kernel runs, or values for which "
          "the registers did not do.");
    else if (!std::has_single_bit(picture.access.active))
      words.push_back(spread_text(picture, bytes));
    if (std::string off = misaligned_text(picture, bytes); !off.empty())
      words.push_back(std::move(off));
  }
  const int active = std::popcount(picture.access.active);
  if (active < kLanes)
    words.push_back(fmt::format("{} of the warp's 32 lanes take{} no part.", kLanes - active,
                                kLanes - active == 1 ? "s" : ""));
  return words;
}

}  // namespace

std::uint32_t SectorUse::used_bytes() const {
  return static_cast<std::uint32_t>(std::popcount(bytes));
}

int BankUse::first_lane() const { return lanes == 0 ? kNobody : std::countr_zero(lanes); }

std::string lanes_text(std::uint32_t lanes) {
  const int count = std::popcount(lanes), first = std::countr_zero(lanes);
  if (count == 0) return "no lane";
  if (count == 1) return fmt::format("lane {}", first);
  const int last = kLanes - 1 - std::countl_zero(lanes);
  if (last - first + 1 == count && count > 2) return fmt::format("lanes {} to {}", first, last);
  std::string text = "lanes ";
  int told = 0;
  for (int lane = first; lane <= last; ++lane) {
    if (!takes_part(lanes, lane)) continue;
    if (count > 6 && told == 4) {  // evenly spread ones mostly: the first tell it
      text += fmt::format(", ... and {}", last);
      break;
    }
    text += told == 0 ? "" : told + 1 == count ? " and " : ", ";
    text += std::to_string(lane);
    ++told;
  }
  return text;
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
  if (const observe::NamedRange* range = range_of(picture, ranges)) {
    picture.array = range->name;
    picture.array_begin = range->begin;
    if (range->element_bytes > 0) picture.element_bytes = range->element_bytes;
  }
  if (picture.space == ptx::Space::shared)
    picture.wavefronts = wavefronts_of(access, !picture.is_store && !picture.is_atomic);
  else
    picture.sectors = sectors_of(access);

  Values bytes{};
  bool whole = true;
  picture.elements.fill(-1);
  for (std::size_t lane = 0; lane < bytes.size(); ++lane) {
    if (!takes_part(access.active, static_cast<int>(lane))) continue;
    bytes[lane] = static_cast<std::int64_t>(access.addresses[lane] - picture.array_begin);
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
