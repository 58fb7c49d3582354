#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "observe/findings.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using launch::Dim3;
using launch::Finding;
using words::Id;

constexpr std::uint32_t kWidestElement = 8;  // bytes
constexpr std::uint32_t kLanes = 32;

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

bool is_one_of(const std::vector<std::uint64_t>& numbers, std::uint64_t number) {
  return std::ranges::find(numbers, number) != numbers.end();
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

/// Whether the index or the condition has the two sizes in each other's place the sizes alone do not tell.
words::Message other_row_length(const std::string& array, std::uint64_t wanted,
                                std::uint64_t used) {
  return {Id::index_fix_other_row_length,
          {with("array", array), with("wanted", wanted), with("used", used)}};
}

words::Message row_multiplied(const Place& at, std::uint64_t length) {
  return {Id::index_row_multiplied,
          {with("row", at.row), with("length", length), with("column", at.col)}};
}

words::Message overlap(const Place& one, const Place& other, std::uint64_t length) {
  return rows_overlap(one.row, one.col, other.row, other.col, length);
}

/// The lanes of the finding's warp that come are those which have an element in a matrix of so many rows and columns, where
/// they come to it as the finding's thread does.
bool are_those_of(const Finding& finding, std::size_t way, const Dim3& size, std::uint64_t rows,
                  std::uint64_t cols) {
  const std::uint64_t first = linear(finding.thread, size) / kLanes * kLanes;
  std::uint32_t valid = 0;
  for (std::uint64_t i = first; i < first + kLanes && i < size.count(); ++i) {
    const Dim3 thread{static_cast<std::uint32_t>(i % size.x),
                      static_cast<std::uint32_t>(i / size.x % size.y), 0};
    const Place place = places_of(thread, finding.block, size)[way];
    if (place.row < rows && place.col < cols) valid |= 1u << (i - first);
  }
  return valid == (finding.lanes | finding.other_lanes);
}

/// A matrix' row and column, by the numbers of the launch that its size is a product of.
bool describe_matrix(Finding& finding, const launch::Launch& launch, std::uint64_t element,
                     std::uint64_t count) {
  if (launch.block.y == 1 && launch.grid.y == 1) return false;
  const std::vector<std::uint64_t> lengths = lengths_of(launch);
  const std::vector<Place> places = places_of(finding.thread, finding.block, launch.block);
  const std::string& name = finding.array.name;
  for (std::size_t way = 0; way < places.size(); ++way)
    for (const std::uint64_t pitch : lengths) {
      const Place place = places[way];
      if (place.row == 0 || place.row * pitch + place.col != element) continue;
      if (count % pitch != 0)
        return diagnose(finding, Cause::out_of_bounds_wrong_row_length,
                        {Id::index_fix_row_length, {with("array", name), with("length", pitch)}},
                        {row_multiplied(place, pitch),
                         {Id::index_no_whole_rows, {with("array", name), with("count", count)}}});
      const std::uint64_t rows = count / pitch;
      if (!is_one_of(lengths, rows)) continue;
      // where the matrix is not square, either number may be its row's length
      const bool square = rows == pitch;
      if (!square && are_those_of(finding, way, launch.block, pitch, rows))
        return diagnose(finding, Cause::out_of_bounds_wrong_row_length,
                        other_row_length(name, rows, pitch), {row_multiplied(place, pitch)});
      if (place.row < rows && place.col < pitch) continue;
      diagnose(finding, Cause::none,
               {Id::index_fix_row_and_column,
                {with("line", finding.where), with("array", name), with("rows", rows),
                 with("columns", pitch)}},
               {{Id::index_row_and_column,
                 {with("array", name), with("row", place.row), with("column", place.col)}}});
      if (square)
        finding.evidence.push_back(
            {Id::index_square, {with("array", name), with("rows", rows), with("last", rows - 1)}});
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
bool describe_index_of_longer(Finding& finding, const launch::Launch& launch,
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
      return diagnose(
          finding, Cause::out_of_bounds_other_array,
          {Id::index_fix_own_number, {with("array", finding.array.name), with("own", own)}},
          {{factor == 1 ? Id::index_plus
            : term == 0 ? Id::index_times
                        : Id::index_times_plus,
            {with("line", finding.where), with("own", own), with("factor", factor),
             with("term", term), with("other", other.name)}}});
    }
  return false;
}

/// (own + term) * factor, where the array's length is that of own * factor + term.
bool describe_sum_multiplied(Finding& finding, const launch::Launch& launch, std::uint64_t element,
                             std::uint64_t count, std::uint64_t own) {
  const std::vector<std::uint64_t> factors = numbers_of(launch, 2), numbers = numbers_of(launch, 1);
  for (const std::uint64_t factor : factors)
    for (const std::uint64_t term : numbers)
      for (const std::uint64_t length : numbers) {
        if (own >= length || count != term + (length - 1) * factor + 1 ||
            element != (own + term) * factor)
          continue;
        return diagnose(finding, Cause::out_of_bounds_wrong_index,
                        {Id::index_fix_multiply_first,
                         {with("own", own), with("factor", factor), with("term", term),
                          with("wanted", own * factor + term)}},
                        {{Id::index_sum_times,
                          {with("line", finding.where), with("own", own), with("term", term),
                           with("factor", factor), with("element", element)}}});
      }
  return false;
}

/// own * length + part, where the launch has `length` threads with an element, and the array so many times a number that the
/// launch is not given: each thread has `parts` elements, side by side or `length` apart.
bool describe_other_factor(Finding& finding, const launch::Launch& launch, std::uint64_t element,
                           std::uint64_t count, std::uint64_t own) {
  const std::vector<std::uint64_t> numbers = lengths_of(launch);
  for (const std::uint64_t length : numbers) {
    const std::uint64_t parts = count / length;
    if (count % length != 0 || parts < 2 || own < parts || own >= length ||
        is_one_of(numbers, parts) || element < own * length || element - own * length >= parts)
      continue;
    const std::uint64_t part = element - own * length;
    const std::string& name = finding.array.name;
    return diagnose(finding, Cause::out_of_bounds_wrong_index,
                    {Id::index_fix_other_factor,
                     {with("array", name), with("own", own), with("length", length),
                      with("part", part), with("parts", parts)}},
                    {{Id::index_own_times,
                      {with("line", finding.where), with("own", own), with("length", length),
                       with("part", part), with("element", element)}},
                     {Id::index_parts,
                      {with("array", name), with("count", count), with("parts", parts),
                       with("length", length)}}});
  }
  return false;
}

bool describe_global(Finding& finding, const launch::Launch& launch,
                     const std::vector<simt::Memory::Place>& arrays, const IndexFacts& facts) {
  const auto element = element_of(finding);
  const std::uint64_t count = element ? finding.array.bytes / finding.access_bytes : 0;
  if (!element || *element < count) return false;
  const words::Parameter array = with("array", finding.array.name),
                         line = with("line", finding.where);
  if (facts.from_memory) {
    diagnose(finding, Cause::none, {Id::index_fix_values_read, {array, line}},
             {{Id::index_from_memory, {with("index", *element)}}});
    if (count != 0) finding.evidence.push_back({Id::index_last, {array, with("last", count - 1)}});
    return true;
  }
  const bool several = !std::has_single_bit(finding.lanes);
  if (count == 0 && several && is_one_of(numbers_of(launch, 0), 0))
    return diagnose(finding, Cause::out_of_bounds_tail, {Id::index_fix_no_elements, {array}},
                    {{Id::index_no_elements, {array}}});
  if (describe_matrix(finding, launch, *element, count)) return true;
  if (launch.block.y != 1 || launch.grid.y != 1) return false;
  const std::uint64_t own = of_grid(finding.thread, finding.block, launch.block).col,
                      threads = std::uint64_t{launch.grid.x} * launch.block.x;
  if (*element >= own && (*element - own) % threads == 0) {
    const bool is_last_lane = finding.lanes == 1u << (kLanes - 1);
    if (*element == count && count != 0 && !several && !is_last_lane)
      return diagnose(finding, Cause::out_of_bounds_one_past,
                      {Id::index_fix_one_sooner, {with("last", count - 1)}});
    if (!several || (*element != own && !facts.in_loop)) return false;
    if (*element == own && facts.barrier.line != 0)
      return diagnose(
          finding, Cause::none,
          {Id::index_fix_compare_before_barrier, {array, line, with("barrier", facts.barrier)}});
    return diagnose(
        finding, Cause::none,
        {*element == own ? Id::index_fix_compare : Id::index_fix_compare_in_loop, {array, line}});
  }
  if (describe_sum_multiplied(finding, launch, *element, count, own) ||
      describe_other_factor(finding, launch, *element, count, own))
    return true;
  if (!several && finding.access != launch::Access::read && *element == finding.block.x)
    return diagnose(
        finding, Cause::out_of_bounds_wrong_index, {Id::index_fix_block_number, {array, line}},
        {{Id::index_is_block_number,
          {array, with("count", count), with("blocks", std::uint64_t{launch.grid.x})}}});
  const simt::Memory::Place* other = longer_one(finding, arrays);
  if (other == nullptr || *element * finding.access_bytes >= other->size) return false;
  const words::Parameter longer = with("other", other->name);
  return describe_index_of_longer(finding, launch, *other, *element, own) ||
         diagnose(finding, Cause::out_of_bounds_other_array,
                  {Id::index_fix_swapped_arrays, {array, longer, line}},
                  {{Id::index_other_is_longer, {longer}}});
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

void describe_shared(Finding& finding, const launch::Launch& launch) {
  const auto element = element_of(finding);
  const std::uint64_t count = element ? finding.array.bytes / finding.access_bytes : 0;
  if (!element || *element < count || !counts_blocks(finding, launch, *element, count)) return;
  diagnose(finding, Cause::out_of_bounds_block_index_in_shared,
           {Id::index_fix_block_part, {with("array", finding.array.name)}},
           {{Id::index_array_of_each_block, {with("array", finding.array.name)}}});
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

/// The two threads' numbers are the same in so few bits: the index wraps around.
bool describe_narrow_index(Finding& finding, const launch::Launch& launch, int bits) {
  if (bits == 0) return false;
  const Place one = of_grid(finding.other_thread, finding.other_block, launch.block),
              other = of_grid(finding.thread, finding.block, launch.block);
  const std::uint64_t several = std::uint64_t{1} << bits;
  if (one.row % several != other.row % several || one.col % several != other.col % several)
    return false;
  const bool by_column = one.col != other.col;
  const std::uint64_t first = by_column ? one.col : one.row,
                      second = by_column ? other.col : other.row;
  if (first == second) return false;
  return diagnose(finding, finding.cause, {Id::index_fix_wider_type, {with("line", finding.where)}},
                  {{Id::index_wraps_around,
                    {with("one", first),
                     with("other", second),
                     {"bits", std::int64_t{bits}},
                     with("last", several - 1)}}});
}

void describe_rows(Finding& finding, const launch::Launch& launch) {
  const auto element = element_of(finding);
  if (!element || (launch.block.y == 1 && launch.grid.y == 1)) return;
  const std::vector<Place> ones =
                               places_of(finding.other_thread, finding.other_block, launch.block),
                           others = places_of(finding.thread, finding.block, launch.block);
  const std::vector<std::uint64_t> lengths = lengths_of(launch);
  const std::string& name = finding.array.name;
  const std::uint64_t count = finding.array.bytes / finding.access_bytes;
  for (std::size_t way = 0; way < ones.size(); ++way)
    for (const std::uint64_t pitch : lengths) {
      const Place &one = ones[way], &other = others[way];
      if (one.row == other.row || one.row * pitch + one.col != *element ||
          other.row * pitch + other.col != *element)
        continue;
      const std::uint64_t length = count % pitch == 0 ? count / pitch : 0;
      const bool is_longer = length > std::max(one.col, other.col) && is_one_of(lengths, length);
      const Place &low = one.row < other.row ? one : other,
                  &high = one.row < other.row ? other : one;
      diagnose(finding, Cause::race_rows_overlap,
               is_longer
                   ? other_row_length(name, length, pitch)
                   : words::Message{Id::index_fix_row_length_and_column, {with("array", name)}},
               {overlap(low, high, pitch)});
      return;
    }
  if (const auto pitch = pitch_of(ones[0], others[0], *element))
    diagnose(finding, Cause::race_rows_overlap,
             {*pitch == launch.block.x ? Id::index_fix_row_length_block : Id::index_fix_row_length,
              {with("array", name), with("length", *pitch)}},
             {overlap(ones[0], others[0], *pitch)});
}

}  // namespace

std::vector<std::uint64_t> numbers_of(const launch::Launch& launch, std::uint64_t least) {
  std::vector<std::uint64_t> numbers;
  for (const launch::Argument& argument : launch.arguments) {
    const auto* bytes = std::get_if<std::vector<std::byte>>(&argument);
    std::int32_t value = 0;
    if (bytes == nullptr || bytes->size() != sizeof value) continue;
    std::memcpy(&value, bytes->data(), sizeof value);
    const auto number = static_cast<std::uint64_t>(std::max(value, 0));
    if (number >= least && !is_one_of(numbers, number)) numbers.push_back(number);
  }
  return numbers;
}

bool diagnose(Finding& finding, Cause cause, words::Message fix,
              std::vector<words::Message> evidence) {
  finding.cause = cause;
  std::ranges::move(evidence, std::back_inserter(finding.evidence));
  finding.fix = std::move(fix);
  return true;
}

words::Message rows_overlap(std::uint64_t row, std::uint64_t column, std::uint64_t other_row,
                            std::uint64_t other_column, std::uint64_t length) {
  return {Id::index_rows_overlap,
          {with("row", row), with("column", column), with("other_row", other_row),
           with("other_column", other_column), with("length", length)}};
}

void forget_index(Finding& finding) {
  std::erase_if(finding.evidence, [](const words::Message& message) {
    return message.id >= Id::index_row_multiplied && message.id <= Id::index_wraps_around;
  });
}

void describe_index(Finding& finding, const launch::Launch& launch,
                    const std::vector<simt::Memory::Place>& arrays, const IndexFacts& facts) {
  using launch::FindingKind;
  if (finding.kind == FindingKind::out_of_bounds && !finding.fix) {
    if (finding.space == "global") describe_global(finding, launch, arrays, facts);
    if (finding.space == "shared") describe_shared(finding, launch);
  }
  const bool both_store = finding.kind == FindingKind::race && finding.space == "global" &&
                          finding.where.line == finding.other.line && finding.hazard == "WAW";
  if (both_store && !describe_narrow_index(finding, launch, facts.bits))
    describe_rows(finding, launch);
}

}  // namespace labkit::observe
