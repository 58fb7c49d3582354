#include "simt/warp.h"

#include <algorithm>
#include <cstddef>

namespace labkit::simt {

void Warp::reset(std::uint32_t lanes, std::int32_t entry_block) {
  // Deep recursion is rare; what it needed is given back.
  if (splits.empty() || splits.size() > std::size_t{2} * kLanes) {
    splits = std::vector<Split>(4);
    used_splits = 0;
  }
  for (std::size_t k = 0; k < used_splits; ++k) {
    auto& split = splits[k];
    split.state = SplitState::unused;
    if (split.saved.capacity() != 0) split.saved = {};
  }
  splits[0] = {.state = SplitState::ready, .mask = lanes, .block = entry_block};
  used_splits = 1;
  begun = live = lanes;
  current = 0;
  path = issued = 0;
}

std::int32_t Warp::spawn(std::int32_t from, std::uint32_t lanes, std::int32_t block,
                         std::int32_t parent, std::int32_t reconvergence) {
  const auto unused = std::ranges::find_if(
      splits, [](const Split& split) { return split.state == SplitState::unused; });
  const auto id = unused - splits.begin();
  if (unused == splits.end()) splits.emplace_back();
  used_splits = std::max(used_splits, static_cast<std::size_t>(id) + 1);
  const Split& like = split(from);
  splits[id] = {.state = SplitState::ready,
                .mask = lanes,
                .parent = parent,
                .reconvergence = reconvergence,
                .block = block,
                .local_base = like.local_base,
                .depth = like.depth,
                .function = like.function};
  return static_cast<std::int32_t>(id);
}

void Warp::part(std::uint32_t taken, std::int32_t to, std::int32_t other, std::int32_t meet_at) {
  const auto from = current;
  const std::uint32_t rest = split(from).mask & ~taken;
  const bool under_same_parent = meet_at < 0 || meet_at == split(from).reconvergence;
  if (under_same_parent) {
    spawn(from, rest, other, split(from).parent, split(from).reconvergence);
    auto& first = split(from);
    first.mask = taken;
    first.block = to;
    first.op = 0;
    return;
  }
  auto& meeting = split(from);
  meeting.state = SplitState::meeting;
  meeting.out = meeting.mask;
  meeting.block = meet_at;
  meeting.op = 0;
  meeting.is_call = false;
  // lanes that are there already need no split of their own
  if (to == meet_at) meeting.out &= ~taken;
  if (other == meet_at) meeting.out &= ~rest;
  if (other != meet_at) current = spawn(from, rest, other, from, meet_at);
  if (to != meet_at) current = spawn(from, taken, to, from, meet_at);
}

void Warp::arrive() {
  auto& arrived = split(current);
  auto& parent = split(arrived.parent);
  parent.out &= ~arrived.mask;
  arrived.state = SplitState::unused;
  if (parent.out != 0) return;
  parent.state = SplitState::ready;
  current = arrived.parent;
}

std::int32_t Warp::leave(std::uint32_t lanes, bool exit) {
  for (std::int32_t at = current; at >= 0;) {
    auto& left = split(at);
    if (at != current && left.is_call && !exit) return at;
    left.mask &= ~lanes;
    left.waiting &= ~lanes;
    if (left.state == SplitState::meeting) {
      left.out &= ~lanes;
      if (left.out == 0 && left.mask != 0) left.state = SplitState::ready;
    }
    if (left.mask == 0) left.state = SplitState::unused;
    at = left.parent;
  }
  return -1;
}

std::int32_t Warp::next_ready() const {
  const auto count = static_cast<std::int32_t>(used_splits);
  for (std::int32_t k = 0; k < count; ++k)
    if (const auto id = current + k < count ? current + k : current + k - count;
        split(id).state == SplitState::ready)
      return id;
  return -1;
}

void Warp::release_waiting() {
  for (std::int32_t id = 0; id < static_cast<std::int32_t>(splits.size()); ++id) {
    const Split& meeting = split(id);
    const std::uint32_t arrived = meeting.mask & ~meeting.out;
    if (meeting.state != SplitState::meeting || meeting.is_call || arrived == 0) continue;
    current = spawn(id, arrived, meeting.block, meeting.parent, meeting.reconvergence);
    split(id).mask = split(id).out;
    return;
  }
}

}  // namespace labkit::simt
