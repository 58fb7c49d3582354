// The observer that counts.
#pragma once
#include <cstdint>
#include <memory>

#include "observe/counters.h"
#include "simt/machine.h"

namespace labkit::observe {

/// Makes counting observers; `counters()` is complete when simt::run has returned.
class Counting final : public simt::ObserverFactory {
 public:
  explicit Counting(const simt::Program& program);
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const simt::Executions& executions) override;
  const LaunchCounters& counters() const { return counters_; }
  LaunchCounters take() { return std::move(counters_); }

 private:
  const simt::Program& program_;
  LaunchCounters counters_;
};

}  // namespace labkit::observe
