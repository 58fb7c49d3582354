#include "observe/index_words.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace labkit::observe {
namespace {

using launch::Dim3;
using launch::Finding;
using std::to_string;

constexpr std::uint32_t kWidestElement = 8;  // bytes
constexpr std::uint32_t kLanes = 32;
constexpr const char* kFix = "\nFix: ";

struct Place {
  std::uint64_t row = 0, col = 0;
};

/// Threads numbered through the whole grid, along x and y.
Place of_grid(const Dim3& thread, const Dim3& block, const Dim3& size) {
  return {.row = std::uint64_t{block.y} * size.y + thread.y,
          .col = std::uint64_t{block.x} * size.x + thread.x};
}

/// How a thread may come to a row and a column: its own, the two exchanged, its tile's mirror image.
std::vector<Place> places_of(const Dim3& thread, const Dim3& block, const Dim3& size) {
  const Place own = of_grid(thread, block, size);
  return {own,
          {.row = own.col, .col = own.row},
          {.row = std::uint64_t{block.x} * size.x + thread.y,
           .col = std::uint64_t{block.y} * size.y + thread.x}};
}

/// The launch's whole numbers from `least` on, each once.
std::vector<std::uint64_t> numbers_of(const launch::Launch& launch, std::uint64_t least) {
  std::vector<std::uint64_t> lengths;
  for (const launch::Argument& argument : launch.arguments) {
    const auto* bytes = std::get_if<std::vector<std::byte>>(&argument);
    std::int32_t value = 0;
    if (bytes == nullptr || bytes->size() != sizeof value) continue;
    std::memcpy(&value, bytes->data(), sizeof value);
    const auto length = static_cast<std::uint64_t>(std::max(value, 0));
    if (length >= least && std::find(lengths.begin(), lengths.end(), length) == lengths.end())
      lengths.push_back(length);
  }
  return lengths;
}

/// Those that may be lengths.
std::vector<std::uint64_t> lengths_of(const launch::Launch& launch) {
  return numbers_of(launch, 2);
}

/// The number of the element that is touched, in an array that begins before it.
std::optional<std::uint64_t> element_of(const Finding& finding) {
  const std::uint64_t bytes = finding.access_bytes;
  if (finding.array.name.empty() || bytes == 0 || bytes > kWidestElement ||
      finding.address < finding.array.begin || finding.array.bytes % bytes != 0 ||
      (finding.address - finding.array.begin) % bytes != 0)
    return std::nullopt;
  return (finding.address - finding.array.begin) / bytes;
}

void tell(Finding& finding, const std::string& fix) {
  finding.text.erase(std::min(finding.text.find(kFix), finding.text.size()));
  finding.text += kFix + fix + ".";
}

std::string at(const Place& place) {
  return "row " + to_string(place.row) + ", column " + to_string(place.col);
}

/// Whether the index or the condition has the two sizes in each other's place the sizes alone do not tell.
std::string by_row_length(const std::string& array, std::uint64_t asked, std::uint64_t used) {
  return std::string(kOtherRowLength) + " `" + array + "` is, " + to_string(asked) + " or " +
         to_string(used) +
         ": the row is multiplied by that, the column has to be below it, and the row below the "
         "number of rows";
}

/// Of the finding's warp, each lane's place as the finding's thread comes to its own.
struct Warp {
  std::uint32_t active = 0;
  std::vector<Place> places;  ///< of its lanes
};
Warp warp_of(const Finding& finding, std::size_t way, const Dim3& size) {
  Warp warp{.active = finding.lanes | finding.other_lanes, .places = {}};
  const std::uint64_t number =
      finding.thread.x +
      std::uint64_t{size.x} * (finding.thread.y + std::uint64_t{size.y} * finding.thread.z);
  const std::uint64_t first = number / kLanes * kLanes;
  for (std::uint64_t i = first; i < first + kLanes && i < size.count(); ++i) {
    const Dim3 thread{static_cast<std::uint32_t>(i % size.x),
                      static_cast<std::uint32_t>(i / size.x % size.y), 0};
    warp.places.push_back(places_of(thread, finding.block, size)[way]);
  }
  return warp;
}

/// The lanes that come are those which have an element in a matrix of so many rows and columns.
bool are_those_of(const Warp& warp, std::uint64_t rows, std::uint64_t cols) {
  std::uint32_t valid = 0;
  for (std::size_t lane = 0; lane < warp.places.size(); ++lane)
    if (warp.places[lane].row < rows && warp.places[lane].col < cols) valid |= 1u << lane;
  return valid == warp.active;
}

/// A matrix' row and column, by the numbers of the launch that its size is a product of.
bool tell_matrix(Finding& finding, const launch::Launch& launch, std::uint64_t element,
                 std::uint64_t count) {
  if (launch.block.y == 1 && launch.grid.y == 1) return false;
  const std::vector<std::uint64_t> lengths = lengths_of(launch);
  const std::vector<Place> places = places_of(finding.thread, finding.block, launch.block);
  const std::string& name = finding.array.name;
  for (std::size_t way = 0; way < places.size(); ++way)
    for (const std::uint64_t pitch : lengths) {
      const Place place = places[way];
      if (place.row == 0 || place.row * pitch + place.col != element) continue;
      if (count % pitch != 0) {
        tell(finding, std::string(kOtherRowLength) + " `" + name + "` is: not " + to_string(pitch) +
                          ", by which the row is multiplied here (" + at(place) + "), for its " +
                          to_string(count) + " elements are no whole number of such rows");
        return true;
      }
      const std::uint64_t rows = count / pitch;
      if (std::find(lengths.begin(), lengths.end(), rows) == lengths.end()) continue;
      const Warp warp = warp_of(finding, way, launch.block);
      // where the matrix is not square, either number may be its row's length
      const bool square = rows == pitch;
      if (!square && are_those_of(warp, pitch, rows)) {
        tell(finding, by_row_length(name, rows, pitch) + " (here " + at(place) +
                          ", multiplied by " + to_string(pitch) + ")");
        return true;
      }
      if (place.row < rows && place.col < pitch) continue;
      tell(finding, "ask, before this line, for the row and the column of this very index (here " +
                        at(place) +
                        (square ? ", and `" + name + "` has " + to_string(rows) +
                                      " of each, 0 to " + to_string(rows - 1)
                                : "") +
                        "), and go on only if `" + name + "` has both (`&&`)");
      return true;
    }
  return false;
}

/// The longer one of the two arrays of a launch that has two.
const simt::Memory::Place* longer_one(const Finding& finding,
                                      const std::vector<simt::Memory::Place>& arrays) {
  if (arrays.size() != 2) return nullptr;
  const simt::Memory::Place& other = arrays[0].begin == finding.array.begin ? arrays[1] : arrays[0];
  return other.is_variable || other.size <= finding.array.bytes ? nullptr : &other;
}

/// The thread's own number, times and plus numbers of the launch, is what the longer array's length is made by: its index
/// stands between the brackets of the shorter one.
bool tell_index_of_longer(Finding& finding, const launch::Launch& launch,
                          const simt::Memory::Place& other, std::uint64_t element,
                          std::uint64_t own) {
  const std::uint64_t count = finding.array.bytes / finding.access_bytes,
                      longer = other.size / finding.access_bytes;
  std::vector<std::uint64_t> factors = numbers_of(launch, 2), terms = numbers_of(launch, 1);
  factors.insert(factors.begin(), 1);
  terms.insert(terms.begin(), 0);
  if (own >= count) return false;
  for (const std::uint64_t factor : factors)
    for (const std::uint64_t term : terms) {
      if ((factor == 1 && term == 0) || longer != term + (count - 1) * factor + 1 ||
          element != own * factor + term)
        continue;
      tell(finding,
           "let the index of " + finding.array.name + " be the thread's own number alone (here " +
               to_string(own) + "): at this line it is " +
               (factor == 1 ? "" : "multiplied by " + to_string(factor)) +
               (factor == 1 || term == 0 ? "" : ", and ") +
               (term == 0 ? "" : to_string(term) + (factor == 1 ? " more" : " is added")) +
               ", which is for " + other.name + " (" + other.name + " " + kOtherArray + ")");
      return true;
    }
  return false;
}

void tell_global(Finding& finding, const launch::Launch& launch,
                 const std::vector<simt::Memory::Place>& arrays, const IndexFacts& facts) {
  const auto element = element_of(finding);
  const std::uint64_t count = element ? finding.array.bytes / finding.access_bytes : 0;
  if (!element || *element < count) return;
  if (facts.from_memory) {
    tell(finding, "see which values the index of " + finding.array.name +
                      " can have: at this line it is computed from what the kernel has read (here "
                      "it is " +
                      to_string(*element) + ", and the last element has " + to_string(count - 1) +
                      ")");
    return;
  }
  if (tell_matrix(finding, launch, *element, count)) return;
  if (launch.block.y != 1 || launch.grid.y != 1) return;
  const std::uint64_t own = of_grid(finding.thread, finding.block, launch.block).col,
                      threads = std::uint64_t{launch.grid.x} * launch.block.x;
  const bool is_own = *element >= own && (*element - own) % threads == 0;
  if (is_own && *element == count && std::has_single_bit(finding.lanes) &&
      finding.lanes != 1u << (kLanes - 1)) {
    tell(finding, "let the index stop one sooner, at " + to_string(count - 1) +
                      ": most likely a `<=` stands where `<` is meant");
    return;
  }
  if (is_own && *element != own && !facts.in_loop) return;
  if (is_own && !std::has_single_bit(finding.lanes)) {
    tell(finding,
         std::string("compare the index with the size of the array before this line") +
             (*element == own ? "" : ", in each turn of the loop, also the last") +
             ", and let threads outside do nothing; ask about the very index that this line uses");
    return;
  }
  if (is_own) return;
  const simt::Memory::Place* other = longer_one(finding, arrays);
  if (other == nullptr || *element * finding.access_bytes >= other->size) return;
  if (tell_index_of_longer(finding, launch, *other, *element, own)) return;
  tell(finding, "see whether " + finding.array.name + " and " + other->name +
                    " have changed places at this line (" + other->name + " " + kOtherArray +
                    "); else the index is wrong");
}

/// Whether the element is that of a thread's number in the grid, in rows about as long as a block is wide.
bool counts_blocks(const Finding& finding, const launch::Launch& launch, std::uint64_t element,
                   std::uint64_t count) {
  if (finding.block == Dim3{0, 0, 0}) return false;
  const auto with_rows = [&](const Place& all, const Place& in_block) {
    if (all.row == 0) return element == all.col && in_block.col < count;
    if (element < all.col || (element - all.col) % all.row != 0) return false;
    const std::uint64_t pitch = (element - all.col) / all.row;
    return pitch >= launch.block.x && pitch <= 2 * std::uint64_t{launch.block.x} &&
           in_block.row * pitch + in_block.col < count;
  };
  const Place all = of_grid(finding.thread, finding.block, launch.block),
              own = of_grid(finding.thread, {0, 0, 0}, launch.block);
  return with_rows(all, own) ||
         with_rows({.row = all.col, .col = all.row}, {.row = own.col, .col = own.row});
}

void tell_shared(Finding& finding, const launch::Launch& launch) {
  const auto element = element_of(finding);
  const std::uint64_t count = element ? finding.array.bytes / finding.access_bytes : 0;
  if (!element || *element < count || !counts_blocks(finding, launch, *element, count)) return;
  tell(finding, "leave the block's part (blockIdx) out of the index of " + finding.array.name +
                    ": " + kCountsBlocks + ", which begins at 0");
}

/// What the rows of two threads, by their numbers in the grid, are multiplied by, if both come to the element so.
std::optional<std::uint64_t> pitch_of(const Place& one, const Place& other, std::uint64_t element) {
  const Place& low = one.row < other.row ? one : other;
  const Place& high = one.row < other.row ? other : one;
  if (low.row == high.row || element <= high.col || (element - high.col) % high.row != 0)
    return std::nullopt;
  const std::uint64_t pitch = (element - high.col) / high.row;
  return pitch > 1 && low.row * pitch + low.col == element ? std::optional(pitch) : std::nullopt;
}

void tell_rows(Finding& finding, const launch::Launch& launch) {
  const auto element = element_of(finding);
  if (!element || (launch.block.y == 1 && launch.grid.y == 1)) return;
  const std::vector<Place> ones =
                               places_of(finding.other_thread, finding.other_block, launch.block),
                           others = places_of(finding.thread, finding.block, launch.block);
  const std::vector<std::uint64_t> lengths = lengths_of(launch);
  const std::uint64_t count = finding.array.bytes / finding.access_bytes;
  for (std::size_t way = 0; way < ones.size(); ++way)
    for (const std::uint64_t pitch : lengths) {
      const Place &one = ones[way], &other = others[way];
      if (one.row == other.row || one.row * pitch + one.col != *element ||
          other.row * pitch + other.col != *element)
        continue;
      const std::uint64_t length = count % pitch == 0 ? count / pitch : 0;
      const bool is_longer = length > std::max(one.col, other.col) &&
                             std::find(lengths.begin(), lengths.end(), length) != lengths.end();
      const Place &low = one.row < other.row ? one : other,
                  &high = one.row < other.row ? other : one;
      finding.text.erase(std::min(finding.text.find(kFix), finding.text.size()));
      finding.text += "\nHere " + at(low) + " and " + at(high) + " " + kRowsOverlap + " " +
                      to_string(pitch) + ".";
      tell(finding,
           is_longer
               ? by_row_length(finding.array.name, length, pitch)
               : "see that the row is multiplied by the length of a row of " + finding.array.name +
                     ", and that a thread whose column is past that length stores nothing");
      return;
    }
  if (const auto pitch = pitch_of(ones[0], others[0], *element)) {
    finding.text.erase(std::min(finding.text.find(kFix), finding.text.size()));
    finding.text += "\nHere " + at(ones[0]) + " and " + at(others[0]) + " " + kRowsOverlap + " " +
                    to_string(*pitch) + ".";
    tell(finding, "multiply the row by the length of a row of " + finding.array.name + ", not by " +
                      to_string(*pitch) +
                      (*pitch == launch.block.x ? ", which is a block's width" : ""));
  }
}

}  // namespace

void tell_index(Finding& finding, const launch::Launch& launch,
                const std::vector<simt::Memory::Place>& arrays, const IndexFacts& facts) {
  using launch::FindingKind;
  if (finding.kind == FindingKind::out_of_bounds && !finding.fix &&
      finding.text.find(kFix) == std::string::npos) {
    if (finding.space == "global") tell_global(finding, launch, arrays, facts);
    if (finding.space == "shared") tell_shared(finding, launch);
  }
  const bool both_store = finding.kind == FindingKind::race && finding.space == "global" &&
                          finding.where.line == finding.other.line && finding.hazard == "WAW";
  if (both_store) tell_rows(finding, launch);
}

}  // namespace labkit::observe
