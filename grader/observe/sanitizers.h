// The sanitizers whose findings follow from single accesses and barriers; races have files of their own (races.h).
//
// Bounds: accesses to shared memory that leave the array they were meant for and land in another one, or between them. What
// leaves the block's shared memory altogether stops the launch (simt/faults.cpp). Where it is not known which array an
// address was meant for (ptx/shared_origin.h), nothing is said.
//
// Barriers of the whole block that not all of its threads use alike. CUDA: __syncthreads() in conditional code is allowed
// only if the condition evaluates alike in the whole block. Where some lanes of one warp stay away, the simulation stops by
// itself (simt/barriers.cpp). What is left is whole warps:
//   skipped     a thread has gone past a barrier at which others waited: it exits in the end, and today's GPUs count
//               it as arrived, but what it did beside the barrier was ordered by nothing. An error.
//   left early  a thread exited (`if (i >= n) return;`) before a barrier of the others. Works on GPUs since Volta; a
//               warning.
//   different   warps wait at barriers of different source lines and let each other go. An error.
// Past a barrier is what can be reached from it without going round a loop.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "observe/places.h"
#include "observe/watching.h"

namespace labkit::observe {

class Sanitizer : public simt::ObserverFactory {
 public:
  /// When the run is over.
  virtual std::vector<launch::Finding> findings(const Places& places) const = 0;
};
std::unique_ptr<Sanitizer> bounds_sanitizer(const simt::Program& program,
                                            const launch::Launch& launch);
std::unique_ptr<Sanitizer> barrier_sanitizer(const simt::Program& program);

/// Of those with one key the first of the lowest block is kept as the example, with the count of all.
template <typename Key, typename Case>
void note(std::map<Key, Case>& table, const Key& key, const Case& one) {
  const auto [at, is_new] = table.try_emplace(key, one);
  if (is_new) return;
  const auto count = at->second.count + one.count;
  if (one.block < at->second.block) at->second = one;
  at->second.count = count;
}

}  // namespace labkit::observe
