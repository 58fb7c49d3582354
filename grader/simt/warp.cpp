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
  auto& first = splits[0];
  first = Split{};
  first.state = SplitState::ready;
  first.mask = lanes;
  first.block = entry_block;
  used_splits = 1;
  begun = live = lanes;
  current = 0;
  path = 0;
}

std::int32_t Warp::new_split() {
  for (std::size_t k = 0; k < splits.size(); ++k)
    if (splits[k].state == SplitState::unused) {
      splits[k] = Split{};
      used_splits = std::max(used_splits, k + 1);
      return static_cast<std::int32_t>(k);
    }
  splits.emplace_back();
  used_splits = splits.size();
  return static_cast<std::int32_t>(splits.size()) - 1;
}

std::int32_t Warp::spawn(std::size_t from, std::uint32_t lanes, std::int32_t block,
                         std::int32_t parent, std::int32_t reconvergence) {
  const auto id = new_split();
  auto& child = splits[static_cast<std::size_t>(id)];
  child.state = SplitState::ready;
  child.mask = lanes;
  child.block = block;
  child.parent = parent;
  child.reconvergence = reconvergence;
  child.local_base = splits[from].local_base;
  child.depth = splits[from].depth;
  child.function = splits[from].function;
  return id;
}

void Warp::part(std::int32_t s, std::uint32_t taken, std::int32_t to, std::int32_t other,
                std::int32_t meet_at) {
  const auto from = static_cast<std::size_t>(s);
  const std::uint32_t rest = splits[from].mask & ~taken;
  const bool under_same_parent = meet_at < 0 || meet_at == splits[from].reconvergence;
  if (under_same_parent) {
    spawn(from, rest, other, splits[from].parent, splits[from].reconvergence);
    auto& first = splits[from];
    first.mask = taken;
    first.block = to;
    first.op = 0;
    current = s;
    return;
  }
  auto& meeting = splits[from];
  meeting.state = SplitState::meeting;
  meeting.out = meeting.mask;
  meeting.block = meet_at;
  meeting.op = 0;
  meeting.is_call = false;
  // lanes that are there already need no split of their own
  if (to == meet_at) meeting.out &= ~taken;
  if (other == meet_at) meeting.out &= ~rest;
  if (other != meet_at) current = spawn(from, rest, other, s, meet_at);
  if (to != meet_at) current = spawn(from, taken, to, s, meet_at);
}

void Warp::arrive(std::int32_t s) {
  auto& split = splits[static_cast<std::size_t>(s)];
  auto& parent = splits[static_cast<std::size_t>(split.parent)];
  parent.out &= ~split.mask;
  split.state = SplitState::unused;
  if (parent.out == 0) {
    parent.state = SplitState::ready;
    current = split.parent;
  }
}

std::int32_t Warp::leave(std::int32_t s, std::uint32_t lanes, bool exit) {
  for (std::int32_t at = s; at >= 0;) {
    auto& split = splits[static_cast<std::size_t>(at)];
    const auto parent = split.parent;
    if (at != s && split.is_call && !exit) return at;
    split.mask &= ~lanes;
    split.waiting &= ~lanes;
    if (split.state == SplitState::meeting) {
      split.out &= ~lanes;
      if (split.out == 0 && split.mask != 0) split.state = SplitState::ready;
    }
    if (split.mask == 0) split.state = SplitState::unused;
    at = parent;
  }
  return -1;
}

std::int32_t Warp::next_ready() const {
  const auto ready = [&](std::size_t k) { return splits[k].state == SplitState::ready; };
  const auto from = static_cast<std::size_t>(current);
  for (std::size_t k = from; k < used_splits; ++k)
    if (ready(k)) return static_cast<std::int32_t>(k);
  for (std::size_t k = 0; k < from && k < used_splits; ++k)
    if (ready(k)) return static_cast<std::int32_t>(k);
  return -1;
}

bool Warp::release_waiting() {
  for (std::size_t k = 0; k < splits.size(); ++k) {
    if (splits[k].state != SplitState::meeting || splits[k].is_call) continue;
    const std::uint32_t arrived = splits[k].mask & ~splits[k].out;
    if (arrived == 0) continue;
    const auto id = spawn(k, arrived, splits[k].block, splits[k].parent, splits[k].reconvergence);
    splits[k].mask = splits[k].out;
    current = id;
    return true;
  }
  return false;
}

}  // namespace labkit::simt
