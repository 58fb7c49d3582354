// A launch from beginning to end: check it, spread its blocks over host threads, put the results together.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <thread>

#include "base/error.h"
#include "simt/instruction_table.h"
#include "simt/limits.h"
#include "simt/machine.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

/// CUDA C programming guide, technical specifications per compute capability (9.0).
constexpr std::uint32_t kMostThreads = 1024;
constexpr launch::Dim3 kMostBlock{1024, 1024, 64};
constexpr launch::Dim3 kMostGrid{2147483647, 65535, 65535};
/// Of variables; ptxas refuses more ("0xc000 max"), so that no GPU could load the kernel. The same
/// guide: static allocations stop at 48 KiB, more must be dynamic.
constexpr std::uint32_t kMostStaticShared = 49152;
constexpr std::uint64_t kMostWaiting = 4096;  ///< blocks set aside (an H200 holds at most 132 x 32)

/// Why CUDA would refuse the launch; Id::none if it would not.
words::Message launch_error(const Program& program, const launch::Launch& launch,
                            std::size_t parameter_bytes, const RunOptions& options) {
  using words::Id;
  const auto& grid = launch.grid;
  const auto& block = launch.block;
  const auto over = [](Id id, std::uint64_t bytes, std::uint64_t most) {
    return words::Message{id, {{"bytes", words::count(bytes)}, {"most", words::count(most)}}};
  };
  if (grid.count() == 0 || block.count() == 0) return {Id::launch_empty};
  if (block.count() > kMostThreads || block.x > kMostBlock.x || block.y > kMostBlock.y ||
      block.z > kMostBlock.z)
    return {Id::launch_large_block, {{"block", launch::to_string(block)}}};
  if (grid.x > kMostGrid.x || grid.y > kMostGrid.y || grid.z > kMostGrid.z)
    return {Id::launch_large_grid, {{"grid", launch::to_string(grid)}}};
  const auto* most = program.facts.max_threads;
  const std::uint64_t bound =
      std::uint64_t{std::max(most[0], 1u)} * std::max(most[1], 1u) * std::max(most[2], 1u);
  if (most[0] != 0 && block.count() > bound)
    return {Id::launch_bounds,
            {{"block", launch::to_string(block)}, {"most", words::count(bound)}}};
  if (program.facts.static_shared_bytes > kMostStaticShared)
    return over(Id::launch_static_shared, program.facts.static_shared_bytes, kMostStaticShared);
  const std::uint64_t shared =
      std::uint64_t{program.dynamic_shared_begin} + launch.dynamic_shared_bytes;
  if (shared > options.shared_limit_bytes)
    return over(Id::launch_shared, shared, options.shared_limit_bytes);
  if (parameter_bytes != program.parameter_block_bytes)
    return {Id::launch_arguments,
            {{"bytes", words::count(parameter_bytes)},
             {"wanted", words::count(program.parameter_block_bytes)}}};
  return {};
}

/// As it is written: "256", "dim3(16, 16)".
std::string written(const launch::Dim3& dim) {
  if (dim.y == 1 && dim.z == 1) return std::to_string(dim.x);
  return "dim3(" + std::to_string(dim.x) + ", " + std::to_string(dim.y) +
         (dim.z == 1 ? "" : ", " + std::to_string(dim.z)) + ")";
}

/// As many threads in blocks of 256: "8, 256", "dim3(4, 4), dim3(16, 16)".
std::string shape_of_small_blocks(const launch::Launch& launch) {
  const auto& [x, y, z] = launch.block;
  const launch::Dim3 block = y == 1 && z == 1 ? launch::Dim3{256, 1, 1}
                             : z == 1         ? launch::Dim3{16, 16, 1}
                                              : launch::Dim3{8, 8, 4};
  const auto blocks = [](std::uint64_t of_grid, std::uint64_t before, std::uint64_t now) {
    return static_cast<std::uint32_t>((of_grid * before + now - 1) / now);
  };
  return written({blocks(launch.grid.x, x, block.x), blocks(launch.grid.y, y, block.y),
                  blocks(launch.grid.z, z, block.z)}) +
         ", " + written(block);
}

