#include "explain/finding_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

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
  return where.line == 0 ? "a line that is not known" : fmt::format("line {}", where.line);
}

/// With the line of a function of the student's own that was brought in there.
std::string where_of(const Finding& finding) {
  return line_of(finding.where) +
         (finding.where_inside.line == 0
              ? ""
              : fmt::format(" (in what it calls, line {})", finding.where_inside.line));
}

/// "(1,0,0) of block (2,0,0)"
std::string who(const Dim3& thread, const Dim3& block, bool names_block) {
  return triple(thread) + (names_block ? " of block " + triple(block) : "");
}

/// Without its block nobody can reckon after it which element the thread means.
std::string who(const Finding& finding) {
  return who(finding.thread, finding.block, finding.block != Dim3{0, 0, 0});
}

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

/// Null if it has none of that id.
const words::Message* evidence_of(const Finding& finding, Id id) {
  const auto at = std::ranges::find(finding.evidence, id, &words::Message::id);
  return at == finding.evidence.end() ? nullptr : &*at;
}

WarpAtLine warp_of(const Dim3& thread, const launch::SourceLine& where, const Dim3& block,
                   std::string deed) {
  const std::uint32_t number = thread.x + block.x * (thread.y + block.y * thread.z);
  return {.warp = number / kLanesOfWarp,
          .where = where,
          .deed = std::move(deed),
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
  return finding.space == "shared" ? fmt::format("element {} of {}", index, finding.array.name)
                                   : fmt::format("{}[{}]", finding.array.name, index);
}

/// "b[32]", "tile[3][16]", "element 33 of tile", "bytes 512 to 527 of b"; "" where the array is not known.
std::string place_of(const Finding& finding) {
  const std::string& array = finding.array.name;
  if (array.empty()) return {};
  const auto offset = static_cast<std::int64_t>(finding.address - finding.array.begin);
  const auto bytes = static_cast<std::int64_t>(finding.access_bytes);
  if (bytes == 0) return fmt::format("byte {} of {}", offset, array);
  const launch::Declaration& declared = finding.declared;
  if (const std::int64_t each = declared.element_bytes; each != 0 && offset >= 0) {
    const auto first = static_cast<std::uint64_t>(offset / each);
    if (bytes == each && offset % each == 0)
      return element(finding, static_cast<std::int64_t>(first));
    if (bytes > each && bytes % each == 0 && offset % each == 0)
      return fmt::format(
          "{} to {}", declared.element(array, first),
          declared.element(array, first + static_cast<std::uint64_t>(bytes / each) - 1));
    if (bytes < each)
      return fmt::format("bytes {} to {} of {}", offset % each, offset % each + bytes - 1,
                         declared.element(array, first));
  }
  if (bytes > 0 && bytes <= kMostElementBytes && offset % bytes == 0)
    return element(finding, offset / bytes);
  return fmt::format("bytes {} to {} of {}", offset, offset + bytes - 1, array);
}

std::string deed_of(launch::Access access) {
  constexpr const char* kDeedOf[] = {"touches", "reads", "writes", "changes"};
  return kDeedOf[static_cast<std::size_t>(access)];
}

FindingPicture race(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const std::string deeds[] = {deed_of(finding.other_access), deed_of(finding.access)};
  picture.warps = {warp_of(finding.other_thread, finding.other, block, deeds[0]),
                   warp_of(finding.thread, finding.where, block, deeds[1])};
  picture.place = place_of(finding);
  const bool blocks = finding.block != finding.other_block;
  const std::string first = who(finding.other_thread, finding.other_block, blocks),
                    second = who(finding.thread, finding.block, blocks);
  const std::string place = picture.place.empty() ? "an address" : picture.place;
  const std::string at = line_of(finding.where), other_at = line_of(finding.other);
  const std::string in_block = blocks || finding.block == Dim3{0, 0, 0}
                                   ? std::string{}
                                   : ", in block " + triple(finding.block);
  const std::string one_and_other =
      fmt::format("Thread {} {} {} at {}, thread {} {} it at {}", first, deeds[0], place, other_at,
                  second, deeds[1], at);
  const std::string both_write = fmt::format("Thread {} and thread {} both write {} at {}{}", first,
                                             second, place, at, in_block);
  const char* const why = blocks ? "blocks run in any order"
                          : has_evidence(finding, Id::race_next_iteration) ||
                                  finding.cause == Cause::race_no_barrier_in_loop
                              ? "no barrier orders two iterations of the loop"
                              : "nothing orders these two accesses";
  if (finding.cause == Cause::race_copy_not_awaited)
    picture.headline =
        fmt::format("Thread {} {} {} at {}, while the copy of {} is still under way.", second,
                    deeds[1], place, at, other_at);
  else if (finding.cause == Cause::race_missing_fence)
    picture.headline =
        one_and_other + ": a lock or flag is between them, but no fence that holds for both.";
  else if (has_evidence(finding, Id::race_update_lost))
    picture.headline =
        fmt::format("Threads {} and {} both change {} at {}: one of the two changes is lost.",
                    first, second, place, at);
  else if (const auto* overlap = evidence_of(finding, Id::index_rows_overlap))
    picture.headline = both_write + ". " + words::render(*overlap);
  else if (deeds[0] == "writes" && deeds[1] == "writes" &&
           finding.where.line == finding.other.line && finding.where.line != 0)
    picture.headline = fmt::format("{}: {}.", both_write, why);
  else
    picture.headline = fmt::format("{}{}: {}.", one_and_other, in_block, why);
  return picture;
}

/// "byte 20 of in, which is no multiple of 16"
std::string misaligned_place(const Finding& finding) {
  const std::uint64_t wanted = finding.access_bytes, begin = finding.array.begin;
  const std::string& array = finding.array.name;
  const bool in_array = !array.empty() && wanted != 0;
  if (in_array && begin % wanted == 0)
    return fmt::format("byte {} of {}, which is no multiple of {}", finding.address - begin, array,
                       wanted);
  return fmt::format(
      "address 0x{:x}, which is no multiple of {}{}", finding.address, wanted,
      in_array ? fmt::format(" ({} itself does not begin at a multiple of {})", array, wanted)
               : "");
}

/// What says that the place is outside: "the last element is b[31]".
std::string end_of_array(const Finding& finding, const FindingPicture& picture) {
  const std::uint64_t has = finding.array.bytes, bytes = finding.access_bytes;
  if (picture.before_array) return fmt::format("{} begins later", picture.array);
  if (has == 0) return fmt::format("{} has no element", picture.array);
  if (picture.last_element.empty())
    return fmt::format("{} has {} bytes", picture.array, number(static_cast<double>(has)));
  if (finding.declared.element_bytes == bytes && has != bytes)
    return fmt::format("its last element is {}", picture.last_element);
  if (finding.space != "shared") return fmt::format("the last element is {}", picture.last_element);
  return fmt::format("{} has {} element{}", picture.array, number(static_cast<double>(has / bytes)),
                     has == bytes ? "" : "s");
}

FindingPicture outside(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const bool misaligned = finding.kind == FindingKind::misaligned;
  picture.before_array = static_cast<std::int64_t>(finding.address - finding.array.begin) < 0;
  const char* const how = misaligned                   ? "misaligned"
                          : picture.before_array       ? "before the array"
                          : finding.array.name.empty() ? "outside"
                                                       : "past the end";
  picture.warps = {warp_of(finding.thread, finding.where, block, how)};
  WarpAtLine& warp = picture.warps[0];
  if (finding.lanes != 0) warp.at_fault = finding.lanes;
  warp.others = finding.other_lanes;
  picture.place = place_of(finding);
  const std::string deed =
      finding.access == launch::Access::none ? "reads" : deed_of(finding.access);
  const std::string thread = fmt::format("Thread {} {}", who(finding), deed);
  const std::string at = where_of(finding);
  if (misaligned) {
    picture.headline = fmt::format("{} {} bytes at {}, and they begin at {}.", thread,
                                   finding.access_bytes, at, misaligned_place(finding));
  } else if (!picture.place.empty()) {
    picture.array = finding.array.name;
    const std::uint64_t has = finding.array.bytes, bytes = finding.access_bytes;
    if (has != 0 && bytes > 0 && bytes <= kMostElementBytes && has % bytes == 0)
      picture.last_element = element(finding, static_cast<std::int64_t>(has / bytes) - 1);
    picture.headline = fmt::format("{} {} at {}, but {}.", thread, picture.place, at,
                                   end_of_array(finding, picture));
  } else if (finding.cause == Cause::out_of_bounds_null_pointer) {
    picture.headline =
        fmt::format("{} at {} through a pointer that is null, or nearly (address 0x{:x}).", thread,
                    at, finding.address);
  } else {
    picture.headline = fmt::format("{} at {} where there is no array.", thread, at);
  }
  if (std::popcount(finding.lanes) > 1)
    picture.headline +=
        fmt::format(" {} of warp {} are {}.", capital(lanes_text(finding.lanes)), warp.warp, how);
  return picture;
}

FindingPicture unwritten(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  picture.warps = {warp_of(finding.thread, finding.where, block, "reads")};
  const std::string at = where_of(finding);
  if (finding.space.empty()) {  // a shuffle
    picture.warps[0].deed = "asks";
    picture.headline =
        fmt::format("At {} thread {} asks lane {} for its value, but that lane takes no part.", at,
                    triple(finding.thread), finding.address);
    return picture;
  }
  const words::Message* named = evidence_of(finding, Id::undefined_variable_named);
  const auto* name = named ? std::get_if<std::string>(named->find("variable")) : nullptr;
  if (name != nullptr && !name->empty()) {
    picture.place = *name;
    picture.headline = fmt::format("`{}` is used at {}, and nothing has given it a value before.",
                                   picture.place, at);
    return picture;
  }
  picture.place = place_of(finding);
  if (launch::has_evidence(finding, Id::undefined_own_array)) {
    picture.headline = fmt::format(
        "Thread {} reads an element of its own private array at {}, and has not written it{}.",
        who(finding), at,
        finding.cause == Cause::uninitialized_not_shared ? ": each thread has its own private array"
                                                         : "");
    return picture;
  }
  if (picture.place.empty() && finding.space == "local") {
    picture.headline = fmt::format("Thread {} uses a local variable at {} before it has a value.",
                                   who(finding), at);
    return picture;
  }
  const std::string place = !picture.place.empty() ? picture.place : "an address";
  picture.headline = fmt::format(
      "Thread {} reads {} at {} before any thread has written {}.", who(finding), place, at,
      finding.unwritten_from == 0
          ? "it"
          : fmt::format("byte {} of its {}", finding.unwritten_from, finding.access_bytes));
  return picture;
}

FindingPicture barrier(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  picture.warps = {warp_of(finding.thread, finding.where, block, "does not come")};
  WarpAtLine& warp = picture.warps[0];
  const std::string at = line_of(finding.where);
  if ((finding.lanes | finding.other_lanes) == 0 && finding.other.line != 0) {
    warp.deed = "waits";  // two barriers that let each other go
    picture.warps.push_back(warp_of(finding.other_thread, finding.other, block, "waits"));
    picture.headline = fmt::format(
        "Thread {} waits at {} while thread {} waits at {}: they must all come to the same "
        "barrier.",
        triple(finding.thread), at, triple(finding.other_thread),
        finding.other.line == finding.where.line ? "the other barrier of that line"
                                                 : line_of(finding.other));
    return picture;
  }
  if ((finding.lanes | finding.other_lanes) == 0) {
    warp.deed = "at fault";
    // the first says what the sanitizer does
    picture.headline =
        fmt::format("At {}, thread {}: {}", at, triple(finding.thread),
                    finding.evidence.size() > 1 ? words::render(finding.evidence[1])
                                                : "The barrier is not used as it should be.");
    return picture;
  }
  warp.at_fault = finding.other_lanes;
  warp.others = finding.lanes;
  const bool left = finding.cause == Cause::barrier_after_early_return;
  if (left) warp.deed = "has exited";
  const bool one = std::has_single_bit(finding.other_lanes);
  const std::string absent = fmt::format("{} {}", lanes_text(finding.other_lanes),
                                         left  ? one ? "has exited by then" : "have exited by then"
                                         : one ? "never reaches it"
                                               : "never reach it");
  if (finding.other_lanes == 0)
    picture.headline = fmt::format("Warp {} waits at the barrier of {}, but {}.", warp.warp, at,
                                   left ? "threads of other warps have exited by then"
                                        : "other warps of the block never reach it");
  else if (finding.lanes == 0)
    picture.headline =
        fmt::format("Other warps wait at the barrier of {}, but {}: the whole of warp {}.", at,
                    absent, warp.warp);
  else
    picture.headline = fmt::format(
        "{} of warp {} {} {}, but {}.", capital(lanes_text(finding.lanes)), warp.warp,
        std::has_single_bit(finding.lanes) ? "waits" : "wait",
        finding.cause == Cause::barrier_mask ? fmt::format("for all that the mask of {} names", at)
                                             : "at the barrier of " + at,
        absent);
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
    return fmt::format(
        "Only one lane of a warp works at {}: it does alone what all threads should share.", line);
  if (finding.cause == Cause::budget_print)
    return fmt::format("The printf of {} runs too often.", line);
  return finding.evidence.empty() ? std::string{} : words::render(finding.evidence.front());
}

}  // namespace labkit::explain
