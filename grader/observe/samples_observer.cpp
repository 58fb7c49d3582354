#include "observe/samples_observer.h"

#include <algorithm>
#include <tuple>

#include "observe/access_cost.h"
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

class Sampling::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const Sampling& plan)
      : kept(plan.instruction_.size()), plan_(plan), costs_(simt::instructions(plan.program_)) {}

  void on_access(const simt::Access& access) override {
    const std::int32_t first = plan_.first_of_[access.instruction];
    if (first < 0) return;
    AccessCosts::SharedView view;
    AccessCost cost;
    switch (access.space) {
      case ptx::Space::global:
      case ptx::Space::constant:
        cost = costs_.sectors(access);
        break;
      case ptx::Space::shared:
        view = costs_.shared_view(access);
        if (view.bytes == 0) return;
        cost = costs_.wavefronts(access, view);
        break;
      case ptx::Space::local:
        cost = AccessCosts::local_sectors(access);
        break;
      default:
        return;
    }
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
    const bool is_shown = access.block == plan_.shown_block_;
    if (is_shown) samples.most_executions = std::max(samples.most_executions, execution + 1);
    const bool is_kept = is_shown && execution < kKeptExecutions;
    if (!is_worst && !is_kept) return;
    samples.space = access.space;
    samples.is_store = access.is_store;
    samples.is_atomic = access.is_atomic;
    const WarpAccess one = copy_of(access, view, cost, execution);
    if (is_worst) samples.worst = one;
    if (is_kept) samples.shown.push_back(one);
  }
  void on_block_begin(std::uint64_t block, std::uint32_t) override {
    executions_.begin(block).assign(plan_.instruction_.size() * plan_.warps_, 0);
  }
  void on_block_end(std::uint64_t block) override { executions_.end(block); }

  std::vector<InstructionSamples> kept;  ///< by place

 private:
  static WarpAccess copy_of(const simt::Access& access, const AccessCosts::SharedView& view,
                            const AccessCost& cost, std::uint32_t execution) {
    WarpAccess one{.block = access.block,
                   .warp = access.warp,
                   .execution = execution,
                   .active = access.active,
                   .bytes_per_lane = access.bytes_per_lane,
                   .cost = cost.count,
                   .ideal = cost.ideal};
    if (access.space == ptx::Space::shared) one.bytes_per_lane = view.bytes;
    if (access.space == ptx::Space::local) {
      one.bytes_per_lane = AccessCosts::local_bytes(access);
      one.words = AccessCosts::local_words(access);
      one.addresses = AccessCosts::local_places(access, 0);
    } else {
      for (std::size_t i = 0; i < one.addresses.size(); ++i)
        one.addresses[i] = access.addresses[i] + view.offset;
    }
    for (std::size_t i = 0; i < one.addresses.size(); ++i)
      if ((access.active >> i & 1) == 0) one.addresses[i] = 0;
    return one;
  }

  const Sampling& plan_;
  AccessCosts costs_;
  BlockStates<std::vector<std::uint32_t>> executions_;  ///< of each place, by warp
};

Sampling::Sampling(const simt::Program& program, const launch::Launch& launch)
    : program_(program),
      warps_(static_cast<std::uint32_t>((launch.block.count() + 31) / 32)),
      shown_block_(linear({launch.grid.x / 2, launch.grid.y / 2, launch.grid.z / 2}, launch.grid)) {
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
    mine.most_executions = std::max(mine.most_executions, other.most_executions);
    mine.shown.insert(mine.shown.end(), other.shown.begin(), other.shown.end());
  }
}

AccessSamples Sampling::take() {
  AccessSamples all;
  all.shown_block = shown_block_;
  all.warps_a_block = warps_;
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    InstructionSamples& samples = kept_[place];
    if (samples.accesses == 0) continue;
    samples.instruction = instruction_[place];
    std::ranges::sort(samples.shown, {}, order_of);
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
