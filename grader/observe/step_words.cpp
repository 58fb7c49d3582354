#include "observe/step_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string>

#include "observe/index_words.h"
#include "observe/places.h"
#include "observe/race_words.h"

namespace labkit::observe {
namespace {

using launch::Dim3;
using launch::Finding;
using std::to_string;

constexpr const char* kFix = "\nFix: ";

/// A thread that is followed, and where it came to at the line, in order; the same place at once again counts as once.
struct Followed {
  std::uint64_t block = 0;
  std::uint32_t thread = 0;
  std::vector<std::uint64_t> addresses = {};
  std::vector<std::uint64_t> row_starts =
      {};  ///< where the first lane beside it, of its row of the block, came to
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

class Watch final : public simt::ObserverFactory {
 public:
  explicit Watch(std::vector<Wanted>& wanted) : wanted_(wanted) {}
  std::unique_ptr<simt::Observer> make() override { return std::make_unique<Watcher>(wanted_); }
  void collect(simt::Observer&, const std::uint64_t*, const std::uint64_t*, std::size_t) override {}

 private:
  class Watcher final : public simt::Observer {
   public:
    explicit Watcher(std::vector<Wanted>& wanted) : wanted_(wanted) {}
    void on_access(const simt::Access& access) override {
      if (access.space != ptx::Space::global) return;
      for (Wanted& one : wanted_) {
        if (!one.instructions[access.instruction]) continue;
        for (Followed& who : one.threads) note(one, who, access);
        if (one.row_bytes != 0 && !one.for_another) note_others(one, access);
      }
    }
    void on_barrier(std::uint64_t, std::uint32_t, std::uint32_t) override {}
    void on_block_end(std::uint64_t) override {}
    bool wants_each_shared_access() const override { return false; }

