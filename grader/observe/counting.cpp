#include "observe/counting.h"

#include <algorithm>
#include <array>
#include <bit>

#include "observe/rules.h"
#include "ptx/passes.h"
#include "simt/op.h"

namespace labkit::observe {
namespace {

constexpr int kLanes = 32;

/// What an access costs depends on the distances between its addresses, which simt names by a pattern number, and on
/// where the first one lies within 32 bytes (sectors; banks repeat every 128, but shifting all addresses by whole words
/// only renames the banks). So each is worked out once.
struct Cost {
  std::uint16_t count = 0;  ///< sectors or wavefronts; 0: not worked out yet
  std::uint16_t ideal = 0;
  std::uint16_t partial = 0;
};

class CountingObserver final : public simt::Observer {
 public:
  explicit CountingObserver(std::span<const simt::InstructionFacts> facts)
      : facts_(facts), counters_(facts.size()) {}

  void on_access(const simt::Access& access) override {
    auto& counter = counters_[access.instruction];
    switch (access.space) {
      case ptx::Space::global:
      case ptx::Space::constant:
        return on_global(access, counter);
      case ptx::Space::shared:
        return on_shared(access, counter);
      case ptx::Space::local:
        return on_local(access, counter);
      default:
        return;
    }
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override { ++barriers_; }
  void on_block_end(std::uint64_t) override {}

  const std::vector<InstructionCounters>& counters() const { return counters_; }
  std::uint64_t barriers() const { return barriers_; }

 private:
  /// Kinds of access that cost differently for one pattern.
  enum Kind : std::uint32_t {
    kSectors,
    kLoad4,
    kLoad8,
    kLoad16,
    kStore4,
    kStore8,
    kStore16,
    kKinds
  };

  template <typename Work>
  Cost cost_of(const simt::Access& access, Kind kind, std::uint64_t start, const Work& work) {
    if (access.pattern == 0) return work();
    const std::size_t at = std::size_t{access.pattern} * kKinds + kind;
    if (at >= table_of_.size()) table_of_.resize(at + std::size_t{kKinds} * 16, -1);
    if (table_of_[at] < 0) {
      table_of_[at] = static_cast<std::int32_t>(tables_.size());
      tables_.emplace_back();
    }
    auto& cost = tables_[static_cast<std::size_t>(table_of_[at])][start & 31];
    if (cost.count == 0) cost = work();
    return cost;
  }

  void on_global(const simt::Access& access, InstructionCounters& counter) {
    const std::uint32_t lanes = simt::lane_count(access.active);
    const std::uint64_t start = access.addresses[std::countr_zero(access.active)];
    const Cost cost = cost_of(access, kSectors, start, [&] {
      const auto c = sector_cost(access.addresses, access.active, access.bytes_per_lane);
      return Cost{static_cast<std::uint16_t>(c.sectors), static_cast<std::uint16_t>(c.ideal),
                  static_cast<std::uint16_t>(c.partial)};
    });
    ++counter.global_requests;
    counter.global_sectors += cost.count;
    counter.global_sectors_ideal += cost.ideal;
    counter.global_partial_sectors += cost.partial;
    counter.global_bytes += std::uint64_t{lanes} * access.bytes_per_lane;
  }

  void on_shared(const simt::Access& access, InstructionCounters& counter) {
    const auto& facts = facts_[access.instruction];
    // both halves of a cp.async share one instruction; its shared half is counted as it is
    const bool merged =
        facts.space == ptx::Space::shared && facts.counted_bytes != access.bytes_per_lane;
    const std::uint32_t bytes = merged ? facts.counted_bytes : access.bytes_per_lane;
    if (bytes == 0) return;
    const bool is_load = !access.is_store && !access.is_atomic;
    const auto offset =
        merged ? static_cast<std::uint64_t>(static_cast<std::int64_t>(facts.counted_offset)) : 0;
    const std::uint64_t start = access.addresses[std::countr_zero(access.active)] + offset;
    const std::uint32_t size = bytes <= 4 ? 0 : bytes <= 8 ? 1 : 2;
    const auto kind = static_cast<Kind>((is_load ? kLoad4 : kStore4) + size);
    const Cost cost = cost_of(access, kind, start, [&] {
      std::array<std::uint64_t, kLanes> moved;
      for (int i = 0; i < kLanes; ++i)
        moved[static_cast<std::size_t>(i)] = access.addresses[i] + offset;
      const auto c = bank_cost(moved.data(), access.active, bytes, is_load);
      return Cost{static_cast<std::uint16_t>(c.wavefronts), static_cast<std::uint16_t>(c.ideal), 0};
    });
    ++counter.shared_requests;
    counter.shared_wavefronts += cost.count;
    counter.shared_wavefronts_ideal += cost.ideal;
  }

  /// Local memory is interleaved by 4-byte words: word w of lane i lies at 128 w + 4 i, so that lanes which touch the same
  /// variable touch neighbouring words (CUDA C programming guide, device memory accesses, local memory).
  void on_local(const simt::Access& access, InstructionCounters& counter) {
    std::array<std::uint64_t, kLanes> addresses{};
    const std::uint32_t bytes = std::min(access.bytes_per_lane, 4u);
    ++counter.local_requests;
    for (std::uint32_t word = 0; word < std::max(access.bytes_per_lane / 4, 1u); ++word) {
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        const std::uint64_t at = access.addresses[i] + 4ull * word;
        addresses[i] = at / 4 * 128 + 4ull * i + at % 4;
      }
      counter.local_sectors += sector_cost(addresses.data(), access.active, bytes).sectors;
    }
  }

