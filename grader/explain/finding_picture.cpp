#include "explain/finding_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "base/text.h"
#include "explain/lane_picture.h"
#include "explain/words.h"
#include "words/render.h"

namespace labkit::explain {
namespace {

using launch::Cause;
using launch::Dim3;
using launch::Finding;
using launch::FindingKind;
using words::Id;

constexpr std::uint32_t kLanesOfWarp = 32;
/// More is a vector, whose places are told in bytes.
constexpr std::uint32_t kMostElementBytes = 8;

/// "line 12", or "a line that is not known".
std::string line_of(const launch::SourceLine& where) {
  return where.line == 0 ? words::text(Id::unknown_line)
                         : words::text(Id::one_line, {{"line", std::to_string(where.line)}});
}

/// `inside`: of a function of the student's own that was brought in there.
std::string line_of(const launch::SourceLine& where, const launch::SourceLine& inside) {
  if (inside.line == 0 || inside == where) return line_of(where);
  return words::text(Id::line_inside,
                     {{"line", line_of(where)}, {"inside", std::to_string(inside.line)}});
}
std::string where_of(const Finding& finding) {
  return line_of(finding.where, finding.where_inside);
}

/// "(1,0,0) of block (2,0,0)"
std::string who(const Dim3& thread, const Dim3& block, bool names_block) {
  if (!names_block) return triple(thread);
  return words::text(Id::who_of_block, {{"thread", triple(thread)}, {"block", triple(block)}});
}

/// Without its block nobody can reckon after it which element the thread means.
std::string who(const Finding& finding) {
  return who(finding.thread, finding.block, finding.block != Dim3{0, 0, 0});
}

/// Null if it has none of that id.
const words::Message* evidence_of(const Finding& finding, Id id) {
  const auto at = std::ranges::find(finding.evidence, id, &words::Message::id);
  return at == finding.evidence.end() ? nullptr : &*at;
}

WarpAtLine warp_of(const Dim3& thread, const launch::SourceLine& where, const Dim3& block,
                   Id deed) {
  const std::uint32_t number = thread.x + block.x * (thread.y + block.y * thread.z);
  return {.warp = number / kLanesOfWarp,
          .where = where,
          .deed = words::text(deed),
          .at_fault = 1u << number % kLanesOfWarp};
}

/// Past the end of the last row by a column too many, as the thread's own numbers tell: "tile[31][32]", which lies where
/// tile[32][0] would; "" where it is not so.
std::string past_its_row(const Finding& finding, std::int64_t index) {
  const std::vector<std::uint64_t>& extents = finding.declared.extents;
  if (finding.kind != FindingKind::out_of_bounds || finding.space != "shared" ||
      finding.declared.element_bytes != finding.access_bytes || !finding.declared.members.empty() ||
      extents.size() != 2 || extents[0] < 2 || extents[1] == 0 || index < 0 ||
      static_cast<std::uint64_t>(index) / extents[1] != extents[0])
    return {};
  const std::uint64_t row = extents[0] - 1,
                      col = static_cast<std::uint64_t>(index) % extents[1] + extents[1];
  const auto is_own = [&](std::uint64_t of_row, std::uint64_t of_col) {
    return of_row == row && (of_col == col || of_col + 1 == col);
  };
  if (!is_own(finding.thread.y, finding.thread.x) && !is_own(finding.thread.x, finding.thread.y))
    return {};
  return fmt::format("{}[{}][{}]", finding.array.name, row, col);
}

std::string element(const Finding& finding, std::int64_t index) {
  if (finding.space == "shared" && index == 0 && finding.array.bytes == finding.access_bytes)
    return finding.array.name;  // a variable, no array
  const launch::Declaration& declared = finding.declared;
  if (std::string meant = past_its_row(finding, index); !meant.empty()) return meant;
  if (declared.element_bytes == finding.access_bytes && index >= 0)
    return declared.element(finding.array.name, static_cast<std::uint64_t>(index));
  if (declared.element_bytes == finding.access_bytes && declared.extents.size() == 1)
    return fmt::format("{}[{}]", finding.array.name, index);
  // Where it is not known how a shared array is declared, its elements are counted as they lie.
  return finding.space == "shared"
             ? words::text(Id::place_element,
                           {{"index", std::to_string(index)}, {"array", finding.array.name}})
             : fmt::format("{}[{}]", finding.array.name, index);
}

std::string bytes_of_array(std::int64_t first, std::int64_t last, const std::string& array) {
  return words::text(
      Id::place_bytes,
      {{"first", std::to_string(first)}, {"last", std::to_string(last)}, {"array", array}});
}

std::string byte_of_array(std::int64_t offset, const std::string& array) {
  return words::text(Id::place_byte, {{"offset", std::to_string(offset)}, {"array", array}});
}

/// "b[32]", "tile[3][16]", "element 33 of tile", "bytes 512 to 527 of b"; "" where the array is not known.
std::string place_of(const Finding& finding) {
  const std::string& array = finding.array.name;
  if (array.empty()) return {};
  const auto offset = static_cast<std::int64_t>(finding.address - finding.array.begin);
  const auto bytes = static_cast<std::int64_t>(finding.access_bytes);
  if (bytes == 0) return byte_of_array(offset, array);
  const launch::Declaration& declared = finding.declared;
  if (const std::int64_t each = declared.element_bytes; each != 0 && offset >= 0) {
    const auto first = static_cast<std::uint64_t>(offset / each);
    if (bytes == each && offset % each == 0)
      return element(finding, static_cast<std::int64_t>(first));
    if (bytes > each && bytes % each == 0 && offset % each == 0)
      return words::text(
          Id::place_range,
          {{"first", declared.element(array, first)},
           {"last",
            declared.element(array, first + static_cast<std::uint64_t>(bytes / each) - 1)}});
    if (bytes < each)
      return bytes_of_array(offset % each, offset % each + bytes - 1,
                            declared.element(array, first));
  }
  if (bytes > 0 && bytes <= kMostElementBytes && offset % bytes == 0)
    return element(finding, offset / bytes);
  return bytes_of_array(offset, offset + bytes - 1, array);
}

Id deed_of(launch::Access access) {
  constexpr Id kDeedOf[] = {Id::deed_touches, Id::deed_reads, Id::deed_writes, Id::deed_changes};
  return kDeedOf[static_cast<std::size_t>(access)];
}

FindingPicture race(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const Id deeds[] = {deed_of(finding.other_access), deed_of(finding.access)};
  picture.warps = {warp_of(finding.other_thread, finding.other, block, deeds[0]),
                   warp_of(finding.thread, finding.where, block, deeds[1])};
  picture.place = place_of(finding);
  const bool blocks = finding.block != finding.other_block;
  const auto is_first_row = [](const Dim3& at) { return at.y == 0 && at.z == 0; };
  const bool is_flat = blocks && block.y == 1 && block.z == 1 && is_first_row(finding.block) &&
                       is_first_row(finding.other_block);
  const auto one_of = [&](const Dim3& thread, const Dim3& its_block) {
    return is_flat ? words::text(Id::who_of_block, {{"thread", std::to_string(thread.x)},
                                                    {"block", std::to_string(its_block.x)}})
                   : who(thread, its_block, blocks);
  };
  const std::string first = one_of(finding.other_thread, finding.other_block),
                    second = one_of(finding.thread, finding.block);
  const std::string place = picture.place.empty() ? words::text(Id::place_address) : picture.place;
  const std::string at = where_of(finding), other_at = line_of(finding.other, finding.other_inside);
  const auto in_block = [&](const std::string& accesses) {
    return blocks || finding.block == Dim3{0, 0, 0}
               ? accesses
               : words::text(Id::race_in_block,
                             {{"accesses", accesses}, {"block", triple(finding.block)}});
  };
  const auto headline = [](const std::string& accesses, Id why) {
    return words::text(Id::race_headline, {{"accesses", accesses}, {"why", words::text(why)}});
  };
  const std::string one_and_other =
      words::text(Id::race_accesses, {{"thread", first},
                                      {"deed", words::text(deeds[0])},
                                      {"place", place},
                                      {"line", other_at},
                                      {"other_thread", second},
                                      {"other_deed", words::text(deeds[1])},
                                      {"other_line", at}});
  const std::string both_write = in_block(
      words::text(Id::race_both_write,
                  {{"thread", first}, {"other_thread", second}, {"place", place}, {"line", at}}));
  const Id why = blocks                                            ? Id::race_why_blocks
                 : has_evidence(finding, Id::race_next_iteration)  ? Id::race_why_iterations
                 : finding.cause == Cause::race_no_barrier_in_loop ? Id::race_why_loop
                                                                   : Id::race_why_nothing;
  if (finding.cause == Cause::race_copy_not_awaited ||
      finding.cause == Cause::race_copy_not_committed)
    picture.headline = words::text(Id::race_of_copy, {{"thread", second},
                                                      {"deed", words::text(deeds[1])},
                                                      {"place", place},
                                                      {"line", at},
                                                      {"other_line", other_at}});
  else if (finding.cause == Cause::race_missing_fence)
    picture.headline = headline(one_and_other, Id::race_why_fence);
  else if (has_evidence(finding, Id::race_update_lost))
    picture.headline =
        words::text(Id::race_change_lost,
                    {{"thread", first}, {"other_thread", second}, {"place", place}, {"line", at}});
  else if (const auto* overlap = evidence_of(finding, Id::index_rows_overlap))
    picture.headline = words::text(
        Id::race_overlap, {{"accesses", both_write}, {"overlap", words::render(*overlap)}});
  else if (deeds[0] == Id::deed_writes && deeds[1] == Id::deed_writes &&
           finding.where.line == finding.other.line && finding.where.line != 0)
    picture.headline = headline(both_write, why);
  else
    picture.headline = headline(in_block(one_and_other), why);
  return picture;
}

/// "byte 20 of in, which is no multiple of 16"
std::string misaligned_place(const Finding& finding) {
  const std::uint64_t wanted = finding.access_bytes, begin = finding.array.begin;
  const std::string& array = finding.array.name;
  const bool in_array = !array.empty() && wanted != 0;
  const std::string multiple = std::to_string(wanted);
  if (in_array && begin % wanted == 0)
    return words::text(Id::misaligned_offset, {{"offset", std::to_string(finding.address - begin)},
                                               {"array", array},
                                               {"multiple", multiple}});
  const std::string place =
      words::text(Id::misaligned_address,
                  {{"address", fmt::format("0x{:x}", finding.address)}, {"multiple", multiple}});
  if (!in_array) return place;
  return words::text(Id::misaligned_array,
                     {{"place", place}, {"array", array}, {"multiple", multiple}});
}

/// What says that the place is outside: "the last element is b[31]".
std::string end_of_array(const Finding& finding, const FindingPicture& picture) {
  const std::uint64_t has = finding.array.bytes, bytes = finding.access_bytes;
  if (picture.before_array) return words::text(Id::end_begins_later, {{"array", picture.array}});
  if (has == 0) return words::text(Id::end_no_element, {{"array", picture.array}});
  if (picture.last_element.empty())
    return words::text(Id::end_bytes,
                       {{"array", picture.array}, {"bytes", number(static_cast<double>(has))}});
  if (finding.declared.element_bytes == bytes && has != bytes)
    return words::text(Id::end_its_last, {{"element", picture.last_element}});
  if (finding.space != "shared")
    return words::text(Id::end_the_last, {{"element", picture.last_element}});
  return words::text(Id::end_elements, {{"array", picture.array},
                                        {"count", number(static_cast<double>(has / bytes))}});
}

/// That too little was allocated; null: it is not known.
const words::Message* small_allocation_of(const Finding& finding) {
  if (finding.cause != Cause::out_of_bounds_small_allocation) return nullptr;
  for (const Id id : {Id::program_no_sizeof, Id::program_small_sizeof, Id::program_sizeof_pointer})
    if (const auto* message = evidence_of(finding, id)) return message;
  return nullptr;
}

FindingPicture outside(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const bool misaligned = finding.kind == FindingKind::misaligned;
  picture.before_array = static_cast<std::int64_t>(finding.address - finding.array.begin) < 0;
  const bool is_no_memory = finding.cause == Cause::out_of_bounds_freed ||
                            finding.cause == Cause::out_of_bounds_host_pointer;
  const auto* small = small_allocation_of(finding);
  const Id how = misaligned                                   ? Id::deed_misaligned
                 : picture.before_array                       ? Id::deed_before_array
                 : finding.array.name.empty() || is_no_memory ? Id::deed_outside
                                                              : Id::deed_past_end;
  picture.warps = {warp_of(finding.thread, finding.where, block, how)};
  WarpAtLine& warp = picture.warps[0];
  if (finding.lanes != 0) warp.at_fault = finding.lanes;
  warp.others = finding.other_lanes;
  picture.place = place_of(finding);
  const std::string deed = words::text(
      finding.access == launch::Access::none ? Id::deed_reads : deed_of(finding.access));
  const std::string thread = who(finding), at = where_of(finding);
  if (misaligned) {
    picture.headline =
        words::text(Id::outside_misaligned, {{"thread", thread},
                                             {"deed", deed},
                                             {"bytes", std::to_string(finding.access_bytes)},
                                             {"line", at},
                                             {"place", misaligned_place(finding)}});
  } else if (small != nullptr) {
    picture.headline = words::render(*small);
  } else if (is_no_memory) {
    picture.headline = words::text(
        finding.cause == Cause::out_of_bounds_freed ? Id::outside_freed : Id::outside_host,
        {{"thread", thread},
         {"deed", deed},
         {"place", picture.place.empty() ? words::text(Id::place_address) : picture.place},
         {"line", at}});
  } else if (!picture.place.empty()) {
    picture.array = finding.array.name;
    const std::uint64_t has = finding.array.bytes, bytes = finding.access_bytes;
    if (has != 0 && bytes > 0 && bytes <= kMostElementBytes && has % bytes == 0)
      picture.last_element = element(finding, static_cast<std::int64_t>(has / bytes) - 1);
    picture.headline = words::text(Id::outside_array, {{"thread", thread},
                                                       {"deed", deed},
                                                       {"place", picture.place},
                                                       {"line", at},
                                                       {"end", end_of_array(finding, picture)}});
  } else if (finding.cause == Cause::out_of_bounds_null_pointer) {
    picture.headline =
        words::text(Id::outside_null, {{"thread", thread},
                                       {"deed", deed},
                                       {"line", at},
                                       {"address", fmt::format("0x{:x}", finding.address)}});
  } else {
    picture.headline =
        words::text(Id::outside_everything, {{"thread", thread}, {"deed", deed}, {"line", at}});
  }
  // a list of many that are not side by side says less than their number
  constexpr int kMostListed = 4;
  const int span = 32 - std::countl_zero(finding.lanes) - std::countr_zero(finding.lanes);
  const bool is_listed =
      std::popcount(finding.lanes) > kMostListed && std::popcount(finding.lanes) < span;
  if (std::popcount(finding.lanes) > 1 && small == nullptr)
    picture.headline = words::beside(
        picture.headline, words::text(is_listed ? Id::outside_lane_count : Id::outside_lanes,
                                      {{is_listed ? "count" : "lanes",
                                        is_listed ? std::to_string(std::popcount(finding.lanes))
                                                  : capitalised(lanes_text(finding.lanes))},
                                       {"warp", std::to_string(warp.warp)},
                                       {"how", words::text(how)}}));
  return picture;
}

FindingPicture unwritten(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const bool is_shuffle = finding.space.empty();
  picture.warps = {
      warp_of(finding.thread, finding.where, block, is_shuffle ? Id::deed_asks : Id::deed_reads)};
  const std::string at = where_of(finding);
  if (is_shuffle) {
    picture.headline =
        words::text(Id::unwritten_shuffle, {{"line", at},
                                            {"thread", triple(finding.thread)},
                                            {"lane", std::to_string(finding.address)}});
    return picture;
  }
  const words::Message* named = evidence_of(finding, Id::undefined_variable_named);
  const auto* name = named ? std::get_if<std::string>(named->find("variable")) : nullptr;
  if (name != nullptr && !name->empty()) {
    picture.place = *name;
    picture.headline =
        words::text(Id::unwritten_variable, {{"variable", picture.place}, {"line", at}});
    return picture;
  }
  const std::string thread = who(finding);
  picture.place = place_of(finding);
  if (launch::has_evidence(finding, Id::undefined_own_array)) {
    picture.headline =
        words::text(finding.cause == Cause::uninitialized_not_shared ? Id::unwritten_not_shared
                                                                     : Id::unwritten_own_array,
                    {{"thread", thread}, {"line", at}});
    return picture;
  }
  if (picture.place.empty() && finding.space == "local") {
    picture.headline = words::text(Id::unwritten_local, {{"thread", thread}, {"line", at}});
    return picture;
  }
  const std::string place = !picture.place.empty() ? picture.place : words::text(Id::place_address);
  picture.headline =
      finding.unwritten_from == 0
          ? words::text(Id::unwritten_element, {{"thread", thread}, {"place", place}, {"line", at}})
          : words::text(Id::unwritten_byte, {{"thread", thread},
                                             {"place", place},
                                             {"line", at},
                                             {"byte", std::to_string(finding.unwritten_from)},
                                             {"bytes", std::to_string(finding.access_bytes)}});
  return picture;
}

FindingPicture barrier(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const bool is_of_two = (finding.lanes | finding.other_lanes) == 0;
  const bool left = finding.cause == Cause::barrier_after_early_return;
  picture.warps = {warp_of(finding.thread, finding.where, block,
                           is_of_two ? finding.other.line != 0 ? Id::deed_waits : Id::deed_at_fault
                           : left    ? Id::deed_has_exited
                                     : Id::deed_does_not_come)};
  const std::string at = line_of(finding.where), thread = triple(finding.thread);
  if (is_of_two && finding.other.line != 0) {  // two barriers that let each other go
    picture.warps.push_back(warp_of(finding.other_thread, finding.other, block, Id::deed_waits));
    picture.headline =
        words::text(Id::barrier_two, {{"thread", thread},
                                      {"line", at},
                                      {"other_thread", triple(finding.other_thread)},
                                      {"other_line", finding.other.line == finding.where.line
                                                         ? words::text(Id::barrier_other_of_line)
                                                         : line_of(finding.other)}});
    return picture;
  }
  if (is_of_two) {
    // the last one says it; what is before it are the sanitizer's words
    picture.headline =
        words::text(Id::barrier_misused,
                    {{"line", at},
                     {"thread", thread},
                     {"why", finding.evidence.empty() ? words::text(Id::barrier_not_as_meant)
                                                      : words::render(finding.evidence.back())}});
    return picture;
  }
  WarpAtLine& warp = picture.warps[0];
  warp.at_fault = finding.other_lanes;
  warp.others = finding.lanes;
  const auto count_of = [](std::uint32_t lanes) { return std::to_string(std::popcount(lanes)); };
  const std::string absent = words::text(
      left ? Id::lanes_exited : Id::lanes_never_reach,
      {{"lanes", lanes_text(finding.other_lanes)}, {"count", count_of(finding.other_lanes)}});
  const std::string number = std::to_string(warp.warp);
  if (finding.other_lanes == 0)
    picture.headline = words::text(left ? Id::barrier_warps_exited : Id::barrier_warps_absent,
                                   {{"warp", number}, {"line", at}});
  else if (finding.lanes == 0)
    picture.headline =
        words::text(Id::barrier_whole_warp, {{"line", at}, {"absent", absent}, {"warp", number}});
  else
    picture.headline =
        words::text(finding.cause == Cause::barrier_mask ? Id::barrier_lanes_wait_for_mask
                                                         : Id::barrier_lanes_wait,
                    {{"lanes", capitalised(lanes_text(finding.lanes))},
                     {"count", count_of(finding.lanes)},
                     {"warp", number},
                     {"line", at},
                     {"absent", absent}});
  return picture;
}

}  // namespace

std::optional<FindingPicture> picture_of(const launch::Finding& finding,
                                         const launch::Dim3& block) {
  if (finding.where.line == 0) return std::nullopt;  // of a GPU's words, which name no thread
  FindingPicture picture;
  switch (finding.kind) {
    case FindingKind::race:
      picture = race(finding, block);
      break;
    case FindingKind::out_of_bounds:
    case FindingKind::misaligned:
      // of a GPU, which says neither who nor where
      if (finding.lanes == 0 && finding.array.name.empty()) return std::nullopt;
      picture = outside(finding, block);
      break;
    case FindingKind::uninitialized:
      picture = unwritten(finding, block);
      break;
    case FindingKind::barrier:
      picture = barrier(finding, block);
      break;
    default:
      return std::nullopt;
  }
  picture.kind = finding.kind;
  return picture;
}

std::string finding_in_words(const launch::Finding& finding, const launch::Dim3& block) {
  if (const auto picture = picture_of(finding, block)) return picture->headline;
  if (finding.kind != FindingKind::budget || finding.where.line == 0) return {};
  if (const auto* repeated = evidence_of(finding, Id::race_repeated_work))
    return words::render(*repeated);
  const std::string line = line_of(finding.where);
  if (finding.cause == Cause::budget_one_lane)
    return words::text(Id::budget_only_one_lane, {{"line", line}});
  if (finding.cause == Cause::budget_print) return words::text(Id::budget_printf, {{"line", line}});
  return finding.evidence.empty() ? std::string{} : words::render(finding.evidence.front());
}

}  // namespace labkit::explain
