// Calls, returns and exits. A function's registers lie at fixed places of the register file; a function that may be
// active twice has them saved, for the lanes that call, while the inner call runs.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

constexpr std::uint32_t kMostCalls = 2048;  ///< depth of calls
constexpr std::uint32_t kMostLocalBytes =
    512 * 1024;  ///< of local memory per thread (CUDA's limit, all architectures)

/// What is kept around a call of a function that may be active twice, in bytes.
struct Frame {
  explicit Frame(const FunctionCode& f)
      : registers(f.end_register - f.first_register),
        predicates(f.end_predicate - f.first_predicate),
        parameters(f.end_parameter_byte - f.first_parameter_byte) {}
  std::size_t sum() const { return registers + predicates + kLanes * parameters; }

  std::size_t registers, predicates, parameters;  ///< parameters: of a lane
};

}  // namespace

std::int32_t Worker::function_of(const CallSite& site, std::uint32_t lane) const {
  if (!site.pointer) return site.function;
  const auto at = program_.function_at.find(read_lane(registers + *site.pointer, true, lane));
  return at == program_.function_at.end() ? -1 : at->second;
}

bool Worker::part_by_function(Warp& warp, const Op& op, std::int32_t block,
                              std::uint32_t op_of_block) {
  const auto& site = program_.calls[op.aux];
  const auto from = warp.current;
  const std::uint32_t mask = warp.split(from).mask;
  const std::int32_t function = function_of(site, first_lane(mask));
  const auto fits = [&](const FunctionCode& f) {
    const auto holds = [](const auto& places, const auto& wanted) {
      for (std::size_t k = 0; k < places.size(); ++k)
        if (places[k].bytes < wanted[k].bytes) return false;
      return true;
    };
    return f.parameters.size() == site.arguments.size() &&
           f.returns.size() >= site.results.size() && holds(site.arguments, f.parameters) &&
           holds(site.results, f.returns);
  };
  if (function < 0 || !fits(program_.functions[function]))
    return fail(launch::FindingKind::trap, launch::Cause::trap, op.index, warp.number, mask,
                {{words::Id::trap_no_function}});
  std::uint32_t rest = 0;
  for (const std::uint32_t i : LanesOf(mask))
    if (function_of(site, i) != function) rest |= 1u << i;
  if (rest == 0) return true;
  const Split& split = warp.split(from);
  const auto other = warp.spawn(from, rest, block, split.parent, split.reconvergence);
  warp.split(other).op = op_of_block;
  warp.split(from).mask = mask & ~rest;
  return true;
}

bool Worker::call(Warp& warp, const Op& op) {
  const auto& site = program_.calls[op.aux];
  const auto caller_id = warp.current;
  const std::int32_t number = function_of(site, first_lane(warp.split(caller_id).mask));
  const auto& callee = program_.functions[number];
  const Split& from = warp.split(caller_id);
  const std::uint32_t mask = from.mask, depth = from.depth + 1,
                      local_base = from.local_base + program_.functions[from.function].local_bytes;
  const std::uint64_t need = std::uint64_t{local_base} + callee.local_bytes;
  const std::uint64_t capacity =
      need > warp.local_capacity
          ? std::max<std::uint64_t>(need, std::uint64_t{warp.local_capacity} * 2)
          : warp.local_capacity;
  const std::uint64_t grows = kLanes * (capacity - warp.local_capacity);
  const std::uint64_t saved = callee.recursive ? Frame(callee).sum() : 0;
  block_cost_ += call_cost(depth, saved);
  if (depth > kMostCalls || need > kMostLocalBytes ||
      launch_.block_bytes + grown_bytes_ + saved + grows > kMostBlockBytes) {
    return fail(launch::FindingKind::trap, launch::Cause::trap_stack_overflow, op.index,
                warp.number, mask,
                {{words::Id::trap_stack_overflow, {{"depth", words::count(depth)}}}});
  }
  grown_bytes_ += saved + grows;
  if (grows != 0) {
    const auto grown = [&](const auto& local, auto fill) {
      std::remove_cvref_t<decltype(local)> larger(kLanes * capacity, fill);
      for (std::size_t i = 0; i < kLanes; ++i)
        std::copy_n(local.data() + i * warp.local_capacity, warp.local_capacity,
                    larger.data() + i * capacity);
      return larger;
    };
    warp.local = grown(warp.local, std::byte{0xFF});
    if (shadow_) {
      auto& local = shadow_->warps[warp.number].local;
      local = grown(local, kNeverWritten);
    }
    warp.local_capacity = static_cast<std::uint32_t>(capacity);
  }
  const auto id = warp.spawn(caller_id, mask, callee.entry_block, caller_id, -1);
  auto& inner = warp.split(id);
  inner.function = static_cast<std::uint32_t>(number);
  inner.depth = depth;
  inner.local_base = local_base;
  auto& caller = warp.split(caller_id);
  caller.state = SplitState::meeting;
  caller.is_call = true;
  caller.out = mask;
  caller.op = 0;
  caller.call_site = op.aux;
  caller.callee = number;
  caller.saved.clear();
  const std::size_t lane_bytes = program_.parameter_bytes_per_lane;
  if (callee.recursive) {
    const Frame frame(callee);
    caller.saved.resize(frame.sum());
    auto* to = caller.saved.data();
    to = std::copy_n(warp.registers + callee.first_register, frame.registers, to);
    to = std::copy_n(warp.registers + callee.first_predicate, frame.predicates, to);
    for (std::size_t i = 0; i < kLanes; ++i)
      to = std::copy_n(warp.parameters.data() + i * lane_bytes + callee.first_parameter_byte,
                       frame.parameters, to);
  }
  auto pass = [&](auto* lane) {
    // taken out first: caller and callee may be the same function
    std::vector<std::remove_pointer_t<decltype(lane)>> arguments;
    for (std::size_t k = 0; k < site.arguments.size(); ++k)
      arguments.insert(arguments.end(), lane + site.arguments[k].offset,
                       lane + site.arguments[k].offset + callee.parameters[k].bytes);
    const auto* from = arguments.data();
    for (const auto& parameter : callee.parameters) {
      std::copy_n(from, parameter.bytes, lane + parameter.offset);
      from += parameter.bytes;
    }
  };
  for (const std::uint32_t i : LanesOf(mask)) {
    pass(warp.parameters.data() + i * lane_bytes);
    if (!shadow_) continue;
    auto& shadow = shadow_->warps[warp.number];
    pass(shadow.parameters.data() + i * lane_bytes);
    std::fill_n(shadow.local.data() + std::size_t{i} * warp.local_capacity + local_base,
                callee.local_bytes, kNeverWritten);
  }
  warp.current = id;
  return true;
}