words::Message fix_of(const words::Message& why, const launch::Launch& launch) {
  using words::Id;
  switch (why.id) {
    case Id::launch_empty:
      return {Id::launch_fix_empty};
    case Id::launch_large_block:
      return {Id::launch_fix_block, {{"shape", shape_of_small_blocks(launch)}}};
    case Id::launch_large_grid:
      return {Id::launch_fix_grid};
    case Id::launch_bounds:
      return {Id::launch_fix_bounds, {{"most", *why.find("most")}}};
    case Id::launch_shared:
      return {Id::launch_fix_shared};
    default:
      return {};
  }
}

launch::Finding impossible(const Program& program, const launch::Launch& launch,
                           std::vector<words::Message> why) {
  launch::Finding finding;
  finding.kind = launch::FindingKind::launch;
  finding.cause = launch::Cause::launch;
  finding.kernel = launch.kernel.empty() ? program.facts.entry : launch.kernel;
  finding.where = first_line(program);
  if (!why.empty()) finding.fix = fix_of(why.front(), launch);
  finding.evidence = {{words::Id::launch_impossible, {{"kernel", finding.kernel}}}};
  for (words::Message& message : why) finding.evidence.push_back(std::move(message));
  return finding;
}

/// The source line that the budget went to: at which most warp instructions ran, a printf counting for what it takes. No
/// share is given: it would hang on how many blocks other host threads had begun.
struct BusiestLine {
  launch::SourceLine where = {};
  std::uint64_t cost = 0, warps = 0, threads = 0;  ///< of the instructions at that line
  std::uint64_t local = 0;                         ///< of `warps` those that access local memory
  bool prints = false;
};
BusiestLine busiest_line(const Program& program, std::span<const Op> ops,
                         const std::vector<std::unique_ptr<Worker>>& workers) {
  std::map<std::pair<std::string, std::uint32_t>, BusiestLine> lines;
  std::set<std::uint32_t> local;
  for (const Op& op : program.ops)
    if ((op.kind == OpKind::load || op.kind == OpKind::store) &&
        program.memory_ops[op.aux].space == kLocalSpace)
      local.insert(op.index);
  for (const Op& op : ops) {
    if (op.index >= program.instructions.size()) continue;
    auto where = line_at(*program.module, shown(program.instructions[op.index]));
    if (where.line == 0) continue;
    const bool prints = op.kind == OpKind::call_printf;
    const bool is_local = local.contains(op.index);
    BusiestLine& line = lines[{where.file, where.line}];
    line.where = std::move(where);
    for (const auto& worker : workers) {
      line.cost += worker->warp_executions[op.index] * (op.cost + (prints ? kPrintCost : 0));
      line.warps += worker->warp_executions[op.index];
      line.threads += worker->thread_executions[op.index];
      if (is_local) line.local += worker->warp_executions[op.index];
    }
    line.prints |= prints;
  }
  BusiestLine busiest;
  for (const auto& [place, line] : lines)
    if (line.cost > busiest.cost) busiest = line;
  return busiest;
}

/// Of the instructions at a line, from one in so many on it is local memory that makes them many.
constexpr std::uint64_t kLocalShare = 20;

/// The first block, in launch order, at which the sum goes over the budget; ~0 if none does.
std::uint64_t over_budget(const std::map<std::uint64_t, std::uint64_t>& executed,
                          std::uint64_t budget) {
  std::uint64_t sum = 0;
  for (const auto& [block, instructions] : executed) {
    if (instructions > budget - sum) return block;
    sum += instructions;
  }
  return ~0ull;
}

OpKind affine_kind(const Op& op) {
  if (op.needs_lanes) return OpKind::affine_and_lanes;
  switch (op.affine) {
#define RULE(rule)       \
  case AffineRule::rule: \
    return OpKind::affine_##rule;
    LABKIT_AFFINE_RULES(RULE)
#undef RULE
    case AffineRule::compare:
      return OpKind::affine_mask;
    case AffineRule::address:
      return op.kind == OpKind::load ? OpKind::affine_load : OpKind::affine_store;
    default:
      return op.kind;
  }
}

