#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "observe/findings.h"
#include "observe/watching.h"

namespace labkit::observe {
namespace {

using launch::Cause;
using launch::Dim3;
using launch::Finding;
using words::Id;

/// A thread that is followed, and where it came to at the line, in order; the same place at once again counts as once.
struct Followed {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;
  std::vector<std::uint64_t> addresses = {};
  /// Where the first lane beside it, of its row of the block, came to.
  std::vector<std::uint64_t> row_starts = {};
};
constexpr std::size_t kMostAddresses = 64;

/// Who came to an element in the row of another thread, where each thread has a row.
struct ForAnother {
  std::uint32_t thread = 0;  ///< in its block
  std::uint64_t row = 0;
};

struct Wanted {
  std::size_t finding = 0;  ///< index
  std::uint32_t block_width = 0;
  std::vector<bool> instructions;
  std::uint64_t begin = 0, end = 0;
  std::vector<Followed> threads;                   ///< threads_of()
  std::uint64_t row_bytes = 0, element_bytes = 0;  ///< of an access out of bounds; 0: not known
  std::uint64_t first_row = 0;                     ///< the number of its block's first thread
  bool may_be_parts =
      false;  ///< the row's length is a number of the launch: a thread's own may be a column
  std::optional<ForAnother> for_another = {};
};

void note(const Wanted& one, Followed& who, const simt::Access& access) {
  const std::uint32_t lane = who.thread % 32;
  if (access.block != who.block || access.warp != who.thread / 32 ||
      (access.active >> lane & 1) == 0 || who.addresses.size() >= kMostAddresses)
    return;
  const std::uint64_t address = access.addresses[lane];
  if (address < one.begin || address >= one.end) return;
  if (!who.addresses.empty() && who.addresses.back() == address) return;
  std::uint32_t first = lane - std::min(lane, who.thread % one.block_width);
  while ((access.active >> first & 1) == 0) ++first;
  who.addresses.push_back(address);
  who.row_starts.push_back(access.addresses[first]);
}

/// Of the finding's warp, a lane that is not at its thread's row (nor at that column, where threads may have those), if
/// lanes side by side touch elements side by side.
void note_others(Wanted& one, const simt::Access& access) {
  const Followed& who = one.threads.front();
  if (access.block != who.block || access.warp != who.thread / 32) return;
  std::uint64_t before = 0;
  for (const auto lane : Lanes(access.active)) {
    const std::uint64_t address = access.addresses[lane];
    if (address < one.begin || (before != 0 && address != before + one.element_bytes)) return;
    before = address;
  }
  if (std::has_single_bit(access.active)) return;
  for (const auto lane : Lanes(access.active)) {
    const std::uint32_t thread = access.warp * 32 + lane;
    const std::uint64_t offset = access.addresses[lane] - one.begin, own = one.first_row + thread;
    if (offset / one.row_bytes == own ||
        (one.may_be_parts && offset % one.row_bytes / one.element_bytes == own))
      continue;
    one.for_another = ForAnother{thread, offset / one.row_bytes};
    return;
  }
}

bool is_outside(const Finding& f) {
  return f.kind == launch::FindingKind::out_of_bounds && f.space == "global" &&
         !f.array.name.empty() && f.address >= f.array.begin + f.array.bytes;
}

/// Two stores of one line to one place.
bool is_met(const Finding& f) {
  return f.kind == launch::FindingKind::race && f.space == "global" && !f.array.name.empty() &&
         f.where == f.other && f.hazard == "WAW" && !launch::has_evidence(f, Id::race_update_lost);
}

bool is_wanted(const Finding& f) {
  return f.where.line != 0 && f.access_bytes != 0 && (is_outside(f) || is_met(f));
}

bool is_along_x(const launch::Launch& launch) {
  return launch.block.count() == launch.block.x && launch.grid.count() == launch.grid.x;
}

/// The launch is given that number.
bool has_number(const launch::Launch& launch, std::uint64_t number) {
  return std::ranges::count(numbers_of(launch, 0), number) != 0;
}

/// Elements; 0: not known.
std::uint64_t row_of(const Finding& finding, const std::vector<KnownRows>& rows) {
  for (const KnownRows& known : rows)
    if (known.begin == finding.array.begin) return known.row_elements;
  return 0;
}

class Steps {
 public:
  Steps(Finding& finding, const Wanted& seen, const launch::Launch& launch,
        const std::vector<KnownRows>& rows)
      : finding_(finding),
        seen_(seen),
        along_x_(is_along_x(launch)),
        threads_(launch.block.x),
        all_threads_(launch.grid.x * std::uint64_t{launch.block.x}),
        row_(row_of(finding, rows)) {
    if (row_ == 0) return;
    has_row_length_ = has_number(launch, row_);
    has_row_count_ = count() % row_ == 0 && has_number(launch, count() / row_);
  }

