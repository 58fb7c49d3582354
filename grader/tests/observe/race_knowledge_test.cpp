// What is known of others, held against a plain list of it.
#include "observe/race_knowledge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace labkit::observe {
namespace {

constexpr std::uint32_t kBlocks = 5, kThreads = 96;

/// The same, by thread of each block.
struct Plain {
  std::vector<Time> times = std::vector<Time>(kBlocks * kThreads);
  void add(std::uint32_t block, std::uint32_t begin, std::uint32_t end, Time time) {
    for (std::uint32_t t = begin; t < end; ++t)
      times[block * kThreads + t] = std::max(times[block * kThreads + t], time);
  }
};

/// Far apart and side by side.
std::uint64_t number_of(std::uint32_t block) { return block < 3 ? block : block * 1000003ull << 8; }

TEST(RaceKnowledge, TellsWhatWasAddedAndJoined) {
  std::mt19937 random(8);
  std::vector<Knowledge> trees(6);
  std::vector<Plain> plain(trees.size());
  for (Time time = 1; time < 600; ++time) {
    const auto at = random() % trees.size(), from = random() % trees.size();
    const std::uint32_t block = random() % kBlocks, thread = random() % kThreads, w = thread / 32;
    switch (random() % 6) {
      case 0:
        trees[at].add_thread(number_of(block), thread, time);
        plain[at].add(block, thread, thread + 1, time);
        break;
      case 1:
        trees[at].add_warp(number_of(block), w, time);
        plain[at].add(block, w * 32, w * 32 + 32, time);
        break;
      case 2:
        trees[at].add_lanes(number_of(block), w, std::vector<Time>(32, time).data());
        plain[at].add(block, w * 32, w * 32 + 32, time);
        break;
      case 3:
        if (time % 16 != 0) break;
        trees[at].add_block(number_of(block), time);
        plain[at].add(block, 0, kThreads, time);
        break;
      case 4:
        trees[at] = {};
        plain[at] = {};
        break;
      default:
        trees[at].join(trees[from]);
        for (std::size_t i = 0; i < plain[at].times.size(); ++i)
          plain[at].times[i] = std::max(plain[at].times[i], plain[from].times[i]);
    }
    for (std::size_t k = 0; k < trees.size(); ++k)
      for (std::uint32_t i = 0; i < kBlocks * kThreads; ++i) {
        const Time known = plain[k].times[i];
        const std::uint64_t number = number_of(i / kThreads);
        ASSERT_TRUE(known == 0 || trees[k].tells({number, i % kThreads, known}));
        ASSERT_FALSE(trees[k].tells({number, i % kThreads, known + 1}));
      }
  }
}

TEST(RaceKnowledge, WhatIsKnownAlreadyIsShared) {
  Knowledge all, part;
  for (std::uint32_t block = 0; block < 100; ++block) all.add_thread(block, block % 64, 7);
  part.add_thread(3, 3, 7);
  const auto before = all;
  all.join(part);
  EXPECT_TRUE(all.is(before));
  part.join(all);
  EXPECT_TRUE(part.tells({99, 35, 7}));
}

}  // namespace
}  // namespace labkit::observe