/// As it stands in the list for affine warps.
void make_affine(Op& op) {
  if (op.guard != kNoSlot) {
    op.kind = op.kind == OpKind::branch ? OpKind::affine_branch : OpKind::affine_guarded;
    return;
  }
  if (op.kind == OpKind::mask && op.affine == AffineRule::none) {
    static const auto either = row_number({"or", "pred"}), both = row_number({"and", "pred"});
    if (op.row == either) op.kind = OpKind::affine_either;
    if (op.row == both) op.kind = OpKind::affine_both;
  }
  if (op.affine == AffineRule::none) return;
  op.kind = affine_kind(op);
  for (Slot& slot : op.s)
    if (slot != kNoSlot) slot = affine_place(slot);
  if (op.affine != AffineRule::compare && op.affine != AffineRule::address)
    op.d = affine_place(op.d);
}

}  // namespace

RunResult run(const Program& program, const launch::Launch& launch,
              std::span<const std::byte> parameter_block, Memory& memory,
              ObserverFactory* observers, const RunOptions& options) {
  RunResult result;
  const auto& target = choose_target(options.simd);
  result.simd = target.name;
  if (auto wrong = launch_error(program, launch, parameter_block.size(), options)) {
    result.findings.push_back(impossible(program, launch, {std::move(wrong)}));
    return result;
  }
  const auto warps = static_cast<std::uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
  const std::uint64_t shared_bytes =
      launch.dynamic_shared_bytes == 0 ? program.facts.static_shared_bytes
                                       : program.dynamic_shared_begin + launch.dynamic_shared_bytes;
  const BlockBytes block_holds = block_bytes(program, warps, shared_bytes);
  if (auto refusal = too_much(program, launch, block_holds)) {
    result.findings.push_back(impossible(program, launch, std::move(refusal->why)));
    if (refusal->where.line != 0) result.findings.back().where = std::move(refusal->where);
    return result;
  }
  LaunchState state;
  state.program = &program;
  state.launch = &launch;
  state.parameters = parameter_block;
  state.memory = &memory.impl();
  state.variables = &memory.impl().variables_of(*program.module);
  state.target = &target;
  state.ops = program.ops;
  state.once = program.once;
  const auto bind = [&](Op& op) {
    if (has_row(op.kind)) op.run = target.rows[op.row >> 12][op.row & 0xFFF];
  };
  std::ranges::for_each(state.ops, bind);
  std::ranges::for_each(state.once, bind);
  if (options.affine && !options.follow_undefined && !program.affine_slots.empty()) {
    state.affine_ops = state.ops;
    for (Op& op : state.affine_ops) make_affine(op);
  }
  std::unique_ptr<LaunchShadow> shadow;
  if (options.follow_undefined) shadow = std::make_unique<LaunchShadow>(*state.memory);
  state.shadow = shadow.get();
  state.threads = static_cast<std::uint32_t>(launch.block.count());
  state.warps = warps;
  state.shared_bytes = static_cast<std::uint32_t>(shared_bytes);
  state.block_bytes = std::max<std::uint64_t>(block_holds.sum(), 1);
  state.block_cost = block_cost(warps, block_holds.local + block_holds.shared);
  // Each byte of memory and registers has a shadow where undefined values are followed.
  // How deep calls go is not known before they are made: a block of a recursive kernel may grow to the limit.
  const std::uint64_t grown = program.has_recursion ? kMostBlockBytes : state.block_bytes;
  const std::uint64_t held = grown * (shadow ? 2 : 1);
  state.most_set_aside = std::clamp<std::uint64_t>(kMostSetAsideBytes / held, 2, kMostWaiting);
  const std::uint64_t blocks = launch.grid.count();
  state.chosen = options.blocks;
  state.turns = options.blocks.empty() ? blocks : options.blocks.size();
  if (!options.blocks.empty() && options.blocks.back() >= blocks)
    throw Error("block " + std::to_string(options.blocks.back()) + " of a launch of " +
                std::to_string(blocks) + " is to run");
  if (options.thread_instruction_budget != 0) state.budget = options.thread_instruction_budget;
  if (!options.budget_is_of_each_block) state.budget_of_all = state.budget;

  const std::uint64_t wanted =
      options.threads == 0 ? std::thread::hardware_concurrency() : options.threads;
  const auto threads = program.facts.order_matters
                           ? 1u
                           : static_cast<unsigned>(std::max<std::uint64_t>(
                                 std::min({wanted, state.turns, kMostUnderWayBytes / held}), 1));
  state.parallel = threads > 1;
  result.threads = threads;

  std::vector<std::unique_ptr<Observer>> watching;
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned t = 0; t < threads; ++t) {
    watching.push_back(observers == nullptr ? nullptr : observers->make());
    workers.push_back(std::make_unique<Worker>(state, watching.back().get()));
    workers.back()->undefined_stores.keeps_last = program.facts.order_matters;
  }
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> pool;
    for (unsigned t = 1; t < threads; ++t) pool.emplace_back([&, t] { workers[t]->run(); });
    workers[0]->run();
  }
  for (const auto& worker : workers)
    if (worker->broken) std::rethrow_exception(worker->broken);
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const Worker::Failure* first = nullptr;
  std::map<std::uint64_t, std::string> printed;
  std::map<std::uint64_t, std::uint64_t> executed;
  for (auto& worker : workers) {
    worker->finish_counts();
    for (const auto count : worker->warp_executions) result.warp_instructions += count;
    for (const auto count : worker->thread_executions) result.thread_instructions += count;
    result.cost += worker->cost;
    for (const auto& failure : worker->failures)
      if (first == nullptr || failure.block < first->block) first = &failure;
    for (auto& [block, text] : worker->printed) printed.emplace(block, std::move(text));
    for (const auto& [block, count] : worker->executed) executed.emplace(block, count);
  }
  const std::uint64_t crossing = over_budget(executed, state.budget_of_all);
  if (crossing != ~0ull && (first == nullptr || crossing < first->block)) {
    launch::Finding finding;
    finding.kind = launch::FindingKind::budget;
    finding.kernel = launch.kernel.empty() ? program.facts.entry : launch.kernel;
    const BusiestLine busiest = busiest_line(program, state.ops, workers);
    finding.where = busiest.where;
    const bool has_line = busiest.where.line != 0;
    finding.cause = has_line ? launch::Cause::budget_too_much_work : launch::Cause::budget;
    finding.evidence = {
        {words::Id::budget_stopped, {{"instructions", plain_instructions(state.budget)}}}};
    if (has_line) {
      finding.evidence[0].id = words::Id::budget_busiest_line;
      finding.evidence[0].parameters.push_back({"line", busiest.where});
    }
    if (busiest.prints)
      describe_printing(finding);
    else if (!program.module->is_debug && kLocalShare * busiest.local > busiest.warps)
      describe_local_memory(finding);
    else if (launch.block.count() > 1)
      describe_one_lane(finding, has_line ? busiest.warps : result.warp_instructions,
                        has_line ? busiest.threads : result.thread_instructions);
    finding.block = place_in(launch.grid, crossing);
    result.findings.push_back(std::move(finding));
  } else if (first != nullptr) {
    result.findings.push_back(first->finding);
  }
  for (auto& [block, text] : printed) {
    if (first != nullptr && block > first->block) break;
    result.printed += text;
  }
  if (result.printed.size() > kMostPrinted) result.printed.resize(kMostPrinted);
  result.completed = result.findings.empty();
  if (shadow) {
    UseTable uses;
    for (const auto& worker : workers)
      for (const auto& [key, use] : worker->undefined_uses)
        if (first == nullptr || use.block <= first->block) note_use(uses, use);
    if (result.completed) {
      std::vector<const UndefinedStores*> stored;
      for (const auto& worker : workers) stored.push_back(&worker->undefined_stores);
      shadow->finish(stored, uses);
    }
    for (const auto& [key, use] : uses) result.undefined_uses.push_back(use);
  }
  if (observers != nullptr)
    for (unsigned t = 0; t < threads; ++t)
      observers->collect(*watching[t],
                         {workers[t]->warp_executions, workers[t]->thread_executions});
  return result;
}

}  // namespace labkit::simt
