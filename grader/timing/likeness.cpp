#include "timing/likeness.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "timing/request.h"

namespace labkit::timing {
namespace {

/// Of what a launch does of a kind.
constexpr double kMostDistance = 0.25;
/// A kind that is less than this part of all that a launch does is compared with this part: a barrier in one block of a
/// thousand tells nothing.
constexpr double kLeastPart = 1.0 / 16;
/// What each kind weighs in all that a launch does, in instructions: no less than what one of it may hold a warp up for
/// while others have something to do.
constexpr std::array<double, kWorkNames.size()> kWeights = {1, 32, 4, 4, 32};
/// Of an instruction that lengthens a chain.
constexpr double kLink = 4;

enum Work : std::size_t { kInstructions, kRequests, kSectors, kShared, kBarriers };

bool is_barrier(const observe::InstructionInfo& info) {
  const std::string_view name = info.spelling;
  return name.starts_with("bar") && !name.starts_with("bar.warp");
}

/// How far a sample is from the whole, by kind of work.
struct Distances {
  std::array<double, kWorkNames.size()> whole{}, apart{};
  void add(Work work, double of_whole, double of_sample) {
    whole[work] += kWeights[work] * of_whole;
    apart[work] += kWeights[work] * std::abs(of_whole - of_sample);
  }
  Unlike most() const {
    const double all = std::accumulate(whole.begin(), whole.end(), 0.0);
    Unlike most;
    for (std::size_t work = 0; work < kWorkNames.size(); ++work) {
      const double least = std::max(whole[work], kLeastPart * all);
      const double distance = least > 0 ? apart[work] / least : 0;
      if (distance > most.distance) most = {std::string(kWorkNames[work]), distance};
    }
    return most;
  }
};

double at(const auto& counts, std::size_t i) {
  return i < counts.size() ? static_cast<double>(counts[i]) : 0;
}

class TraceObserver final : public simt::Observer {
 public:
  explicit TraceObserver(std::span<const std::uint64_t> blocks) : blocks_(blocks) {}
  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    is_traced_ = std::binary_search(blocks_.begin(), blocks_.end(), block);
    if (is_traced_) recorder_.begin(block, threads);
  }
  bool wants_each_shared_access() const override { return is_traced_; }
  bool wants_each_global_access() const override { return is_traced_; }
  bool wants_executions() const override { return is_traced_; }
  void on_access(const simt::Access& access) override {
    if (!is_traced_ || access.block != recorder_.block() || access.is_repeated_poll) return;
    if (access.space == ptx::Space::shared) return recorder_.on_shared(access);
    recorder_.on_access(access, lines_.of(access));
  }
  void on_barrier(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction) override {
    if (is_traced_ && block == recorder_.block()) recorder_.on_barrier(warp, instruction);
  }
  void on_block_total(const simt::BlockTotals& total) override {
    if (is_traced_) recorder_.on_total(total);
  }
  void on_block_end(std::uint64_t block) override {
    if (!is_traced_ || block != recorder_.block()) return;
    traces.push_back(recorder_.take());
    is_traced_ = false;
  }

  std::vector<BlockTrace> traces;

 private:
  std::span<const std::uint64_t> blocks_;
  bool is_traced_ = false;
  RequestLines lines_;
  TraceRecorder recorder_;
};

class Tracing final : public simt::ObserverFactory {
 public:
  explicit Tracing(std::span<const std::uint64_t> blocks) : blocks_(blocks) {}
  std::unique_ptr<simt::Observer> make() override {
    return std::make_unique<TraceObserver>(blocks_);
  }
  void collect(simt::Observer& observer, const simt::Executions&) override {
    for (BlockTrace& trace : static_cast<TraceObserver&>(observer).traces)
      traces.push_back(std::move(trace));
  }

  std::vector<BlockTrace> traces;

 private:
  std::span<const std::uint64_t> blocks_;
};

}  // namespace

std::optional<Unlike> unlike_the_launch(std::span<const BlockTrace> traces,
                                        const observe::LaunchCounters& counters, double blocks) {
  Distances distances;
  const double traced = std::max(1.0, static_cast<double>(traces.size()));
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    const observe::InstructionCounters& c = counters.instructions[i];
    const observe::InstructionInfo& info = counters.info[i];
    double executions = 0, sectors = 0;
    for (const BlockTrace& trace : traces) {
      executions += at(trace.executions, i) / traced;
      sectors += at(trace.sectors, i) / traced;
    }
    const double of_launch = static_cast<double>(c.warp_executions) / blocks;
    const double cost = 1 + kLink * info.links;
    distances.add(kInstructions, cost * of_launch, cost * executions);
    if (is_barrier(info)) distances.add(kBarriers, of_launch, executions);
    if (c.shared_requests > 0) distances.add(kShared, of_launch, executions);
    if (c.global_requests + c.local_requests == 0) continue;
    distances.add(kRequests, of_launch, executions);
    if (c.local_requests > 0) continue;  // where those lie is the hardware's business
    distances.add(kSectors, static_cast<double>(c.global_sectors) / blocks, sectors);
  }
  const Unlike most = distances.most();
  if (most.distance <= kMostDistance) return std::nullopt;
  return most;
}

bool beginnings_stand_for_blocks(std::span<const BlockTrace> traces,
                                 const observe::LaunchCounters& counters) {
  double seen = 0, kept = 0;
  for (const BlockTrace& trace : traces) {
    seen += static_cast<double>(trace.events_seen);
    kept += static_cast<double>(trace.events_kept);
  }
  if (kept == seen) return true;
  Distances distances;
  for (std::size_t i = 0; i < counters.instructions.size(); ++i) {
    const observe::InstructionCounters& c = counters.instructions[i];
    double of_whole = 0, of_kept = 0;
    for (const BlockTrace& trace : traces) {
      of_whole += at(trace.seen, i);
      of_kept += at(trace.kept, i) * seen / kept;
    }
    const Work work = is_barrier(counters.info[i])               ? kBarriers
                      : c.global_requests + c.local_requests > 0 ? kRequests
                                                                 : kShared;
    distances.add(work, of_whole, of_kept);
  }
  return distances.most().distance <= kMostDistance;
}

void trace_typical_blocks(Locality& locality, const observe::LaunchCounters& counters,
                          double blocks, std::uint64_t seed, const RunAgain& run_again) {
  if (!unlike_the_launch(locality.traces, counters, blocks)) return;
  const std::vector<BlockWork> typical = typical_blocks(locality.works, seed);
  std::vector<std::uint64_t> chosen;
  chosen.reserve(typical.size());
  for (const BlockWork& work : typical) chosen.push_back(work.block);
  Tracing tracing(chosen);
  if (!run_again(tracing, chosen)) return;
  std::ranges::sort(tracing.traces, {}, &BlockTrace::block);
  const bool same =
      std::ranges::equal(typical, tracing.traces, [](const BlockWork& work, const auto& trace) {
        return work.block == trace.block && work.path == trace.path;
      });
  if (same) locality.traces = std::move(tracing.traces);
}

}  // namespace labkit::timing
