#include "observe/suspicion.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "observe/suspicion_global.h"
#include "observe/suspicion_shared.h"
#include "simt/definedness.h"

namespace labkit::observe {

class Suspicion::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const SuspicionPlan& plan) : plan_(plan), shared_(plan), global_(plan) {}

  unsigned reasons() const { return reasons_ | shared_.reasons | global_.reasons; }
  std::map<std::uint64_t, Touched>& touched() { return global_.touched; }
  AlikeBlocks alike;

  void on_block_begin(std::uint64_t number, std::uint32_t threads) override {
    auto& block = blocks_.begin(number);
    shared_.begin(block.shared, threads);
    block.local.resize(block.shared.warps.size());
    for (auto& local : block.local) std::ranges::fill(local, 0);
    block.history.clear();
    std::ranges::fill(block.arrived, Block::Arrived{});
  }
  void on_block_end(std::uint64_t number) override {
    auto& block = blocks_.at(number);
    shared_.judge(block.shared);
    if (block.shared.is_like_no_other) block.history.add(SharedHistory::exit, ~number);
    if (block.shared.is_suspected) alike.add(block.history.hash(), number);
    blocks_.end(number);
  }
  /// Blocks that the launch did not run to their end.
  void judge_cut_short() {
    for (auto& [number, block] : blocks_.all()) shared_.judge(block->shared);
  }
  void on_arrival(const simt::BarrierArrival& arrival) override {
    auto& block = blocks_.at(arrival.block);
    auto& arrived = block.arrived[arrival.number];
    block.history.add(SharedHistory::arrival, arrival.instruction,
                      std::uint64_t{arrival.warp} << 32 | arrival.lanes);
    if (!arrival.whole_block || !arrival.waits ||
        (arrived.threads != 0 && arrived.instruction != arrival.instruction))
      reasons_ |= kUnevenBarrier;
    arrived.threads += simt::lane_count(arrival.lanes);
    arrived.instruction = arrival.instruction;
  }
  void on_release(std::uint64_t number, std::uint32_t barrier) override {
    auto& block = blocks_.at(number);
    if (block.arrived[barrier].threads != block.shared.threads) reasons_ |= kUnevenBarrier;
    block.arrived[barrier] = {};
    block.history.add(SharedHistory::release, barrier);
    shared_.judge(block.shared);
  }
  void on_phase(const simt::PhaseEvent&) override { reasons_ |= kUnevenBarrier; }
  void on_warp_sync(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    auto& block = blocks_.at(number);
    block.history.add(SharedHistory::warp_sync, warp, lanes);
    shared_.meet(block.shared, warp, lanes);
  }
  void on_async(const simt::AsyncEvent& event) override {
    using Kind = simt::AsyncEvent::Kind;
    if (event.kind == Kind::copy) return;
    auto& block = blocks_.at(event.block);
    if (event.kind == Kind::commit) {
      block.history.add(SharedHistory::commit, event.warp, event.lanes);
      return shared_.commit(block.shared, event.warp, event.lanes);
    }
    block.history.add(SharedHistory::wait, event.warp, event.lanes);
    block.history.add(SharedHistory::wait, event.groups);
    shared_.wait(block.shared, event.warp, event.lanes, event.groups);
  }
  void on_exit(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    blocks_.at(number).history.add(SharedHistory::exit, warp, lanes);
  }
  void on_stray_exchange(const simt::StrayExchange&) override {
    reasons_ |= Suspects::undefined | Suspects::barriers;
  }

  void on_access(const simt::Access& access) override {
    switch (access.space) {
      case ptx::Space::shared: {
        auto& block = blocks_.at(access.block);
        block.history.add(access);
        shared_.on_access(block.shared, access);
        return;
      }
      case ptx::Space::global:
        return global_.on_access(access);
      case ptx::Space::local:
        return on_local(access);
      default:
        return;
    }
  }

 private:
  struct Block {
    SharedState shared;
    SharedHistory history;
    std::vector<std::vector<std::uint32_t>> local;  ///< of each warp: lanes that wrote, by cell
    struct Arrived {
      std::uint32_t threads = 0, instruction = 0;
    } arrived[16];
  };

  /// Warps that meet apart may be taken for ordered by a barrier of all.
  static constexpr unsigned kUnevenBarrier = Suspects::barriers | Suspects::shared_order;

  /// Local memory is a thread's own: only what was never written is of interest.
  void on_local(const simt::Access& access) {
    auto& local = blocks_.at(access.block).local[access.warp];
    const auto [low, high] = range_of(access);
    const unsigned shift = static_cast<unsigned>(std::countr_zero(plan_.local_cell));
    if ((high >> shift) + 1 > local.size()) local.resize((high >> shift) + 1, 0);
    if (high - low == access.bytes_per_lane) {  // nearly always: the same variable of each lane
      for (std::size_t k = low >> shift; k < high >> shift; ++k) {
        if (access.is_store)
          local[k] |= access.active;
        else if ((access.active & ~local[k]) != 0)
          reasons_ |= Suspects::undefined;
      }
      return;
    }
    for (const auto lane : Lanes(access.active)) {
      const std::size_t from = access.addresses[lane] >> shift;
      for (std::size_t k = from; k < from + (access.bytes_per_lane >> shift); ++k) {
        if (access.is_store)
          local[k] |= 1u << lane;
        else if (!(local[k] >> lane & 1))
          reasons_ |= Suspects::undefined;
      }
    }
  }

  const SuspicionPlan& plan_;
  unsigned reasons_ = 0;  ///< Suspects::Reason
  SharedLook shared_;
  GlobalLook global_;
  BlockStates<Block> blocks_;
};

