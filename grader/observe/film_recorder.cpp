// What is kept of a run. A warp's first executions of each instruction, so that a film is bounded by what the kernel has
// written down, not by how long it loops, and still reaches its end.
#include "observe/film_recorder.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "observe/counting.h"
#include "observe/film_race.h"
#include "observe/places.h"
#include "observe/samples_observer.h"
#include "observe/watching.h"
#include "simt/both_observers.h"

namespace labkit::observe {
namespace {

/// Of steps that are recorded before those beyond kMostFilmSteps are taken out.
constexpr std::size_t kMostRecorded = 8000;
constexpr std::uint32_t kWordBytes = 4;

/// Of shared memory.
using Words = std::set<std::uint32_t>;

void add(Words& words, const std::uint64_t* addresses, std::uint32_t lanes, std::uint32_t bytes) {
  for (const std::uint32_t lane : Lanes(lanes))
    for (std::uint32_t byte = 0; byte < bytes; byte += kWordBytes)
      words.insert(static_cast<std::uint32_t>(addresses[lane] + byte) / kWordBytes);
}

/// Takes them out of `words`.
void add_filled(FilmStep& step, Words& words) {
  for (const auto& [begin, end] : std::exchange(step.filled, {}))
    for (std::uint32_t at = begin; at < end; at += kWordBytes) words.insert(at / kWordBytes);
  for (const std::uint32_t word : std::exchange(words, {})) {
    const std::uint32_t at = word * kWordBytes;
    if (step.filled.empty() || step.filled.back().second != at) step.filled.emplace_back(at, at);
    step.filled.back().second = at + kWordBytes;
  }
}

class Recorder final : public simt::ObserverFactory {
 public:
  Recorder(const Places& places, Film& film, const launch::Finding* race)
      : places_(places), film_(film), race_(race) {}
  std::unique_ptr<simt::Observer> make() override;
  void collect(simt::Observer& observer, const simt::Executions& executions) override;
  /// Of a warp, behind its last step.
  std::uint32_t skipped_at_end(const FilmedWarp& who) { return skipped_[who]; }

 private:
  class Watcher;
  std::map<FilmedWarp, std::uint32_t> skipped_;
  const Places& places_;
  Film& film_;
  const launch::Finding* race_;  ///< may be null
};

class Recorder::Watcher final : public simt::Observer {
 public:
  Watcher(const Places& places, Film& film, const launch::Finding* race)
      : places_(places), film_(film), race_(race), costs_(simt::instructions(places.program())) {}

  void on_access(const simt::Access& access) override {
    const auto block = blocks_.find(access.block);
    if (block == blocks_.end()) return;
    const FilmedWarp who{access.block, access.warp};
    if (const auto costed = cost_of(access, costs_); costed && is_filmed(who)) {
      const std::uint32_t execution =
          executions_[{who, access.instruction, static_cast<std::uint32_t>(access.space)}]++;
      std::uint16_t& most = most_[{who, access.instruction}];
      const bool is_dearer = costed->cost.count > most && dearer_[who]++ < kFilmedExecutions;
      most = std::max(most, costed->cost.count);
      const bool is_kept = execution < kFilmedExecutions || is_dearer;
      if (is_kept || race_) {
        FilmStep step = new_step(FilmStep::What::access, who, access.active, access.instruction);
        step.space = access.space;
        step.is_store = access.is_store;
        step.is_atomic = access.is_atomic;
        step.access = warp_access(access, *costed, execution);
        step.races = race_ && is_of_race(step, *race_);
        if (step.races && step.where.line == 0) step.where = line_of_race(step, *race_);
        // The race may come later than the executions that are kept of any instruction.
        if ((is_kept || (step.races && raced_[{who, access.instruction}]++ < kFilmedExecutions)) &&
            keep(std::move(step)))
          return;
      }
      if (!is_kept) ++skipped_[who];
    }
    if (access.space == ptx::Space::shared && (access.is_store || access.is_atomic))
      observe::add(is_filmed(who) ? left_out_[who] : block->second.filled, access.addresses,
                   access.active, access.bytes_per_lane);
  }
  void on_arrival(const simt::BarrierArrival& arrival) override {
    const auto block = blocks_.find(arrival.block);
    if (block == blocks_.end()) return;
    auto& arrived = block->second.arrived[arrival.number];
    arrived.insert(arrival.warp);
    if (!arrival.waits) return;
    block->second.barrier[arrival.number] = arrival.instruction;
    const FilmedWarp who{arrival.block, arrival.warp};
    if (!is_filmed(who)) return;
    if (executions_[{who, arrival.instruction, 0}]++ >= kFilmedExecutions) {
      ++skipped_[who];
      return;
    }
    FilmStep step = new_step(FilmStep::What::wait, who, arrival.lanes, arrival.instruction);
    step.arrived = static_cast<std::uint32_t>(arrived.size());
    keep(std::move(step));
  }
  void on_release(std::uint64_t number, std::uint32_t barrier) override {
    const auto found = blocks_.find(number);
    if (found == blocks_.end()) return;
    Block& block = found->second;
    block.arrived[barrier].clear();
    const FilmedWarp all{number, kNoWarp};
    const std::uint32_t instruction = block.barrier[barrier];
    FilmStep step = new_step(FilmStep::What::release, all, 0, instruction);
    ++block.interval;
    if (executions_[{all, instruction, barrier}]++ >= kFilmedExecutions) return;
    if (FilmStep* const kept = keep(std::move(step))) {
      kept->others_stored = !block.filled.empty();
      add_filled(*kept, block.filled);
      for (auto& [who, words] : left_out_)
        if (who.block == number) add_filled(*kept, words);
    }
  }
  void on_exit(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes) override {
    if (is_filmed({block, warp})) keep(new_step(FilmStep::What::exit, {block, warp}, lanes, 0));
  }
  void film(std::uint64_t block) { blocks_[block]; }
  const std::map<FilmedWarp, std::uint32_t>& skipped() const { return skipped_; }

