// The observer that waits for what nobody reads: elements of arrays in global memory, and values that a block leaves in shared
// memory. What a wrong result lacks is often among these.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "observe/places.h"
#include "observe/samples.h"
#include "observe/watching.h"

namespace labkit::observe {

/// Of a run on one host thread (RunOptions::threads 1).
class ReadWatch final : public simt::ObserverFactory {
 public:
  /// `arrays` in global memory; `names` must outlive it.
  ReadWatch(const Places& names, std::span<const NamedRange> arrays);
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer&, const simt::Executions&) override {}
  Unread take() { return std::move(unread_); }

 private:
  class Watcher;
  const Places& names_;
  std::vector<NamedRange> arrays_;
  Unread unread_;
};

}  // namespace labkit::observe