  /// Nothing where nothing of it is known to be amiss.
  void describe() {
    if (!along_x_) {
      if (is_met(finding_)) describe_rows();
      return;
    }
    if (is_outside(finding_) && describe_outside()) return;
    if (describe_parts() || !is_met(finding_)) return;
    if (finding_.block == finding_.other_block)
      describe_iterations();
    else
      describe_blocks();
  }

 private:
  /// In place of what the finding's index alone has said.
  bool put(Cause cause, words::Message fix, std::vector<words::Message> evidence) {
    if (is_outside(finding_)) forget_index(finding_);
    return diagnose(finding_, cause, std::move(fix), std::move(evidence));
  }

  /// The number of the element at an address, and of the finding's.
  std::uint64_t element_at(std::uint64_t address) const {
    return (address - finding_.array.begin) / finding_.access_bytes;
  }
  std::uint64_t element() const { return element_at(finding_.address); }
  std::uint64_t end() const { return finding_.array.begin + finding_.array.bytes; }
  /// The distance between all neighbours of a sequence, in elements; nullopt: it is not one, or no whole number of them.
  std::optional<std::uint64_t> step_of(const std::vector<std::uint64_t>& addresses) const {
    if (addresses.size() < 2) return std::nullopt;
    for (std::size_t i = 1; i + 1 < addresses.size(); ++i)
      if (addresses[i + 1] - addresses[i] != addresses[1] - addresses[0]) return std::nullopt;
    return apart(addresses[0], addresses[1]);
  }
  /// How far it is from one address to another behind it, in elements.
  std::optional<std::uint64_t> apart(std::uint64_t low, std::uint64_t high) const {
    const bool is_whole = high > low && (high - low) % finding_.access_bytes == 0;
    return is_whole ? std::optional((high - low) / finding_.access_bytes) : std::nullopt;
  }
  /// The first of each.
  std::optional<std::uint64_t> apart(const Followed& low, const Followed& high) const {
    if (low.addresses.empty() || high.addresses.empty()) return std::nullopt;
    return apart(low.addresses.front(), high.addresses.front());
  }

  /// Threads side by side that have run over the end of a row into the next: the first of them is still in the row before.
  void describe_rows() {
    if (row_ == 0 || launch::has_evidence(finding_, Id::index_rows_overlap)) return;
    const std::uint64_t row = element() / row_, col = element() % row_;
    for (std::size_t side = 0; side < 2; ++side) {
      const Followed& who = seen_.threads[side];
      const auto at = std::ranges::find(who.addresses, finding_.address);
      if (at == who.addresses.end()) continue;
      const std::uint64_t start = who.row_starts[at - who.addresses.begin()];
      if (start < finding_.array.begin || start >= finding_.address) continue;
      if (element_at(start) / row_ + 1 != row) continue;
      put(Cause::race_rows_overlap,
          {Id::step_fix_column,
           {with("line", finding_.where), with("array", name()), with("length", row_)}},
          {rows_overlap(row - 1, row_ + col, row, col, row_),
           {Id::step_past_row,
            {with("array", name()), with("length", row_),
             with("thread", side == 0 ? finding_.thread : finding_.other_thread)}}});
      return;
    }
  }

  const std::string& name() const { return finding_.array.name; }
  words::Parameter line() const { return with("line", finding_.where); }
  std::uint64_t count() const { return finding_.array.bytes / finding_.access_bytes; }

  /// The thread's number in the grid.
  std::uint64_t own() const { return finding_.block.x * threads_ + finding_.thread.x; }

