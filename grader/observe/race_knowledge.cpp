#include "observe/race_knowledge.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace labkit::observe {

/// Of a branch: the bit by which its two sides differ, and the bits above it, which they share. `bit` 0: a leaf.
struct Knowledge::Node {
  std::uint64_t key = 0, bit = 0;
  std::shared_ptr<const Node> zero, one;
};

namespace {

using Node = Knowledge::Node;
using Tree = std::shared_ptr<const Node>;

constexpr std::size_t kOfBlock = 32;  ///< of a block's own leaf, behind its warps
struct Leaf : Node {
  std::array<Time, kOfBlock + 1> times{};
};

// Keys of leaves. A block has at most 32 warps.
std::uint64_t warp_key(std::uint64_t block, std::uint32_t warp) { return block << 6 | warp; }
std::uint64_t block_key(std::uint64_t block) { return block << 6 | 32; }

const Leaf& leaf(const Node& node) { return static_cast<const Leaf&>(node); }

std::uint64_t above(std::uint64_t key, std::uint64_t bit) { return key & ~(bit | (bit - 1)); }

/// Whether `key` lies below that node.
bool holds(const Node& node, std::uint64_t key) {
  return node.bit == 0 ? node.key == key : above(key, node.bit) == node.key;
}

Tree branch(std::uint64_t bit, Tree zero, Tree one) {
  auto made = std::make_shared<Node>();
  made->key = above(zero->key, bit);
  made->bit = bit;
  made->zero = std::move(zero);
  made->one = std::move(one);
  return made;
}

/// Of two nodes of which neither lies below the other.
Tree side_by_side(const Tree& a, const Tree& b) {
  const std::uint64_t bit = std::bit_floor(a->key ^ b->key);
  return (a->key & bit) == 0 ? branch(bit, a, b) : branch(bit, b, a);
}

/// One of the two itself where the other adds nothing to it.
Tree joined_leaves(const Tree& a, const Tree& b) {
  const auto &mine = leaf(*a).times, &others = leaf(*b).times;
  bool more_here = false, more_there = false;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    more_here |= mine[i] > others[i];
    more_there |= mine[i] < others[i];
  }
  if (!more_there) return a;
  if (!more_here) return b;
  auto made = std::make_shared<Leaf>();
  made->key = a->key;
  for (std::size_t i = 0; i < mine.size(); ++i) made->times[i] = std::max(mine[i], others[i]);
  return made;
}

Tree joined(const Tree& a, const Tree& b);

/// `under` lies below `top`.
Tree joined_below(const Tree& top, const Tree& under) {
  const bool in_one = (under->key & top->bit) != 0;
  const auto& side = in_one ? top->one : top->zero;
  auto both = joined(side, under);
  if (both == side) return top;
  return in_one ? branch(top->bit, top->zero, std::move(both))
                : branch(top->bit, std::move(both), top->one);
}

Tree joined(const Tree& a, const Tree& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  if (a->bit == b->bit && a->key == b->key) {
    if (a->bit == 0) return joined_leaves(a, b);
    auto zero = joined(a->zero, b->zero), one = joined(a->one, b->one);
    if (zero == a->zero && one == a->one) return a;
    if (zero == b->zero && one == b->one) return b;
    return branch(a->bit, std::move(zero), std::move(one));
  }
  if (a->bit > b->bit && holds(*a, b->key)) return joined_below(a, b);
  if (b->bit > a->bit && holds(*b, a->key)) return joined_below(b, a);
  return side_by_side(a, b);
}

const Leaf* find(const Node* node, std::uint64_t key) {
  while (node != nullptr && node->bit != 0)
    node = ((key & node->bit) != 0 ? node->one : node->zero).get();
  return node != nullptr && node->key == key ? &leaf(*node) : nullptr;
}

}  // namespace

bool Knowledge::tells(const Stamp& past) const {
  if (empty()) return false;
  const std::uint32_t warp = past.thread / 32;
  if (const auto* of_warp = find(root_.get(), warp_key(past.block, warp));
      of_warp != nullptr && of_warp->times[past.thread % 32] >= past.time)
    return true;
  const auto* of_block = find(root_.get(), block_key(past.block));
  return of_block != nullptr &&
         (of_block->times[warp] >= past.time || of_block->times[kOfBlock] >= past.time);
}

void Knowledge::add(std::uint64_t key, std::size_t first, std::span<const Time> times) {
  auto made = std::make_shared<Leaf>();
  made->key = key;
  std::ranges::copy(times, made->times.begin() + static_cast<std::ptrdiff_t>(first));
  root_ = joined(root_, made);
}

void Knowledge::add_thread(std::uint64_t block, std::uint32_t thread, Time time) {
  add(warp_key(block, thread / 32), thread % 32, {&time, 1});
}

void Knowledge::add_warp(std::uint64_t block, std::uint32_t warp, Time time) {
  add(block_key(block), warp, {&time, 1});
}

void Knowledge::add_block(std::uint64_t block, Time time) { add_warp(block, kOfBlock, time); }

void Knowledge::add_lanes(std::uint64_t block, std::uint32_t warp, const Time* times) {
  if (std::any_of(times, times + 32, [](Time time) { return time != 0; }))
    add(warp_key(block, warp), 0, {times, 32});
}

void Knowledge::join(const Knowledge& other) { root_ = joined(root_, other.root_); }

}  // namespace labkit::observe