 private:
  struct Block {
    std::map<std::uint32_t, std::set<std::uint32_t>> arrived;  ///< barrier -> warps
    std::map<std::uint32_t, std::uint32_t> barrier;            ///< -> where they wait
    Words filled;                                              ///< by stores that are no steps
    std::uint32_t interval = 0;                                ///< barriers released
  };
  static constexpr std::uint32_t kNoWarp = ~0u;

  bool is_filmed(const FilmedWarp& who) const { return std::ranges::count(film_.warps, who) > 0; }
  FilmStep new_step(FilmStep::What what, const FilmedWarp& who, std::uint32_t lanes,
                    std::uint32_t instruction) {
    FilmStep step{.what = what, .who = who, .lanes = lanes, .instruction = instruction};
    if (what != FilmStep::What::exit) step.where = places_.line(instruction);
    step.interval = blocks_.at(who.block).interval;
    return step;
  }
  /// Null where there is no room.
  FilmStep* keep(FilmStep step) {
    if (film_.steps.size() >= kMostRecorded) {
      ++film_.left_out;
      return nullptr;
    }
    if (step.who.warp != kNoWarp) {
      step.skipped = std::exchange(skipped_[step.who], 0);
      add_filled(step, left_out_[step.who]);
    }
    return &film_.steps.emplace_back(std::move(step));
  }