  bool describe_outside() {
    if (row_ == 0 || count() % row_ != 0) return false;
    const std::uint64_t rows = count() / row_, row = element() / row_;
    const std::vector<std::uint64_t>& inside = seen_.threads[0].addresses;
    std::vector<std::uint64_t> places = inside;
    places.push_back(finding_.address);
    const std::uint64_t first = element_at(places.front());
    if (has_row_length_ && own() < row_ && first % row_ == own() && step_of(places) == row_)
      return put(Cause::out_of_bounds_past_last_row, {Id::step_fix_loop_limits},
                 {{Id::step_rows_passed,
                   {line(), with("thread", finding_.thread), with("first", first / row_),
                    with("row", row), with("array", name())}},
                  {Id::step_rows,
                   {with("array", name()), with("rows", rows), with("length", row_),
                    with("last", rows - 1)}}});
    if (!has_row_count_ || all_threads_ < rows) return false;
    const std::uint64_t begin = finding_.block.x * threads_, end = begin + threads_;
    if (!has_row_length_ && inside.empty() && finding_.block.x != 0 && row >= end)
      return put(Cause::out_of_bounds_block_offset, {Id::step_fix_block_offset},
                 {{Id::step_rows_of_block,
                   {with("array", name()), with("length", row_), with("block", finding_.block),
                    with("first", begin), with("last", end - 1)}},
                  {Id::step_row_of_block, {line(), with("row", row)}}});
    if (!seen_.for_another || seen_.for_another->row < begin || seen_.for_another->row >= end)
      return false;
    const auto other = static_cast<std::uint32_t>(seen_.for_another->row - begin);
    return put(Cause::out_of_bounds_element_of_another_thread,
               {Id::step_fix_test_element, {line()}},
               {{Id::step_for_another_thread,
                 {line(), with("thread", Dim3{seen_.for_another->thread, 0, 0}),
                  with("other", Dim3{other, 0, 0})}}});
  }

  /// The array is so many parts, one behind the other; a thread has its element of each, and the parts' length is not what
  /// it steps by.
  bool describe_parts() {
    if (!has_row_length_ || has_row_count_ || count() % row_ != 0 || count() / row_ < 2)
      return false;
    const std::uint64_t parts = count() / row_;
    std::vector<std::uint64_t> places = seen_.threads[0].addresses;
    if (is_outside(finding_)) places.push_back(finding_.address);
    const auto step = step_of(places);
    if (!step || *step == 1 || *step == row_ || own() >= row_ ||
        places.front() != finding_.array.begin + own() * finding_.access_bytes)
      return false;
    if (!is_outside(finding_) && places.size() != parts) return false;
    return put(
        is_outside(finding_) ? Cause::out_of_bounds_wrong_index : finding_.cause,
        {*step == threads_ ? Id::step_fix_part_length_block : Id::step_fix_part_length,
         {with("array", name()), with("step", *step)}},
        {{Id::step_next_element, {line(), with("thread", finding_.thread), with("step", *step)}},
         {Id::step_parts, {with("array", name()), with("parts", parts), with("length", row_)}}});
  }

  /// Threads of one block: who steps by less than all of them store side by side comes to what another has stored.
  void describe_iterations() {
    const Followed *low = &seen_.threads[0], *high = &seen_.threads[1];
    if (low->thread > high->thread) std::swap(low, high);
    const auto step = step_of(low->addresses);
    const auto between = apart(*low, *high);
    const std::uint64_t lanes = high->thread - low->thread;
    if (!step || !between || lanes == 0 || *between % lanes != 0 || *between % *step != 0) return;
    const std::uint64_t beside = *between / lanes, all = beside * threads_;
    if (*step <= beside || *step >= all) return;
    put(finding_.cause,
        {beside == 1 ? Id::step_fix_block_in_loop : Id::step_fix_block_in_loop_times,
         {with("elements", all), with("beside", beside), with("step", *step)}},
        {{*between == *step ? Id::step_next_iteration : Id::step_later_iteration,
          {line(), with("thread", Dim3{high->thread, 0, 0}), with("distance", *between),
           with("other", Dim3{low->thread, 0, 0})}}});
  }