Suspicion::Suspicion(const simt::Program& program, const launch::Launch& launch,
                     const simt::Memory& memory, bool all_reads)
    : plan_{.memory = memory,
            .facts = simt::instructions(program),
            .arrays = simt::facts(program).shared_arrays,
            .shared_cell = cell_bytes(program, ptx::Space::shared, kWidestCell),
            .global_cell = cell_bytes(program, ptx::Space::global, kWidestCell),
            .local_cell = cell_bytes(program, ptx::Space::local, kWidestCell),
            .shared_end = static_cast<std::uint32_t>(simt::facts(program).static_shared_bytes) +
                          launch.dynamic_shared_bytes,
            .threads = static_cast<std::uint32_t>(launch.block.count()),
            .all_reads = all_reads} {
  for (const auto& array : plan_.arrays)
    if (array.is_dynamic) plan_.shared_end = array.begin + launch.dynamic_shared_bytes;
  const bool is_unseen = simt::facts(program).uses_images;  // what textures read
  if (is_unseen || simt::may_read_unset(program)) plan_.always |= Suspects::undefined;
  for (const auto& facts : plan_.facts) {
    // frames of functions are used again by the next call: what is left there looks written
    if (facts.function != plan_.facts.front().function)
      for (const auto& variable : facts.function->variables)
        if (variable.space == ptx::Space::local) plan_.always |= Suspects::undefined;
    // atomics of the block alone are plain to other blocks
    if (facts.is_atomic && facts.space != ptx::Space::shared && facts.text().has("cta"))
      plan_.always |= Suspects::global_order;
  }
}

std::unique_ptr<simt::Observer> Suspicion::make() { return std::make_unique<Watcher>(plan_); }

void Suspicion::collect(simt::Observer& observer, const simt::Executions&) {
  auto& watcher = static_cast<Watcher&>(observer);
  watcher.judge_cut_short();
  reasons_ |= watcher.reasons();
  touched_.push_back(std::move(watcher.touched()));
  alike_.add(watcher.alike);
}

namespace {

constexpr std::size_t kAtOnce = 1024;

/// What each host thread has of one allocation.
using Parts = std::vector<const Touched*>;

/// What all host threads together say of one allocation, [at, at + count) of its cells or lines.
struct Joined {
  GlobalOwner writers[kAtOnce] = {}, readers[kAtOnce] = {};
};

/// Adds places that clash, as bytes from the beginning of the allocation.
void find_in_cells(Span& clashes, const Parts& parts, const Span& cells, std::uint32_t cell) {
  for (std::size_t at = cells.begin; at < cells.end; at += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, cells.end - at);
    Joined all;
    for (const auto* part : parts) {  // pages that a part never touched stay untouched
      if (part->any_written) join_all(all.writers, part->writers.get() + at, count);
      if (part->any_read) join_all(all.readers, part->readers.get() + at, count);
    }
    GlobalOwner any = 0;
    for (std::size_t k = 0; k < count; ++k)
      any |= static_cast<GlobalOwner>(clash(all.writers[k], all.readers[k]));
    if (any == 0) continue;
    for (std::size_t k = 0; k < count; ++k)
      if (clash(all.writers[k], all.readers[k])) clashes.add((at + k) * cell, (at + k + 1) * cell);
  }
}