   private:
    static void note(const Wanted& one, Followed& who, const simt::Access& access) {
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
    static void note_others(Wanted& one, const simt::Access& access) {
      const Followed& who = one.threads.front();
      if (access.block != who.block || access.warp != who.thread / 32) return;
      std::uint64_t before = 0;
      for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = access.addresses[lane];
        if (address < one.begin || (before != 0 && address != before + one.element_bytes)) return;
        before = address;
      }
      if (std::has_single_bit(access.active)) return;
      for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t thread = access.warp * 32 + lane;
        const std::uint64_t offset = access.addresses[lane] - one.begin,
                            own = one.first_row + thread;
        if (offset / one.row_bytes == own ||
            (one.may_be_parts && offset % one.row_bytes / one.element_bytes == own))
          continue;
        one.for_another = ForAnother{thread, offset / one.row_bytes};
        return;
      }
    }
    std::vector<Wanted>& wanted_;
  };
  std::vector<Wanted>& wanted_;
};

bool is_outside(const Finding& f) {
  return f.kind == launch::FindingKind::out_of_bounds && f.space == "global" &&
         !f.array.name.empty() && f.address >= f.array.begin + f.array.bytes;
}

/// Two stores of one line to one place.
bool is_met(const Finding& f) {
  return f.kind == launch::FindingKind::race && f.space == "global" && !f.array.name.empty() &&
         f.where.line == f.other.line && f.where.file == f.other.file && f.hazard == "WAW" &&
         f.text.find(kUpdateIsLost) == std::string::npos;
}

bool is_wanted(const Finding& f) {
  return f.where.line != 0 && f.access_bytes != 0 && (is_outside(f) || is_met(f));
}

/// The distance between all neighbours of a sequence, in elements; nullopt: it is not one, or no whole number of them.
std::optional<std::uint64_t> step_of(const std::vector<std::uint64_t>& addresses,
                                     std::uint64_t element_bytes) {
  if (addresses.size() < 2 || addresses[1] <= addresses[0]) return std::nullopt;
  const std::uint64_t step = addresses[1] - addresses[0];
  for (std::size_t i = 1; i + 1 < addresses.size(); ++i)
    if (addresses[i + 1] != addresses[i] + step) return std::nullopt;
  return step % element_bytes == 0 ? std::optional(step / element_bytes) : std::nullopt;
}

/// How far apart the first two are, in elements.
std::optional<std::uint64_t> apart(const Followed& low, const Followed& high,
                                   std::uint64_t element_bytes) {
  if (low.addresses.empty() || high.addresses.empty() ||
      high.addresses.front() <= low.addresses.front())
    return std::nullopt;
  const std::uint64_t bytes = high.addresses.front() - low.addresses.front();
  return bytes % element_bytes == 0 ? std::optional(bytes / element_bytes) : std::nullopt;
}

bool is_along_x(const launch::Launch& launch) {
  return launch.block.count() == launch.block.x && launch.grid.count() == launch.grid.x;
}

std::string thread_name(const Dim3& thread) { return "thread " + triple(thread); }

/// The launch is given that number.
bool has_number(const launch::Launch& launch, std::uint64_t number) {
  return std::any_of(launch.arguments.begin(), launch.arguments.end(),
                     [&](const launch::Argument& argument) {
                       const auto* bytes = std::get_if<std::vector<std::byte>>(&argument);
                       std::int32_t value = 0;
                       if (bytes == nullptr || bytes->size() != sizeof value) return false;
                       std::memcpy(&value, bytes->data(), sizeof value);
                       return value >= 0 && static_cast<std::uint64_t>(value) == number;
                     });
}

/// Elements; 0: not known.
std::uint64_t row_of(const Finding& finding, const std::vector<KnownRows>& rows) {
  for (const KnownRows& known : rows)
    if (known.begin == finding.array.begin) return known.row_elements;
  return 0;
}

class Words {
 public:
  Words(Finding& finding, const Wanted& seen, const launch::Launch& launch,
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
  void tell() {
    if (!along_x_) {
      if (is_met(finding_)) tell_rows();
      return;
    }
    std::string fix = is_outside(finding_) ? of_outside() : "";
    if (fix.empty()) fix = of_parts();
    if (fix.empty() && is_met(finding_))
      fix = finding_.block == finding_.other_block ? of_turns() : of_blocks();
    if (!fix.empty()) put(fix);
  }

 private:
  void put(const std::string& fix) {
    finding_.text.erase(std::min(finding_.text.find(kFix), finding_.text.size()));
    finding_.text += kFix + fix + ".";
  }

  /// Threads side by side that have run over the end of a row into the next: the first of them is still in the row before.
  void tell_rows() {
    if (row_ == 0 || finding_.text.find(kRowsOverlap) != std::string::npos) return;
    const std::uint64_t element = (finding_.address - finding_.array.begin) / finding_.access_bytes,
                        row = element / row_, col = element % row_;
    for (std::size_t side = 0; side < 2; ++side) {
      const Followed& who = seen_.threads[side];
      const auto at = std::find(who.addresses.begin(), who.addresses.end(), finding_.address);
      if (at == who.addresses.end()) continue;
      const std::uint64_t start =
          who.row_starts[static_cast<std::size_t>(at - who.addresses.begin())];
      if (start < finding_.array.begin || start >= finding_.address) continue;
      const std::uint64_t first = (start - finding_.array.begin) / finding_.access_bytes;
      if (first / row_ + 1 != row) continue;
      finding_.text.erase(std::min(finding_.text.find(kFix), finding_.text.size()));
      finding_.text += "\nHere row " + to_string(row - 1) + ", column " + to_string(row_ + col) +
                       " and row " + to_string(row) + ", column " + to_string(col) + " " +
                       kRowsOverlap + " " + to_string(row_) + ".";
      put("ask for the column by itself, before line " + to_string(finding_.where.line) +
          ": a row of " + finding_.array.name + " has " + to_string(row_) + " elements here, and " +
          thread_name(side == 0 ? finding_.thread : finding_.other_thread) +
          " is past its end. That the flat index is within the whole array does not say so");
      return;
    }
  }

  std::string at() const { return "at line " + to_string(finding_.where.line); }
  std::uint64_t count() const { return finding_.array.bytes / finding_.access_bytes; }

  /// The thread's number in the grid.
  std::uint64_t own() const { return finding_.block.x * threads_ + finding_.thread.x; }

  std::string of_outside() const {
    if (row_ == 0 || count() % row_ != 0) return {};
    const std::uint64_t rows = count() / row_;
    const std::uint64_t element = (finding_.address - finding_.array.begin) / finding_.access_bytes,
                        row = element / row_;
    const std::vector<std::uint64_t>& inside = seen_.threads[0].addresses;
    std::vector<std::uint64_t> places = inside;
    places.push_back(finding_.address);
    const std::uint64_t first = (places.front() - finding_.array.begin) / finding_.access_bytes;
    if (has_row_length_ && own() < row_ && first % row_ == own() &&
        step_of(places, finding_.access_bytes) == row_)
      return std::string(kLoopOverRows) + ", and where it ends: " + at() + " " +
             thread_name(finding_.thread) + " goes from row " + to_string(first / row_) +
             " to row " + to_string(row) + " of " + finding_.array.name + " (of " +
             to_string(row_) + " elements each), which has rows 0 to " + to_string(rows - 1) +
             " here";
    if (!has_row_count_ || all_threads_ < rows) return {};
    const std::uint64_t begin = finding_.block.x * threads_, end = begin + threads_;
    if (!has_row_length_ && inside.empty() && finding_.block.x != 0 && row >= end)
      return std::string(kBlockPart) + ", in this index or in the pointer: " + finding_.array.name +
             " has a row of " + to_string(row_) + " elements for each thread of the grid, block " +
             triple(finding_.block) + " has those from " + to_string(begin) + " to " +
             to_string(end - 1) + ", and " + at() + " it comes to row " + to_string(row);
    if (!seen_.for_another || seen_.for_another->row < begin || seen_.for_another->row >= end)
      return {};
    const auto other = static_cast<std::uint32_t>(seen_.for_another->row - begin);
    return std::string(
               "ask, before this line, whether the very element exists that is touched: "
               "the threads ") +
           kForOthers + " (" + thread_name({seen_.for_another->thread, 0, 0}) +
           " comes to what belongs to " + thread_name({other, 0, 0}) +
           "), so that a thread's own number does not say it";
  }

  /// The array is so many parts, one behind the other; a thread has its element of each, and the parts' length is not what
  /// it steps by.
  std::string of_parts() const {
    if (!has_row_length_ || has_row_count_ || count() % row_ != 0 || count() / row_ < 2) return {};
    const std::uint64_t parts = count() / row_;
    std::vector<std::uint64_t> places = seen_.threads[0].addresses;
    if (is_outside(finding_)) places.push_back(finding_.address);
    const auto step = step_of(places, finding_.access_bytes);
    if (!step || *step == 1 || *step == row_ || own() >= row_ ||
        places.front() != finding_.array.begin + own() * finding_.access_bytes)
      return {};
    if (!is_outside(finding_) && places.size() != parts) return {};
    return "step by the length of a part of " + finding_.array.name + ", not by " +
           to_string(*step) + (*step == threads_ ? " (the number of a block's threads)" : "") +
           ": " + at() + " " + thread_name(finding_.thread) + "'s next element lies " +
           to_string(*step) + " further, but " + finding_.array.name + " has " + to_string(parts) +
           " parts of " + to_string(row_) + " here, and the length differs from launch to launch";
  }

  /// Threads of one block: who steps by less than all of them store side by side comes to what another has stored.
  std::string of_turns() const {
    const Followed *low = &seen_.threads[0], *high = &seen_.threads[1];
    if (low->thread > high->thread) std::swap(low, high);
    const auto step = step_of(low->addresses, finding_.access_bytes);
    const auto between = apart(*low, *high, finding_.access_bytes);
    const std::uint64_t lanes = high->thread - low->thread;
    if (!step || !between || lanes == 0 || *between % lanes != 0 || *between % *step != 0)
      return {};
    const std::uint64_t beside = *between / lanes, all = beside * threads_;
    if (*step <= beside || *step >= all) return {};
    return "let each turn of the loop go on by as many elements as the block's threads store "
           "side by side, " +
           to_string(all) + " (blockDim.x" + (beside == 1 ? "" : " times " + to_string(beside)) +
           "), not by " + to_string(*step) + ": " + at() + " " + thread_name({high->thread, 0, 0}) +
           " begins " + to_string(*between) + " elements after " +
           thread_name({low->thread, 0, 0}) + ", where that one comes to in " +
           (*between == *step ? "its next turn" : "a later turn");
  }

  /// Blocks that begin too close to one another.
  std::string of_blocks() const {
    const Followed *low = &seen_.threads[2], *high = &seen_.threads[3], *next = &seen_.threads[4];
    const auto away = apart(*low, *high, finding_.access_bytes),
               beside = apart(*low, *next, finding_.access_bytes);
    const std::uint64_t blocks = high->block - low->block;
    if (!away || !beside || blocks == 0 || *away % blocks != 0) return {};
    const std::uint64_t all = *beside * threads_, distance = *away / blocks;
    if (std::string fix = of_shared_loop(*low, distance, all); !fix.empty()) return fix;
    std::uint64_t covered = all;
    if (low->addresses.size() > 1) {
      const auto step = step_of(low->addresses, finding_.access_bytes);
      if (!step || *step < all || low->addresses.size() == kMostAddresses) return {};
      if (*step ==
          all) {  // unless each goes on to the end: then the loop should be shared by all blocks
        covered = all * low->addresses.size();
        if (low->addresses.back() + *step * finding_.access_bytes >=
            finding_.array.begin + finding_.array.bytes)
          return {};
      }
    }
    if (distance >= covered) return {};
    return "multiply blockIdx.x by what a block covers, " + to_string(covered) + " elements" +
           (covered == threads_ ? " (blockDim.x)" : "") + ", not by " + to_string(distance) + ": " +
           at() + " a block begins " + to_string(distance) +
           (distance == 1 ? " element" : " elements") + " after the one before it, and its " +
           to_string(threads_) + " threads store " + to_string(covered);
  }

  /// Blocks that begin side by side, in a loop that goes on to the end: all threads of the grid share it.
  std::string of_shared_loop(const Followed& low, std::uint64_t distance, std::uint64_t all) const {
    const auto step = step_of(low.addresses, finding_.access_bytes);
    const std::uint64_t grid = all / threads_ * all_threads_;
    if (!step || distance != all || *step < all || *step >= grid) return {};
    if (low.addresses.size() < kMostAddresses &&
        low.addresses.back() + *step * finding_.access_bytes <
            finding_.array.begin + finding_.array.bytes)
      return {};
    return "let each turn of the loop go on by as many elements as all threads of the grid store "
           "side by side, " +
           to_string(grid) + " here (a block's, times gridDim.x), not by " + to_string(*step) +
           ": " + at() + " a block comes in a later turn to where another has begun";
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

std::uint64_t linear(const Dim3& at, const Dim3& size) {
  return at.x + std::uint64_t{size.x} * (at.y + std::uint64_t{size.y} * at.z);
}

/// The finding's two threads; and of a meeting of blocks the first two threads of the one, and the first of the other.
std::vector<Followed> threads_of(const Finding& f, const launch::Launch& launch) {
  const std::uint64_t block = linear(f.block, launch.grid),
                      other = linear(f.other_block, launch.grid);
  const auto thread = [&](const Dim3& at) {
    return static_cast<std::uint32_t>(linear(at, launch.block));
  };
  std::vector<Followed> all = {{block, thread(f.thread)}, {other, thread(f.other_thread)}};
  all.push_back({std::min(block, other), 0});
  all.push_back({std::max(block, other), 0});
  all.push_back({std::min(block, other), 1});
  return all;
}

}  // namespace

bool wants_steps(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), is_wanted);
}

void tell_steps(std::vector<Finding>& findings, const simt::Program& program,
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
    for (std::uint32_t k = 0; k < count; ++k) {
      const launch::SourceLine line = places.line(k);
      one.instructions[k] = line.line == finding.where.line && line.file == finding.where.file;
    }
    wanted.push_back(std::move(one));
  }
  Watch watch(wanted);
  simt::RunOptions in_order = options;
  in_order.threads = 1;
  in_order.follow_undefined = false;
  simt::run(program, launch, parameter_block, memory, &watch, in_order);
  for (const Wanted& one : wanted) Words(findings[one.finding], one, launch, rows).tell();
}

}  // namespace labkit::observe