  /// Blocks that begin too close to one another.
  void describe_blocks() {
    const Followed *low = &seen_.threads[2], *high = &seen_.threads[3], *next = &seen_.threads[4];
    const auto away = apart(*low, *high), beside = apart(*low, *next);
    const std::uint64_t blocks = high->block - low->block;
    if (!away || !beside || blocks == 0 || *away % blocks != 0) return;
    const std::uint64_t all = *beside * threads_, distance = *away / blocks;
    if (describe_shared_loop(*low, distance, all)) return;
    std::uint64_t covered = all;
    if (low->addresses.size() > 1) {
      const auto step = step_of(low->addresses);
      if (!step || *step < all || low->addresses.size() == kMostAddresses) return;
      if (*step ==
          all) {  // unless each goes on to the end: then the loop should be shared by all blocks
        covered = all * low->addresses.size();
        if (low->addresses.back() + *step * finding_.access_bytes >= end()) return;
      }
    }
    if (distance >= covered) return;
    put(finding_.cause,
        {covered == threads_ ? Id::step_fix_block_width : Id::step_fix_block_cover,
         {with("elements", covered), with("distance", distance)}},
        {{Id::step_block_distance,
          {line(), with("distance", distance), with("threads", threads_),
           with("elements", covered)}}});
  }

  /// Blocks that begin side by side, in a loop that goes on to the end: all threads of the grid share it.
  bool describe_shared_loop(const Followed& low, std::uint64_t distance, std::uint64_t all) {
    const auto step = step_of(low.addresses);
    const std::uint64_t grid = all / threads_ * all_threads_;
    if (!step || distance != all || *step < all || *step >= grid) return false;
    if (low.addresses.size() < kMostAddresses &&
        low.addresses.back() + *step * finding_.access_bytes < end())
      return false;
    return put(finding_.cause,
               {Id::step_fix_grid_in_loop, {with("elements", grid), with("step", *step)}},
               {{Id::step_other_block, {line()}}});
  }

  Finding& finding_;
  const Wanted& seen_;
  bool along_x_ = false;
  std::uint64_t threads_ = 0;      ///< of a block
  std::uint64_t all_threads_ = 0;  ///< of the grid
  std::uint64_t row_ = 0;          ///< elements; 0: not known
  // Which of the two is a number that the launch is given, and so another one in each launch.
  bool has_row_length_ = false, has_row_count_ = false;
};

/// The finding's two threads; and of a meeting of blocks the first two threads of the one, and the first of the other.
std::vector<Followed> threads_of(const Finding& f, const launch::Launch& launch) {
  const std::uint64_t block = linear(f.block, launch.grid),
                      other = linear(f.other_block, launch.grid);
  const auto thread = [&](const Dim3& at) {
    return static_cast<std::uint32_t>(linear(at, launch.block));
  };
  return {{block, thread(f.thread)},
          {other, thread(f.other_thread)},
          {std::min(block, other), 0},
          {std::max(block, other), 0},
          {std::min(block, other), 1}};
}

}  // namespace

bool wants_steps(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, is_wanted);
}

void describe_steps(std::vector<Finding>& findings, const simt::Program& program,
                    const launch::Launch& launch, std::span<const std::byte> parameter_block,
                    simt::Memory& memory, const simt::RunOptions& options,
                    const std::vector<KnownRows>& rows) {
  if (!wants_steps(findings)) return;
  const Places places(program, launch, memory);
  const auto count = static_cast<std::uint32_t>(simt::instructions(program).size());
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (!is_wanted(finding)) continue;
    Wanted one{.finding = i,
               .block_width = launch.block.x,
               .instructions = std::vector<bool>(count),
               .begin = finding.array.begin,
               .end = finding.array.begin + finding.array.bytes,
               .threads = threads_of(finding, launch)};
    if (is_outside(finding) && is_along_x(launch)) {
      one.element_bytes = finding.access_bytes;
      one.row_bytes = row_of(finding, rows) * finding.access_bytes;
      one.may_be_parts = has_number(launch, row_of(finding, rows));
      one.first_row = std::uint64_t{finding.block.x} * launch.block.x;
    }
    for (std::uint32_t k = 0; k < count; ++k) one.instructions[k] = places.line(k) == finding.where;
    wanted.push_back(std::move(one));
  }
  EachGlobalAccess watch([&](const simt::Access& access) {
    for (Wanted& one : wanted) {
      if (!one.instructions[access.instruction]) continue;
      for (Followed& who : one.threads) note(one, who, access);
      if (one.row_bytes != 0 && !one.for_another) note_others(one, access);
    }
  });
  simt::RunOptions in_order = options;
  in_order.threads = 1;
  in_order.follow_undefined = false;
  simt::run(program, launch, parameter_block, memory, &watch, in_order);
  for (const Wanted& one : wanted) Steps(findings[one.finding], one, launch, rows).describe();
}

}  // namespace labkit::observe
