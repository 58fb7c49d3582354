#include "observe/samples_observer.h"

#include <algorithm>
#include <tuple>

#include "observe/places.h"
#include "observe/watching.h"

namespace labkit::observe {
namespace {

/// One instruction's accesses to one space. A generic access may come to any of the three.
constexpr std::uint32_t kSpaces = 3;
std::uint32_t space_index(ptx::Space space) {
  return space == ptx::Space::shared ? 1 : space == ptx::Space::local ? 2 : 0;
}

auto order_of(const WarpAccess& one) { return std::tuple(one.block, one.warp, one.execution); }

bool is_worse(const WarpAccess& one, const WarpAccess& other) {
  if (one.excess() != other.excess()) return one.excess() > other.excess();
  return order_of(one) < order_of(other);
}

}  // namespace

std::optional<CostedAccess> cost_of(const simt::Access& access, AccessCosts& costs) {
  switch (access.space) {
    case ptx::Space::global:
    case ptx::Space::constant:
      return CostedAccess{{}, costs.sectors(access)};
    case ptx::Space::shared: {
      const AccessCosts::SharedView view = costs.shared_view(access);
      if (view.bytes == 0) return std::nullopt;
      return CostedAccess{view, costs.wavefronts(access, view)};
    }
    case ptx::Space::local:
      return CostedAccess{{}, AccessCosts::local_sectors(access)};
    default:
      return std::nullopt;
  }
}

WarpAccess warp_access(const simt::Access& access, const CostedAccess& costed,
                       std::uint32_t execution) {
  WarpAccess one{.block = access.block,
                 .warp = access.warp,
                 .execution = execution,
                 .active = access.active,
                 .bytes_per_lane = access.bytes_per_lane,
                 .cost = costed.cost.count,
                 .ideal = costed.cost.ideal};
  if (access.space == ptx::Space::shared) one.bytes_per_lane = costed.view.bytes;
  if (access.space == ptx::Space::local) {
    one.bytes_per_lane = AccessCosts::local_bytes(access);
    one.words = AccessCosts::local_words(access);
    one.addresses = AccessCosts::local_places(access, 0);
  } else {
    for (std::size_t i = 0; i < one.addresses.size(); ++i)
      one.addresses[i] = access.addresses[i] + costed.view.offset;
  }
  for (std::size_t i = 0; i < one.addresses.size(); ++i)
    if ((access.active >> i & 1) == 0) one.addresses[i] = 0;
  return one;
}

class Sampling::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const Sampling& plan)
      : kept(plan.instruction_.size()), plan_(plan), costs_(simt::instructions(plan.program_)) {}

  void on_access(const simt::Access& access) override {
    const std::int32_t first = plan_.first_of_[access.instruction];
    if (first < 0) return;
    const auto costed = cost_of(access, costs_);
    if (!costed) return;
    const AccessCost& cost = costed->cost;
    const auto place = static_cast<std::uint32_t>(first) + space_index(access.space);
    const std::uint32_t execution =
        executions_.at(access.block)[std::size_t{place} * plan_.warps_ + access.warp]++;
    InstructionSamples& samples = kept[place];
    const auto excess = static_cast<std::uint32_t>(cost.count - cost.ideal);
    const bool is_worst =
        samples.accesses == 0 || excess > samples.worst.excess() ||
        (excess == samples.worst.excess() &&
         std::tuple(access.block, access.warp, execution) < order_of(samples.worst));
    ++samples.accesses;
    if (!is_worst) return;
    samples.space = access.space;
    samples.is_store = access.is_store;
    samples.is_atomic = access.is_atomic;
    samples.worst = warp_access(access, *costed, execution);
  }
  void on_block_begin(std::uint64_t block, std::uint32_t) override {
    executions_.begin(block).assign(plan_.instruction_.size() * plan_.warps_, 0);
  }
  void on_block_end(std::uint64_t block) override { executions_.end(block); }

  std::vector<InstructionSamples> kept;  ///< by place

 private:
  const Sampling& plan_;
  AccessCosts costs_;
  BlockStates<std::vector<std::uint32_t>> executions_;  ///< of each place, by warp
};

Sampling::Sampling(const simt::Program& program, const launch::Launch& launch)
    : program_(program), warps_(static_cast<std::uint32_t>((launch.block.count() + 31) / 32)) {
  const auto facts = simt::instructions(program);
  first_of_.assign(facts.size(), -1);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].bytes_per_lane == 0) continue;
    first_of_[i] = static_cast<std::int32_t>(instruction_.size());
    instruction_.insert(instruction_.end(), kSpaces, static_cast<std::uint32_t>(i));
  }
  kept_.resize(instruction_.size());
}

std::unique_ptr<simt::Observer> Sampling::make() { return std::make_unique<Watcher>(*this); }

void Sampling::collect(simt::Observer& observer, const simt::Executions&) {
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    InstructionSamples& mine = kept_[place];
    const InstructionSamples& other = static_cast<Watcher&>(observer).kept[place];
    if (other.accesses == 0) continue;
    if (mine.accesses == 0 || is_worse(other.worst, mine.worst)) {
      mine.worst = other.worst;
      mine.space = other.space;
      mine.is_store = other.is_store;
      mine.is_atomic = other.is_atomic;
    }
    mine.accesses += other.accesses;
  }
}

AccessSamples Sampling::take() {
  AccessSamples all;
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    InstructionSamples& samples = kept_[place];
    if (samples.accesses == 0) continue;
    samples.instruction = instruction_[place];
    all.instructions.push_back(std::move(samples));
  }
  return all;
}

std::vector<NamedRange> named_ranges(const simt::Program& program, const launch::Launch& launch,
                                     const simt::Memory& memory) {
  std::vector<NamedRange> ranges;
  for (const simt::Memory::Place& place : memory.places())
    ranges.push_back({.name = place.is_variable ? source_name(place.name) : place.name,
                      .space = ptx::Space::global,
                      .begin = place.begin,
                      .bytes = place.size});
  for (const simt::SharedArray& array : simt::facts(program).shared_arrays)
    ranges.push_back({.name = source_name(array.name),
                      .space = ptx::Space::shared,
                      .begin = array.begin,
                      .bytes = array.is_dynamic ? launch.dynamic_shared_bytes
                                                : std::uint64_t{array.end} - array.begin});
  return ranges;
}

}  // namespace labkit::observe
