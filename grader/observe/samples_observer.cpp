#include "observe/samples_observer.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "observe/access_cost.h"
#include "observe/places.h"

namespace labkit::observe {
namespace {

/// One instruction's accesses to one space. A generic access may come to any of the three.
constexpr std::uint32_t kSpaces = 3;
std::uint32_t space_index(ptx::Space space) {
  return space == ptx::Space::shared ? 1 : space == ptx::Space::local ? 2 : 0;
}

std::uint64_t middle_of(const launch::Dim3& grid) {
  return grid.x / 2 + std::uint64_t{grid.x} * (grid.y / 2 + std::uint64_t{grid.y} * (grid.z / 2));
}

}  // namespace

struct Sampling::Plan {
  const simt::Program* program = nullptr;
  std::vector<std::int32_t> first_of;      ///< instruction -> its first of kSpaces places; -1: none
  std::vector<std::uint32_t> instruction;  ///< of each place
  std::uint32_t warps = 0;
  std::uint64_t shown_block = 0;
};

struct Sampling::Kept {
  InstructionSamples samples;
  bool any() const { return samples.accesses > 0; }
};

class Sampling::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const Plan& plan)
      : plan_(plan), costs_(simt::instructions(*plan.program)), kept_(plan.instruction.size()) {}

  void on_access(const simt::Access& access) override {
    const std::int32_t first = plan_.first_of[access.instruction];
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
        executions(access.block)[std::size_t{place} * plan_.warps + access.warp]++;
    InstructionSamples& samples = kept_[place].samples;
    const auto excess = static_cast<std::uint32_t>(cost.count - cost.ideal);
    const auto order = [](const WarpAccess& one) {
      return std::tuple(one.block, one.warp, one.execution);
    };
    const bool is_worst = samples.accesses == 0 || excess > samples.worst.excess() ||
                          (excess == samples.worst.excess() &&
                           std::tuple(access.block, access.warp, execution) < order(samples.worst));
    ++samples.accesses;
    const bool is_shown = access.block == plan_.shown_block;
    if (is_shown) samples.most_executions = std::max(samples.most_executions, execution + 1);
    if (!is_worst && !(is_shown && execution < kKeptExecutions)) return;
    samples.space = access.space;
    samples.is_store = access.is_store;
    samples.is_atomic = access.is_atomic;
    const WarpAccess one = copy_of(access, view, cost, execution);
    if (is_worst) samples.worst = one;
    if (is_shown && execution < kKeptExecutions) samples.shown.push_back(one);
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void on_block_begin(std::uint64_t block, std::uint32_t) override {
    std::vector<std::uint32_t> counts;
    if (!spare_.empty()) {
      counts = std::move(spare_.back());
      spare_.pop_back();
    }
    counts.assign(plan_.instruction.size() * plan_.warps, 0);
    counts_[block] = std::move(counts);
    current_ = nullptr;
  }
  void on_block_end(std::uint64_t block) override {
    const auto at = counts_.find(block);
    if (at == counts_.end()) return;
    spare_.push_back(std::move(at->second));
    counts_.erase(at);
    current_ = nullptr;
  }
  std::vector<Kept>& kept() { return kept_; }

 private:
  /// How often each warp of the block has come to each place. Blocks that wait for others are set aside, so that several
  /// may be under way.
  std::uint32_t* executions(std::uint64_t block) {
    if (current_ == nullptr || current_block_ != block) {
      current_ = counts_.at(block).data();
      current_block_ = block;
    }
    return current_;
  }

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

  const Plan& plan_;
  AccessCosts costs_;
  std::vector<Kept> kept_;  ///< by place
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> counts_;
  std::vector<std::vector<std::uint32_t>> spare_;
  std::uint32_t* current_ = nullptr;
  std::uint64_t current_block_ = 0;
};

Sampling::Sampling(const simt::Program& program, const launch::Launch& launch)
    : plan_(std::make_unique<Plan>()) {
  plan_->program = &program;
  plan_->warps = static_cast<std::uint32_t>((launch.block.count() + 31) / 32);
  plan_->shown_block = middle_of(launch.grid);
  const auto facts = simt::instructions(program);
  plan_->first_of.assign(facts.size(), -1);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].bytes_per_lane == 0) continue;
    plan_->first_of[i] = static_cast<std::int32_t>(plan_->instruction.size());
    plan_->instruction.insert(plan_->instruction.end(), kSpaces, static_cast<std::uint32_t>(i));
  }
  kept_.resize(plan_->instruction.size());
}
Sampling::~Sampling() = default;

std::unique_ptr<simt::Observer> Sampling::make() { return std::make_unique<Watcher>(*plan_); }

void Sampling::collect(simt::Observer& observer, const std::uint64_t*, const std::uint64_t*,
                       std::size_t) {
  auto& others = static_cast<Watcher&>(observer).kept();
  const auto rank = [](const WarpAccess& one) {
    return std::tuple(~one.excess(), one.block, one.warp, one.execution);
  };
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    InstructionSamples& mine = kept_[place].samples;
    InstructionSamples& other = others[place].samples;
    if (other.accesses == 0) continue;
    const bool better = mine.accesses == 0 || rank(other.worst) < rank(mine.worst);
    mine.accesses += other.accesses;
    mine.most_executions = std::max(mine.most_executions, other.most_executions);
    if (better) {
      mine.worst = other.worst;
      mine.space = other.space;
      mine.is_store = other.is_store;
      mine.is_atomic = other.is_atomic;
    }
    mine.shown.insert(mine.shown.end(), other.shown.begin(), other.shown.end());
  }
}

AccessSamples Sampling::take() {
  AccessSamples all;
  all.shown_block = plan_->shown_block;
  all.warps_a_block = plan_->warps;
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    if (!kept_[place].any()) continue;
    InstructionSamples& samples = kept_[place].samples;
    samples.instruction = plan_->instruction[place];
    std::sort(samples.shown.begin(), samples.shown.end(),
              [](const WarpAccess& a, const WarpAccess& b) {
                return std::tuple(a.warp, a.execution) < std::tuple(b.warp, b.execution);
              });
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
