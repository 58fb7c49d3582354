// Accesses to shared memory that leave the array they were meant for and land in another one, or between them. What leaves
// the block's shared memory altogether stops the launch (simt/faults.cpp). Where it is not known which array an address
// was meant for (ptx/passes.h), nothing is said.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "observe/places.h"

namespace labkit::observe {

class Bounds final : public simt::ObserverFactory {
 public:
  Bounds(const simt::Program& program, const launch::Launch& launch);
  ~Bounds() override;
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override;
  std::vector<launch::Finding> findings(const Places& places) const;

 private:
  struct Seen;
  std::unique_ptr<Seen> seen_;
};

}  // namespace labkit::observe
