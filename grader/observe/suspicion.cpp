#include "observe/suspicion.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/alike_blocks.h"
#include "observe/suspicion_global.h"
#include "observe/suspicion_owners.h"
#include "observe/suspicion_shared.h"
#include "simt/definedness.h"

namespace labkit::observe {

struct Suspicion::Seen {
  unsigned reasons = 0;
  std::vector<std::map<std::uint64_t, Touched>> touched;  ///< of each host thread, by beginning
  AlikeBlocks alike;                                      ///< suspected of shared_order
};

class Suspicion::Watcher final : public simt::Observer {
 public:
  explicit Watcher(const SuspicionPlan& plan) : plan_(plan), shared_(plan), global_(plan) {}

  unsigned reasons() const { return reasons_ | shared_.reasons | global_.reasons; }
  std::map<std::uint64_t, Touched>& touched() { return global_.touched; }
  AlikeBlocks alike;

  void on_block_begin(std::uint64_t block, std::uint32_t threads) override {
    auto& state = blocks_[block];
    if (!state && !spare_.empty()) {
      state = std::move(spare_.back());
      spare_.pop_back();
    }
    if (!state) state = std::make_unique<Block>();
    shared_.begin(state->shared, threads);
    state->local.resize(state->shared.warps.size());
    for (auto& local : state->local) std::fill(local.begin(), local.end(), 0);
    state->history.clear();
    for (auto& arrived : state->arrived) arrived = {};
    current_ = state.get();
    number_ = block;
  }
  void on_block_end(std::uint64_t block) override {
    const auto at = blocks_.find(block);
    if (at == blocks_.end()) return;
    auto& ended = *at->second;
    shared_.judge(ended.shared);
    if (ended.shared.is_like_no_other) ended.history.add(SharedHistory::exit, ~block);
    if (ended.shared.is_suspected) alike.add(ended.history.hash(), block);
    spare_.push_back(std::move(at->second));
    blocks_.erase(at);
    current_ = nullptr;
  }
  /// Blocks that the launch did not run to their end.
  void judge_cut_short() {
    for (auto& [number, block] : blocks_) shared_.judge(block->shared);
  }
  void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
  void on_arrival(const simt::BarrierArrival& arrival) override {
    auto& block = block_of(arrival.block);
    auto& arrived = block.arrived[arrival.number];
    block.history.add(SharedHistory::arrival, arrival.instruction,
                      std::uint64_t{arrival.warp} << 32 | arrival.lanes);
    if (!arrival.whole_block || !arrival.waits ||
        (arrived.threads != 0 && arrived.instruction != arrival.instruction))
      reasons_ |= kUnevenBarrier;
    arrived.threads += static_cast<std::uint32_t>(std::popcount(arrival.lanes));
    arrived.instruction = arrival.instruction;
  }
  void on_release(std::uint64_t number, std::uint32_t barrier) override {
    auto& block = block_of(number);
    if (block.arrived[barrier].threads != block.shared.threads) reasons_ |= kUnevenBarrier;
    block.arrived[barrier] = {};
    block.history.add(SharedHistory::release, barrier);
    shared_.judge(block.shared);
  }
  void on_warp_sync(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::warp_sync, warp, lanes);
    shared_.meet(block.shared, warp, lanes);
  }
  void on_async_commit(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::commit, warp, lanes);
    shared_.commit(block.shared, warp, lanes);
  }
  void on_async_wait(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes,
                     std::uint64_t groups) override {
    auto& block = block_of(number);
    block.history.add(SharedHistory::wait, warp, lanes);
    block.history.add(SharedHistory::wait, groups);
    shared_.wait(block.shared, warp, lanes, groups);
  }
  void on_exit(std::uint64_t number, std::uint32_t warp, std::uint32_t lanes) override {
    block_of(number).history.add(SharedHistory::exit, warp, lanes);
  }
  void on_stray_exchange(const simt::StrayExchange&) override {
    reasons_ |= Suspects::undefined | Suspects::barriers;
  }

  void on_access(const simt::Access& access) override {
    switch (access.space) {
      case ptx::Space::shared: {
        auto& block = block_of(access.block);
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

  Block& block_of(std::uint64_t number) {
    if (current_ == nullptr || number_ != number) {
      current_ = blocks_.at(number).get();
      number_ = number;
    }
    return *current_;
  }

  /// Local memory is a thread's own: only what was never written is of interest.
  void on_local(const simt::Access& access) {
    auto& local = block_of(access.block).local[access.warp];
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
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
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
  std::unordered_map<std::uint64_t, std::unique_ptr<Block>> blocks_;
  std::vector<std::unique_ptr<Block>> spare_;
  Block* current_ = nullptr;
  std::uint64_t number_ = 0;
};

Suspicion::Suspicion(const simt::Program& program, const launch::Launch& launch,
                     const simt::Memory& memory, bool all_reads)
    : plan_(std::make_unique<SuspicionPlan>(
          SuspicionPlan{memory, simt::instructions(program), simt::facts(program).shared_arrays})),
      seen_(std::make_unique<Seen>()) {
  for (const auto& facts : plan_->facts) {
    const ptx::Function& function = *facts.function;
    // frames of functions are used again by the next call: what is left there looks written
    if (&function != plan_->facts.front().function)
      for (const auto& variable : function.variables)
        if (variable.space == ptx::Space::local) plan_->always |= Suspects::undefined;
    if (!facts.is_load && !facts.is_store && !facts.is_atomic) continue;
    // atomics of the block alone are plain to other blocks
    const auto& in = function.body[static_cast<std::size_t>(facts.body_index)];
    if (facts.is_atomic && facts.space != ptx::Space::shared && in.has("cta"))
      plan_->always |= Suspects::global_order;
    const auto bytes = std::max<std::uint32_t>(facts.bytes_per_lane, 1);
    auto narrow = [&](ptx::Space space, std::uint32_t& cell) {
      if (facts.space == space || facts.space == ptx::Space::generic) cell = std::min(cell, bytes);
    };
    narrow(ptx::Space::shared, plan_->shared_cell);
    if (facts.is_load && facts.is_store)  // cp.async
      plan_->shared_cell = std::min(plan_->shared_cell, bytes);
    narrow(ptx::Space::global, plan_->global_cell);
    narrow(ptx::Space::local, plan_->local_cell);
  }
  plan_->shared_end = static_cast<std::uint32_t>(simt::facts(program).static_shared_bytes) +
                      launch.dynamic_shared_bytes;
  for (const auto& array : plan_->arrays)
    if (array.is_dynamic) plan_->shared_end = array.begin + launch.dynamic_shared_bytes;
  if (simt::may_read_unset(program)) plan_->always |= Suspects::undefined;
  plan_->all_reads = all_reads;
  plan_->threads = static_cast<std::uint32_t>(launch.block.count());
}
Suspicion::~Suspicion() = default;

std::unique_ptr<simt::Observer> Suspicion::make() { return std::make_unique<Watcher>(*plan_); }

void Suspicion::collect(simt::Observer& observer, const std::uint64_t*, const std::uint64_t*,
                        std::size_t) {
  auto& watcher = static_cast<Watcher&>(observer);
  watcher.judge_cut_short();
  seen_->reasons |= watcher.reasons();
  seen_->touched.push_back(std::move(watcher.touched()));
  seen_->alike.add(watcher.alike);
}

namespace {

constexpr std::size_t kAtOnce = 1024;

/// What all host threads together say of one allocation, [at, at + count) of its cells or lines.
struct Joined {
  GlobalOwner writers[kAtOnce] = {}, readers[kAtOnce] = {};
};

/// Places in one allocation that clash, as the bytes [begin, end) from its beginning that hold them all.
struct Clashes {
  std::uint64_t begin = ~0ull, end = 0;
  bool any() const { return begin < end; }
  void add(std::uint64_t from, std::uint64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
};

void find_in_cells(Clashes& clashes, const std::vector<const Touched*>& parts, std::size_t low,
                   std::size_t high, std::uint32_t cell) {
  for (std::size_t at = low; at < high; at += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, high - at);
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

Clashes clashes_in(const std::vector<const Touched*>& parts, std::uint32_t cell) {
  std::size_t low = ~std::size_t{0}, high = 0, line_low = ~std::size_t{0}, line_high = 0;
  bool written = false, read = false;
  for (const auto* part : parts) {
    low = std::min(low, part->low);
    high = std::max(high, part->high);
    line_low = std::min(line_low, part->line_low);
    line_high = std::max(line_high, part->line_high);
    written = written || part->any_written;
    read = read || part->any_read;
  }
  Clashes clashes;
  if (written) find_in_cells(clashes, parts, low, high, cell);
  const std::size_t cells = kLine / cell;
  for (std::size_t at = line_low; at < line_high; at += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, line_high - at);
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
        for (std::size_t c = std::max(low, (at + k) * cells);
             c < std::min(high, (at + k + 1) * cells); ++c)
          if ((part->any_written && part->writers[c] != 0) ||
              (line_written && part->any_read && part->readers[c] != 0))
            add_line();
    }
  }
  return clashes;
}

}  // namespace

Suspects Suspicion::suspects() const {
  Suspects found;
  found.reasons = plan_->always | seen_->reasons;
  // what the look could not hold may be anywhere
  const bool not_told_where = (found.reasons & Suspects::global_order) != 0;
  std::map<std::uint64_t, std::vector<const Touched*>> all;
  for (const auto& one : seen_->touched)
    for (const auto& [begin, touched] : one) all[begin].push_back(&touched);
  for (const auto& [begin, parts] : all)
    if (const auto clashes = clashes_in(parts, plan_->global_cell); clashes.any())
      found.ranges.push_back({begin + clashes.begin, begin + clashes.end});
  if (!found.ranges.empty()) found.reasons |= Suspects::global_order;
  if (not_told_where) found.ranges = {{0, ~0ull}};
  // where blocks learn of one another, or not all come to a barrier, their own history does not say all
  if ((found.reasons & (Suspects::global_order | Suspects::barriers)) == 0)
    found.standing = seen_->alike.first_ones();
  return found;
}

bool Suspicion::wants_all_reads() const {
  std::map<std::uint64_t, std::pair<bool, bool>> all;  // written, read without being followed
  for (const auto& one : seen_->touched)
    for (const auto& [begin, touched] : one) {
      auto& [written, read] = all[begin];
      written = written || touched.any_written || touched.any_line_written;
      read = read || touched.read_unfollowed;
    }
  return std::any_of(all.begin(), all.end(), [](const auto& allocation) {
    return allocation.second.first && allocation.second.second;
  });
}

/// Whether every byte of the allocation has been written, by whomever: by whole lines, or cell by cell.
bool Suspicion::wholly_written(const simt::Memory::Place& place) const {
  const std::size_t cell = plan_->global_cell, cells = kLine / cell;
  std::vector<const Touched*> parts;
  for (const auto& one : seen_->touched)
    if (const auto at = one.find(place.begin); at != one.end()) parts.push_back(&at->second);
  const std::size_t count = (place.size + cell - 1) / cell;
  for (std::size_t line = 0; line * kLine < place.size; ++line) {
    const auto in_line = [&](const Touched* part) { return part->line_writers[line] != 0; };
    if (std::any_of(parts.begin(), parts.end(), in_line)) continue;
    const std::size_t from = line * cells, to = std::min(from + cells, count);
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

void Suspicion::mark_unwritten(simt::Memory& memory) const {
  const std::uint64_t cell = plan_->global_cell;
  for (const auto& place : memory.places()) {
    if (place.written) continue;
    if (wholly_written(place)) {
      memory.mark_written(place.begin);
      continue;
    }
    std::vector<std::uint8_t> undefined(place.size, simt::kNeverWritten);
    for (const auto& one : seen_->touched) {
      const auto at = one.find(place.begin);
      if (at == one.end()) continue;
      const auto& touched = at->second;
      for (std::size_t k = touched.line_low; k < touched.line_high && k * kLine < place.size; ++k)
        if (touched.line_writers[k] != 0)
          std::fill_n(undefined.begin() + static_cast<std::ptrdiff_t>(k * kLine),
                      std::min(kLine, place.size - k * kLine), simt::kDefined);
      if (!touched.any_written) continue;
      for (std::size_t k = touched.low; k < touched.high && k * cell < place.size; ++k)
        if (touched.writers[k] != 0)
          std::fill_n(undefined.begin() + static_cast<std::ptrdiff_t>(k * cell),
                      std::min(cell, place.size - k * cell), simt::kDefined);
    }
    memory.set_undefined(place.begin, std::move(undefined));
  }
}

}  // namespace labkit::observe
