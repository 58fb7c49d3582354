// Barriers of the whole block that not all of its threads use alike.
//
// CUDA: __syncthreads() in conditional code is allowed only if the condition evaluates alike in the whole block. Where some
// lanes of one warp stay away, the simulation stops by itself (simt/barriers.cpp). What is left is whole warps:
//   skipped     a thread has gone past a barrier at which others waited: it exits in the end, and today's GPUs count
//               it as arrived, but what it did beside the barrier was ordered by nothing. An error.
//   left early  a thread exited (`if (i >= n) return;`) before a barrier of the others. Works on GPUs since Volta; a
//               warning.
//   different   warps wait at barriers of different source lines and let each other go. An error.
// Past a barrier is what can be reached from it without going round a loop.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "observe/places.h"

namespace labkit::observe {

class BarrierUse final : public simt::ObserverFactory {
 public:
  explicit BarrierUse(const simt::Program& program);
  ~BarrierUse() override;
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override;
  std::vector<launch::Finding> findings(const Places& places) const;

 private:
  struct Seen;
  std::unique_ptr<Seen> seen_;
};

}  // namespace labkit::observe