/// Places that clash: bytes from the beginning of the allocation.
Span clashes_in(const Parts& parts, std::uint32_t cell) {
  Span cells, lines, clashes;
  bool written = false, read = false;
  for (const auto* part : parts) {
    cells.add(part->cells);
    lines.add(part->lines);
    written = written || part->any_written;
    read = read || part->any_read;
  }
  if (written) find_in_cells(clashes, parts, cells, cell);
  const std::size_t of_line = kLine / cell;
  for (std::size_t at = lines.begin; at < lines.end; at += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, lines.end - at);
    Joined all;
    for (const auto* part : parts) {
      join_all(all.writers, part->line_writers.get() + at, count);
      join_all(all.readers, part->line_readers.get() + at, count);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const auto add_line = [&] { clashes.add((at + k) * kLine, (at + k + 1) * kLine); };
      if (clash(all.writers[k], all.readers[k])) add_line();
      // the line's cells are told apart elsewhere: who they belong to is not compared
      const bool line_written = all.writers[k] != 0;
      if ((!line_written && (all.readers[k] == 0 || !written)) || (!written && !read)) continue;
      for (const auto* part : parts)
        for (std::size_t c = std::max(cells.begin, (at + k) * of_line);
             c < std::min(cells.end, (at + k + 1) * of_line); ++c)
          if ((part->any_written && part->writers[c] != 0) ||
              (line_written && part->any_read && part->readers[c] != 0))
            add_line();
    }
  }
  return clashes;
}

/// Whether every byte of the allocation has been written, by whomever: by whole lines, or cell by cell.
bool is_wholly_written(const Parts& parts, std::size_t size, std::size_t cell) {
  const std::size_t of_line = kLine / cell, count = (size + cell - 1) / cell;
  for (std::size_t line = 0; line * kLine < size; ++line) {
    if (std::ranges::any_of(parts, [&](const auto* part) { return part->line_writers[line] != 0; }))
      continue;
    const std::size_t from = line * of_line, to = std::min(from + of_line, count);
    GlobalOwner missing = 0;
    for (std::size_t k = from; k < to; ++k) {
      GlobalOwner writer = 0;
      for (const auto* part : parts)
        if (part->any_written) writer |= part->writers[k];
      missing |= static_cast<GlobalOwner>(writer == 0);
    }
    if (missing != 0) return false;
  }
  return true;
}

}  // namespace

std::map<std::uint64_t, Parts> Suspicion::allocations() const {
  std::map<std::uint64_t, Parts> all;
  for (const auto& one : touched_)
    for (const auto& [begin, touched] : one) all[begin].push_back(&touched);
  return all;
}

Suspects Suspicion::suspects() const {
  Suspects found;
  found.reasons = plan_.always | reasons_;
  // what the look could not hold may be anywhere
  const bool not_told_where = (found.reasons & Suspects::global_order) != 0;
  for (const auto& [begin, parts] : allocations())
    if (const auto clashes = clashes_in(parts, plan_.global_cell); !clashes.empty())
      found.ranges.push_back({begin + clashes.begin, begin + clashes.end});
  if (!found.ranges.empty()) found.reasons |= Suspects::global_order;
  if (not_told_where) found.ranges = {{0, ~0ull}};
  // where blocks learn of one another, or not all come to a barrier, their own history does not say all
  if ((found.reasons & (Suspects::global_order | Suspects::barriers)) == 0)
    found.standing = alike_.first_ones();
  return found;
}

bool Suspicion::wants_all_reads() const {
  const auto is_written = [](const Touched* part) {
    return part->any_written || part->any_line_written;
  };
  return std::ranges::any_of(allocations(), [&](const auto& allocation) {
    return std::ranges::any_of(allocation.second, is_written) &&
           std::ranges::any_of(allocation.second, &Touched::read_unfollowed);
  });
}

void Suspicion::mark_unwritten(simt::Memory& memory) const {
  auto touched = allocations();
  const std::uint64_t cell = plan_.global_cell;
  for (const auto& place : memory.places()) {
    if (place.written) continue;
    const Parts& parts = touched[place.begin];
    if (is_wholly_written(parts, place.size, cell)) {
      memory.mark_written(place.begin);
      continue;
    }
    const std::span<std::uint8_t> defined = memory.follow(place.begin);
    const auto define = [&](const GlobalOwners& writers, const Span& span, std::uint64_t bytes) {
      for (std::size_t k = span.begin; k < span.end && k * bytes < place.size; ++k)
        if (writers[k] != 0)
          std::fill_n(defined.data() + k * bytes, std::min(bytes, place.size - k * bytes),
                      simt::kDefined);
    };
    for (const auto* part : parts) {
      define(part->line_writers, part->lines, kLine);
      if (part->any_written) define(part->writers, part->cells, cell);
    }
  }
}

}  // namespace labkit::observe