  const Places& places_;
  Film& film_;
  const launch::Finding* race_;
  AccessCosts costs_;
  std::map<std::uint64_t, Block> blocks_;
  /// By instruction and space, or barrier.
  std::map<std::tuple<FilmedWarp, std::uint32_t, std::uint32_t>, std::uint32_t> executions_;
  std::map<std::tuple<FilmedWarp, std::uint32_t>, std::uint32_t> raced_;  ///< by instruction
  std::map<FilmedWarp, std::uint32_t> skipped_;
  std::map<FilmedWarp, Words> left_out_;  ///< stored by those, and told of by no step yet
  std::map<std::tuple<FilmedWarp, std::uint32_t>, std::uint16_t> most_;  ///< cost, by instruction
  std::map<FilmedWarp, std::uint32_t> dearer_;  ///< steps that are kept since they cost more
};

std::unique_ptr<simt::Observer> Recorder::make() {
  auto watcher = std::make_unique<Watcher>(places_, film_, race_);
  for (const FilmedWarp& each : film_.warps) watcher->film(each.block);
  return watcher;
}

void Recorder::collect(simt::Observer& observer, const simt::Executions&) {
  skipped_ = static_cast<Watcher&>(observer).skipped();
}

/// Fewer executions of each instruction, until it fits.
void shorten(Film& film) {
  for (std::uint32_t kept = kFilmedExecutions / 2; kept > 0 && film.steps.size() > kMostFilmSteps;
       kept /= 2) {
    std::map<FilmedWarp, std::uint32_t> skipped;
    std::map<FilmedWarp, Words> filled;
    std::vector<FilmStep> steps;
    for (FilmStep& step : film.steps) {
      std::uint32_t& before = skipped[step.who];
      before += step.skipped;
      if (step.what == FilmStep::What::access && step.access.execution >= kept && !step.races) {
        ++before;
        if (step.space == ptx::Space::shared && (step.is_store || step.is_atomic))
          add(filled[step.who], step.access.addresses.data(), step.lanes,
              step.access.bytes_per_lane);
        continue;
      }
      for (auto& [who, words] : filled)
        if (who == step.who ||
            (step.what == FilmStep::What::release && who.block == step.who.block))
          add_filled(step, words);
      step.skipped = std::exchange(before, 0);
      steps.push_back(std::move(step));
    }
    film.steps = std::move(steps);
  }
  if (film.steps.size() <= kMostFilmSteps) return;
  film.left_out += film.steps.size() - kMostFilmSteps;
  film.steps.resize(kMostFilmSteps);
}

std::vector<FilmedWarp> warps_of(const launch::Launch& launch, const launch::Finding* finding) {
  const auto warp_of = [&](const launch::Dim3& thread) {
    return static_cast<std::uint32_t>(linear(thread, launch.block) / simt::kLanes);
  };
  if (finding && finding->kind == launch::FindingKind::race) {
    const FilmedWarp first{linear(finding->other_block, launch.grid),
                           warp_of(finding->other_thread)},
        second{linear(finding->block, launch.grid), warp_of(finding->thread)};
    if (first == second) return {first};
    return {first, second};
  }
  const std::uint64_t block =
      linear(finding ? finding->block
                     : launch::Dim3{launch.grid.x / 2, launch.grid.y / 2, launch.grid.z / 2},
             launch.grid);
  std::set<FilmedWarp> warps;
  if (finding) warps.insert({block, warp_of(finding->thread)});
  if (finding && finding->other.line != 0 && finding->other_block == finding->block)
    warps.insert({block, warp_of(finding->other_thread)});
  for (std::uint32_t warp = 0;
       warps.size() < kFilmedWarps && warp * simt::kLanes < launch.block.count(); ++warp)
    warps.insert({block, warp});
  return {warps.begin(), warps.end()};
}

/// The last step: where the launch was stopped.
void add_stop(Film& film, const launch::Launch& launch, launch::Finding finding,
              Recorder& recorder) {
  const auto thread = static_cast<std::uint32_t>(linear(finding.thread, launch.block));
  FilmStep step{.what = FilmStep::What::stop,
                .who = {linear(finding.block, launch.grid), thread / simt::kLanes},
                .lanes = finding.lanes ? finding.lanes : 1u << thread % simt::kLanes,
                .where = finding.where};
  step.skipped = recorder.skipped_at_end(step.who);
  if (std::ranges::count(film.warps, step.who) == 0) film.warps.push_back(step.who);
  film.steps.push_back(std::move(step));
  film.stop.emplace().finding = std::move(finding);
}

}  // namespace

Film record_film(const simt::Program& program, const launch::Launch& launch,
                 std::span<const std::byte> parameters, simt::Memory& memory,
                 simt::RunOptions options, const launch::Finding* finding) {
  const bool has_race = finding && finding->kind == launch::FindingKind::race;
  const launch::Finding* const race = has_race ? finding : nullptr;
  Film film;
  film.warps = warps_of(launch, finding);
  film.is_of_race = has_race;
  film.warps_a_block =
      static_cast<std::uint32_t>((launch.block.count() + simt::kLanes - 1) / simt::kLanes);
  std::vector<std::uint64_t> blocks;
  for (const FilmedWarp& each : film.warps) blocks.push_back(each.block);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  options.threads = 1;
  if (!simt::facts(program).order_matters) options.blocks = blocks;
  const Places places(program, launch, memory);
  film.block = places.block(film.warps.front().block);
  Recorder recorder(places, film, race);
  Sampling sampling(program, launch);
  simt::BothObservers both(recorder, sampling);
  simt::RunResult ran = simt::run(program, launch, parameters, memory, &both, options);
  shorten(film);
  if (race) show_race(film, *race);
  if (!ran.completed && !ran.findings.empty() &&
      ran.findings.front().kind == launch::FindingKind::launch)
    return {};  // it never began
  if (!ran.completed && !ran.findings.empty()) {
    add_stop(film, launch, std::move(ran.findings.front()), recorder);
    film.stop->counters = Counting(program).take();
    film.stop->samples = sampling.take();
  }
  return film;
}

}  // namespace labkit::observe
