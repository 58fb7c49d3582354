// The observer that counts, and the usual way to use it.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "observe/counters.h"
#include "simt/machine.h"

namespace labkit::observe {

/// Makes counting observers; `counters()` is complete when simt::run has returned.
class Counting final : public simt::ObserverFactory {
 public:
  explicit Counting(const simt::Program& program);
  ~Counting() override;
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const std::uint64_t* warp_executions,
               const std::uint64_t* thread_executions, std::size_t instructions) override;
  const LaunchCounters& counters() const { return counters_; }
  LaunchCounters take() { return std::move(counters_); }

 private:
  const simt::Program& program_;
  LaunchCounters counters_;
};

struct CountingRun {
  simt::RunResult result;
  LaunchCounters counters;  ///< partial if the launch did not complete
};
/// simt::run with all counters on.
CountingRun run_counted(const simt::Program& program, const launch::Launch& launch,
                        std::span<const std::byte> parameter_block, simt::Memory& memory,
                        const simt::RunOptions& options = {});

}  // namespace labkit::observe