void Worker::return_from(Warp& warp, std::uint32_t lanes) {
  const auto site_id = warp.leave(lanes, false);
  if (site_id < 0) return end_lanes(warp, lanes);  // the entry returns
  auto& caller = warp.split(site_id);
  const auto& site = program_.calls[caller.call_site];
  const auto& callee = program_.functions[caller.callee];
  const std::size_t lane_bytes = program_.parameter_bytes_per_lane;
  for (const std::uint32_t i : LanesOf(lanes)) {
    auto* lane = warp.parameters.data() + i * lane_bytes;
    std::vector<std::byte> results;
    for (std::size_t k = 0; k < site.results.size(); ++k)
      results.insert(results.end(), lane + callee.returns[k].offset,
                     lane + callee.returns[k].offset + callee.returns[k].bytes);
    if (!caller.saved.empty()) {
      const Frame frame(callee);
      const auto* from = caller.saved.data();
      // 64-bit registers come first, then 32-bit ones; a lane of either is found by its width
      const std::size_t doubles = callee.doubles * 256u;
      auto* to = warp.registers + callee.first_register;
      for (std::size_t at = 0; at < doubles; at += 256)
        std::copy_n(from + at + i * 8, 8, to + at + i * 8);
      for (std::size_t at = doubles; at < frame.registers; at += 128)
        std::copy_n(from + at + i * 4, 4, to + at + i * 4);
      from += frame.registers;
      to = warp.registers + callee.first_predicate;
      for (std::size_t at = 0; at < frame.predicates; at += 4) {
        std::uint32_t old;
        std::memcpy(&old, from + at, sizeof old);
        *words_at(to + at) = (*words_at(to + at) & ~(1u << i)) | (old & 1u << i);
      }
      std::copy_n(from + frame.predicates + i * frame.parameters, frame.parameters,
                  lane + callee.first_parameter_byte);
    }
    const auto* from = results.data();
    for (std::size_t k = 0; k < site.results.size(); ++k) {
      std::copy_n(from, callee.returns[k].bytes, lane + site.results[k].offset);
      from += callee.returns[k].bytes;
    }
    if (!shadow_) continue;
    auto* shadow = shadow_->warps[warp.number].parameters.data() + i * lane_bytes;
    for (std::size_t k = 0; k < site.results.size(); ++k)
      std::copy_n(shadow + callee.returns[k].offset, callee.returns[k].bytes,
                  shadow + site.results[k].offset);
  }
  if (shadow_ && callee.recursive) {  // what was saved around the call is held to be defined
    auto& shadow = shadow_->warps[warp.number];
    std::ranges::fill(shadow.undefined, std::uint8_t{0});
    std::memset(warp.registers + program_.register_bytes, 0, program_.register_bytes);
    shadow.count = shadow.parameters_undefined ? 1 : 0;
  }
  caller.out &= ~lanes;
  if (caller.out != 0) return;
  caller.state = SplitState::ready;
  caller.is_call = false;
  grown_bytes_ -= caller.saved.size();
  caller.saved.clear();
  caller.op = 0;
  warp.current = site_id;
}

void Worker::exit_lanes(Warp& warp, std::uint32_t lanes) {
  warp.leave(lanes, true);
  end_lanes(warp, lanes);
}

void Worker::end_lanes(Warp& warp, std::uint32_t lanes) {
  if (observer_ != nullptr) observer_->on_exit(block_, warp.number, lanes);
  warp.live &= ~lanes;
  live_threads_ -= lane_count(lanes);
  recheck_warp_sync(warp);
  recheck_barriers();
}

}  // namespace labkit::simt
