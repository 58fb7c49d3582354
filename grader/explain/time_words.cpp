#include "explain/time_words.h"

#include <fmt/format.h>

namespace labkit::explain {
namespace {

constexpr struct {
  std::string_view name, words, advice;
} kShares[] = {
    {"DRAM", "moving the bytes between memory and L2",
     "The memory's bandwidth limits this kernel: only fewer bytes make it faster."},
    {"L2", "handing sectors from L2 to the SMs",
     "L2 hands out sectors all the time: fetch each once, by whole lines, and keep it in shared "
     "memory or registers."},
    {"stores", "taking in stores: one slot a line, and one for each sector of it",
     "The path of the stores takes most of the time here: let a warp's lanes store to neighbouring "
     "addresses, where they do not yet."},
    {"L1", "passing global accesses through L1",
     "L1 passes accesses all the time: let a warp's lanes read neighbouring addresses, or each "
     "thread read more at once."},
    {"shared memory", "passes over the banks of shared memory",
     "Shared memory passes accesses all the time: fewer of them, or fewer bank conflicts, make "
     "this kernel faster."},
    {"issue", "issuing instructions, by all warps together",
     "The schedulers issue instructions all the time: fewer instructions a byte make this kernel "
     "faster."},
    {"latency", "waiting for memory, with too few bytes in flight to fill the wait",
     "Bytes in flight limit this kernel, not coalescing: let each thread load more before it needs "
     "the first, or more warps be "
     "resident."},
    {"instructions", "a warp's own instructions, one after another",
     "A warp's own instructions take longest: more warps, or work that does not depend on what "
     "came just before, fill the gaps."},
    {"barriers", "what barriers cost beside waiting for the last warp",
     "Barriers limit this kernel: fewer of them, or smaller blocks, cost less."},
    {"block starts", "handing blocks out to the SMs",
     "Starting blocks limits this kernel: let each block do more."},
    {"tail", "SMs and block slots that stand empty, at the end or since the grid is small",
     "SMs stand empty: more blocks than fit at once, and many times as many, keep them busy."},
    {"one SM", "the busiest block, which one SM has to do alone",
     "One block does much more than the others: spread its work."},
    {"atomics", "atomics on the same line, one after another",
     "Atomics on one address wait for each other: add up in a warp or block first."},
    {"launch", "what even an empty kernel takes", ""},
};

}  // namespace

std::string_view words_of_share(std::string_view name) {
  for (const auto& share : kShares)
    if (share.name == name) return share.words;
  return {};
}

std::string shares_text(const timing::Prediction& prediction) {
  std::string text;
  int told = 0;
  for (const timing::Share& share : prediction.shares)
    if (share.part >= 0.05 && told++ < 4)
      text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", share.name, 100 * share.part);
  return text;
}

std::string_view advice_of(const timing::Prediction& prediction) {
  if (prediction.shares.empty()) return {};
  for (const auto& share : kShares)
    if (share.name == prediction.shares.front().name) return share.advice;
  return {};
}

std::string registers_text(const device::Registers& registers) {
  if (!registers.by.empty())
    return fmt::format(
        "{} registers a thread{} ({})", registers.per_thread,
        registers.spilled_bytes
            ? fmt::format(" and {} bytes spilled to local memory", registers.spilled_bytes)
            : "",
        registers.by);
  std::string text = fmt::format("about {} registers a thread, estimated", registers.per_thread);
  if (registers.estimate_capped) text += ", and taken for as many as let a block of this size run";
  if (!registers.why_estimated.empty()) text += ": " + registers.why_estimated;
  return text;
}

}  // namespace labkit::explain