  std::span<const simt::InstructionFacts> facts_;
  std::vector<InstructionCounters> counters_;
  std::uint64_t barriers_ = 0;
  std::vector<std::int32_t> table_of_;  ///< by pattern and kind
  std::vector<std::array<Cost, 32>> tables_;
};

AccessKind access_kind(const simt::InstructionFacts& facts) {
  if (facts.is_atomic) return AccessKind::atomic;
  if (facts.is_load) return AccessKind::load;
  return facts.is_store ? AccessKind::store : AccessKind::none;
}

std::vector<InstructionInfo> describe(const simt::Program& program) {
  const auto facts = simt::instructions(program);
  const auto& files = simt::module_of(program).files;
  std::vector<InstructionInfo> all(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    auto& info = all[i];
    const auto& in = facts[i].function->body[static_cast<std::size_t>(facts[i].body_index)];
    info.line = facts[i].location.line;
    if (facts[i].location.file < files.size()) info.file = files[facts[i].location.file];
    info.inlined_at_line = facts[i].inlined_at.line;
    info.spelling = std::string(in.spelling);
    info.access = access_kind(facts[i]);
    info.bytes_per_lane = facts[i].bytes_per_lane;
  }
  for (std::size_t begin = 0; begin < facts.size();) {
    const auto* function = facts[begin].function;
    std::size_t end = begin;
    while (end < facts.size() && facts[end].function == function) ++end;
    const auto depth = ptx::latency_depth(*function, ptx::control_flow(*function));
    for (std::size_t i = begin; i < end; ++i) {
      const auto at = static_cast<std::size_t>(facts[i].body_index);
      if (at < depth.serial_loads_at.size()) all[i].serial_loads = depth.serial_loads_at[at];
      if (at < depth.serial_shared_loads_at.size())
        all[i].serial_shared_loads = depth.serial_shared_loads_at[at];
    }
    begin = end;
  }
  return all;
}

void add(InstructionCounters& to, const InstructionCounters& from) {
  to.global_requests += from.global_requests;
  to.global_sectors += from.global_sectors;
  to.global_sectors_ideal += from.global_sectors_ideal;
  to.global_partial_sectors += from.global_partial_sectors;
  to.global_bytes += from.global_bytes;
  to.shared_requests += from.shared_requests;
  to.shared_wavefronts += from.shared_wavefronts;
  to.shared_wavefronts_ideal += from.shared_wavefronts_ideal;
  to.local_requests += from.local_requests;
  to.local_sectors += from.local_sectors;
}

}  // namespace

Counting::Counting(const simt::Program& program) : program_(program) {
  counters_.info = describe(program);
  counters_.instructions.resize(counters_.info.size());
}
Counting::~Counting() = default;

std::unique_ptr<simt::Observer> Counting::make() {
  return std::make_unique<CountingObserver>(simt::instructions(program_));
}

void Counting::collect(simt::Observer& observer, const std::uint64_t* warp_executions,
                       const std::uint64_t* thread_executions, std::size_t instructions) {
  const auto& counted = static_cast<CountingObserver&>(observer);
  counters_.barriers_executed += counted.barriers();
  for (std::size_t i = 0; i < instructions; ++i) {
    auto& total = counters_.instructions[i];
    add(total, counted.counters()[i]);
    total.warp_executions += warp_executions[i];
    total.thread_executions += thread_executions[i];
    counters_.warp_instructions += warp_executions[i];
    counters_.thread_instructions += thread_executions[i];
  }
}

CountingRun run_counted(const simt::Program& program, const launch::Launch& launch,
                        std::span<const std::byte> parameter_block, simt::Memory& memory,
                        const simt::RunOptions& options) {
  Counting counting(program);
  CountingRun run;
  run.result = simt::run(program, launch, parameter_block, memory, &counting, options);
  run.counters = counting.take();
  return run;
}

}  // namespace labkit::observe
