#include "explain/finding_picture.h"

#include <fmt/format.h>

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
constexpr std::uint32_t kMostElementBytes =
    8;  ///< more is a vector, whose places are told in bytes

std::uint32_t linear(const Dim3& thread, const Dim3& block) {
  return thread.x + block.x * (thread.y + block.y * thread.z);
}

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

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

WarpAtLine warp_of(const Dim3& thread, const Dim3& in_block, const launch::SourceLine& where,
                   const Dim3& block, std::string deed) {
  const std::uint32_t number = linear(thread, block);
  return {.warp = number / kLanesOfWarp,
          .block = in_block,
          .where = where,
          .deed = std::move(deed),
          .at_fault = 1u << number % kLanesOfWarp,
          .others = 0,
          .deed_of_others = {}};
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

const char* deed_of(launch::Access access) {
  switch (access) {
    case launch::Access::read:
      return "reads";
    case launch::Access::write:
      return "writes";
    case launch::Access::atomic:
      return "changes";
    case launch::Access::none:
      break;
  }
  return "touches";
}

FindingPicture race(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const std::string deeds[] = {deed_of(finding.other_access), deed_of(finding.access)};
  picture.warps = {
      warp_of(finding.other_thread, finding.other_block, finding.other, block, deeds[0]),
      warp_of(finding.thread, finding.block, finding.where, block, deeds[1])};
  picture.place = place_of(finding);
  const bool blocks = !(finding.block == finding.other_block);
  const auto who = [&](const Dim3& thread, const Dim3& in_block) {
    return "thread " + triple(thread) + (blocks ? " of block " + triple(in_block) : "");
  };
  const std::string place = picture.place.empty() ? "an address" : picture.place;
  std::string rows;  // which two places of a matrix are one
  for (const words::Message& message : finding.evidence)
    if (message.id == Id::index_rows_overlap) rows = words::render(message);
  const std::string why = blocks ? "blocks run in any order"
                          : has_evidence(finding, Id::race_next_iteration) ||
                                  finding.cause == launch::Cause::race_no_barrier_in_loop
                              ? "no barrier orders two iterations of the loop"
                              : "nothing orders these two accesses";
  const std::string in_block = blocks || finding.block == Dim3{0, 0, 0}
                                   ? std::string{}
                                   : ", in block " + triple(finding.block);
  const std::string first = who(finding.other_thread, finding.other_block),
                    second = who(finding.thread, finding.block);
  const bool both_write = deeds[0] == "writes" && deeds[1] == "writes" &&
                          finding.where.line == finding.other.line && finding.where.line != 0;
  picture.headline =
      both_write ? capital(fmt::format("{} and {} both write {} at {}{}: {}.", first, second, place,
                                       line_of(finding.where), in_block, why))
                 : capital(fmt::format("{} {} {} at {}, {} {} it at {}{}: {}.", first, deeds[0],
                                       place, line_of(finding.other), second, deeds[1],
                                       line_of(finding.where), in_block, why));
  if (!rows.empty())
    picture.headline = capital(fmt::format("{} and {} both write {} at {}{}. {}", first, second,
                                           place, line_of(finding.where), in_block, rows));
  if (has_evidence(finding, Id::race_update_lost))
    picture.headline = fmt::format(
        "Threads {}{} and {}{} both change {} at {}: one of the two changes is lost.",
        triple(finding.other_thread), blocks ? " of block " + triple(finding.other_block) : "",
        triple(finding.thread), blocks ? " of block " + triple(finding.block) : "", place,
        line_of(finding.where));
  if (finding.cause == launch::Cause::race_missing_fence)
    picture.headline = capital(fmt::format(
        "{} {} {} at {}, {} {} it at {}: a lock or flag is between them, but no fence that holds "
        "for "
        "both.",
        who(finding.other_thread, finding.other_block), deeds[0], place, line_of(finding.other),
        who(finding.thread, finding.block), deeds[1], line_of(finding.where)));
  if (finding.cause == launch::Cause::race_copy_not_awaited)
    picture.headline =
        capital(fmt::format("{} {} {} at {}, while the copy of {} is still under way.",
                            who(finding.thread, finding.block), deeds[1], place,
                            line_of(finding.where), line_of(finding.other)));
  return picture;
}

const char* verb_of(const Finding& finding) {
  switch (finding.access) {
    case launch::Access::write:
      return "writes";
    case launch::Access::atomic:
      return "changes";
    default:
      return "reads";
  }
}

FindingPicture outside(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  const bool misaligned = finding.kind == FindingKind::misaligned;
  const std::string verb = verb_of(finding);
  picture.before_array = static_cast<std::int64_t>(finding.address - finding.array.begin) < 0;
  const char* const how = misaligned                   ? "misaligned"
                          : picture.before_array       ? "before the array"
                          : finding.array.name.empty() ? "outside"
                                                       : "past the end";
  picture.warps = {warp_of(finding.thread, finding.block, finding.where, block, how)};
  WarpAtLine& warp = picture.warps[0];
  if (finding.lanes != 0) warp.at_fault = finding.lanes;
  warp.others = finding.other_lanes;
  warp.deed_of_others = misaligned ? "aligned" : "inside";
  picture.place = place_of(finding);
  // without its block nobody can reckon after it which element the thread means
  const std::string thread =
      "thread " + triple(finding.thread) +
      (finding.block == Dim3{0, 0, 0} ? "" : " of block " + triple(finding.block));
  std::string lanes;
  if (!std::has_single_bit(finding.lanes) && finding.lanes != 0) {
    lanes = fmt::format(" {} of warp {} are {}.", lanes_text(finding.lanes), warp.warp, how);
    lanes[1] = 'L';
  }
  if (misaligned) {
    const std::uint64_t wanted = finding.access_bytes;
    const std::uint64_t begin = finding.array.begin;
    std::string from =
        fmt::format("address 0x{:x}, which is no multiple of {}", finding.address, wanted);
    if (!finding.array.name.empty() && wanted != 0)
      from = begin % wanted == 0 ? fmt::format("byte {} of {}, which is no multiple of {}",
                                               finding.address - begin, finding.array.name, wanted)
                                 : fmt::format("{} ({} itself does not begin at a multiple of {})",
                                               from, finding.array.name, wanted);
    picture.headline = capital(fmt::format("{} {} {} bytes at {}, and they begin at {}.", thread,
                                           verb, wanted, where_of(finding), from));
    picture.headline += lanes;
    return picture;
  }
  if (picture.place.empty() && finding.cause == Cause::out_of_bounds_null_pointer) {
    picture.headline = capital(
        fmt::format("{} {} at {} through a pointer that is null, or nearly (address 0x{:x}).",
                    thread, verb, where_of(finding), finding.address));
    picture.headline += lanes;
    return picture;
  }
  if (picture.place.empty()) {
    picture.headline = capital(
        fmt::format("{} {} at {} where there is no array.", thread, verb, where_of(finding)));
    picture.headline += lanes;
    return picture;
  }
  picture.array = finding.array.name;
  const std::uint64_t bytes = finding.access_bytes;
  const bool counted = bytes > 0 && bytes <= kMostElementBytes && finding.array.bytes % bytes == 0;
  std::string has = fmt::format("{} has {} bytes", picture.array,
                                number(static_cast<double>(finding.array.bytes)));
  if (finding.array.bytes == 0) {
    has = fmt::format("{} has no element", picture.array);
  } else if (counted) {
    const std::uint64_t elements = finding.array.bytes / bytes;
    picture.last_element = element(finding, static_cast<std::int64_t>(elements) - 1);
    const bool declared = finding.declared.element_bytes == bytes;
    has = declared && finding.array.bytes != bytes
              ? fmt::format("its last element is {}", picture.last_element)
          : finding.space == "shared"
              ? fmt::format("{} has {} element{}", picture.array,
                            number(static_cast<double>(elements)), elements == 1 ? "" : "s")
              : fmt::format("the last element is {}", picture.last_element);
  }
  if (picture.before_array) has = fmt::format("{} begins later", picture.array);
  picture.headline = capital(
      fmt::format("{} {} {} at {}, but {}.", thread, verb, picture.place, where_of(finding), has));
  picture.headline += lanes;
  return picture;
}

/// "i", where the compiler has reported it; else "".
std::string variable_of(const Finding& finding) {
  for (const words::Message& message : finding.evidence)
    if (message.id == Id::undefined_variable_named)
      if (const auto* name = std::get_if<std::string>(message.find("variable"))) return *name;
  return {};
}

FindingPicture unwritten(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  picture.warps = {warp_of(finding.thread, finding.block, finding.where, block, "reads")};
  if (finding.space.empty()) {  // a shuffle
    picture.warps[0].deed = "asks";
    picture.headline =
        fmt::format("At {} thread {} asks lane {} for its value, but that lane takes no part.",
                    where_of(finding), triple(finding.thread), finding.address);
    return picture;
  }
  const std::string who =
      triple(finding.thread) +
      (finding.block == Dim3{0, 0, 0} ? "" : " of block " + triple(finding.block));
  picture.place = place_of(finding);
  const std::string place = !picture.place.empty()     ? picture.place
                            : finding.space == "local" ? "a local variable"
                                                       : "an address";
  if (const std::string name = variable_of(finding); !name.empty()) {
    picture.headline = fmt::format("`{}` is used at {}, and nothing has given it a value before.",
                                   name, where_of(finding));
    picture.place = name;
    return picture;
  }
  if (launch::has_evidence(finding, Id::undefined_own_array)) {
    picture.headline = fmt::format(
        "Thread {} reads an element of an array of its own at {}, and has not written it{}.", who,
        where_of(finding),
        finding.cause == launch::Cause::uninitialized_not_shared
            ? ": each thread has a copy of its own"
            : "");
    return picture;
  }
  picture.headline = fmt::format(
      "Thread {} reads {} at {} before any thread has written {}.", who, place, where_of(finding),
      finding.unwritten_from == 0
          ? "it"
          : fmt::format("byte {} of its {}", finding.unwritten_from, finding.access_bytes));
  return picture;
}

FindingPicture barrier(const Finding& finding, const Dim3& block) {
  FindingPicture picture;
  picture.warps = {warp_of(finding.thread, finding.block, finding.where, block, "does not come")};
  WarpAtLine& warp = picture.warps[0];
  warp.deed_of_others = "waits";
  const std::string at = line_of(finding.where);
  if ((finding.lanes | finding.other_lanes) == 0) {
    const std::string thread = "thread " + triple(finding.thread);
    warp.deed = "at fault";
    if (finding.other.line != 0) {  // two barriers that let each other go
      warp.deed = "waits";
      picture.warps.push_back(
          warp_of(finding.other_thread, finding.other_block, finding.other, block, "waits"));
      picture.headline = capital(
          fmt::format("{} waits at {} while thread {} waits at {}: they must all come to "
                      "the same barrier.",
                      thread, at, triple(finding.other_thread),
                      finding.other.line == finding.where.line ? "the other barrier of that line"
                                                               : line_of(finding.other)));
      return picture;
    }
    picture.headline = fmt::format("At {}, {}: ", at, thread);
    // the first says what the sanitizer does
    picture.headline += finding.evidence.size() > 1 ? words::render(finding.evidence[1])
                                                    : "The barrier is not used as it should be.";
    return picture;
  }
  warp.at_fault = finding.other_lanes;
  warp.others = finding.lanes;
  const bool left = finding.cause == Cause::barrier_after_early_return;
  if (left) warp.deed = "has exited";
  const auto lanes = [&](std::uint32_t mask, const char* one, const char* many) {
    return fmt::format("{} {}", lanes_text(mask), std::popcount(mask) == 1 ? one : many);
  };
  const std::string absent =
      left ? lanes(finding.other_lanes, "has exited by then", "have exited by then")
           : lanes(finding.other_lanes, "never reaches it", "never reach it");
  if (finding.other_lanes == 0)
    picture.headline = fmt::format("Warp {} waits at the barrier of {}, but {}.", warp.warp, at,
                                   left ? "threads of other warps have exited by then"
                                        : "other warps of the block never reach it");
  else if (finding.lanes != 0 && finding.cause == Cause::barrier_mask)
    picture.headline =
        fmt::format("{} of warp {} {} for all that the mask of {} names, but {}.",
                    capital(lanes_text(finding.lanes)), warp.warp,
                    std::popcount(finding.lanes) == 1 ? "waits" : "wait", at, absent);
  else if (finding.lanes == 0)
    picture.headline =
        fmt::format("Other warps wait at the barrier of {}, but {}: the whole of warp {}.", at,
                    absent, warp.warp);
  else
    picture.headline = fmt::format(
        "{} of warp {} at the barrier of {}, but {}.", capital(lanes_text(finding.lanes)),
        fmt::format("{} {}", warp.warp, std::popcount(finding.lanes) == 1 ? "waits" : "wait"), at,
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
  using launch::Cause;
  if (const auto picture = picture_of(finding, block)) return picture->headline;
  if (finding.kind != FindingKind::budget || finding.where.line == 0) return {};
  const std::string line = line_of(finding.where);
  for (const words::Message& message : finding.evidence)
    if (message.id == Id::race_repeated_work) return words::render(message);
  switch (finding.cause) {
    case Cause::budget_one_lane:
      return fmt::format(
          "Only one lane of a warp works at {}: it does alone what all threads should share.",
          line);
    case Cause::budget_print:
      return fmt::format("The printf of {} runs too often.", line);
    default:
      return finding.evidence.empty() ? std::string{} : words::render(finding.evidence.front());
  }
}

}  // namespace labkit::explain
