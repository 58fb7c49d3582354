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

/// Of a function that may be active twice: what is kept of it around a call.
std::uint64_t saved_bytes(const FunctionCode& callee) {
  if (!callee.recursive) return 0;
  return std::uint64_t{callee.end_register} - callee.first_register + callee.end_predicate -
         callee.first_predicate +
         std::uint64_t{kLanes} * (callee.end_parameter_byte - callee.first_parameter_byte);
}

}  // namespace

bool Worker::call(Warp& warp, const Op& op) {
  const auto& site = program_.calls[op.aux];
  const auto& callee = program_.functions[static_cast<std::size_t>(site.function)];
  const auto caller_id = warp.current;
  const auto id = warp.new_split();
  auto& caller = warp.splits[static_cast<std::size_t>(caller_id)];
  auto& inner = warp.splits[static_cast<std::size_t>(id)];
  const std::uint32_t mask = caller.mask;
  inner.mask = mask;
  inner.parent = caller_id;
  inner.block = callee.entry_block;
  inner.function = static_cast<std::uint32_t>(site.function);
  inner.depth = caller.depth + 1;
  inner.local_base = caller.local_base + program_.functions[caller.function].local_bytes;
  const std::uint64_t need = std::uint64_t{inner.local_base} + callee.local_bytes;
  const std::uint64_t saved = saved_bytes(callee);
  const std::uint64_t grows =
      need > warp.local_capacity
          ? kLanes * std::max<std::uint64_t>(need, std::uint64_t{warp.local_capacity} * 2) -
                kLanes * std::uint64_t{warp.local_capacity}
          : 0;
  block_cost_ += call_cost(inner.depth, saved);
  if (inner.depth > kMostCalls || need > kMostLocalBytes ||
      launch_.block_bytes + grown_bytes_ + saved + grows > kMostBlockBytes) {
    return fail(launch::FindingKind::trap, launch::Cause::trap_stack_overflow, op.index,
                warp.number, mask,
                {{words::Id::trap_stack_overflow, {{"depth", words::count(inner.depth)}}}});
  }
  grown_bytes_ += saved + grows;
  if (need > warp.local_capacity) {
    const auto capacity = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(need, std::uint64_t{warp.local_capacity} * 2));
    std::vector<std::byte> larger(std::size_t{kLanes} * capacity, std::byte{0xFF});
    for (std::size_t i = 0; i < kLanes; ++i)
      if (warp.local_capacity != 0)
        std::memcpy(larger.data() + i * capacity, warp.local.data() + i * warp.local_capacity,
                    warp.local_capacity);
    warp.local = std::move(larger);
    if (shadow_) {
      auto& local = shadow_->warps[warp.number].local;
      std::vector<std::uint8_t> larger_shadow(warp.local.size(), kNeverWritten);
      for (std::size_t i = 0; i < kLanes; ++i)
        std::copy_n(local.data() + i * warp.local_capacity, warp.local_capacity,
                    larger_shadow.data() + i * capacity);
      local = std::move(larger_shadow);
    }
    warp.local_capacity = capacity;
  }
  inner.state = SplitState::ready;
  caller.state = SplitState::meeting;
  caller.is_call = true;
  caller.out = mask;
  caller.op = 0;
  caller.call_site = op.aux;
  caller.saved.clear();
  const std::size_t lane_bytes = program_.parameter_bytes_per_lane;
  if (callee.recursive) {
    const std::size_t registers = callee.end_register - callee.first_register,
                      predicates = callee.end_predicate - callee.first_predicate,
                      parameters = callee.end_parameter_byte - callee.first_parameter_byte;
    caller.saved.resize(registers + predicates + parameters * kLanes);
    auto* to = caller.saved.data();
    std::copy_n(warp.registers + callee.first_register, registers, to);
    std::copy_n(warp.registers + callee.first_predicate, predicates, to + registers);
    for (std::size_t i = 0; i < kLanes; ++i)
      std::copy_n(warp.parameters.data() + i * lane_bytes + callee.first_parameter_byte, parameters,
                  to + registers + predicates + i * parameters);
  }
  auto pass = [&](auto* lane) {
    std::vector<std::remove_pointer_t<decltype(lane)>>
        arguments;  // taken out first: caller and callee may be the same function
    for (std::size_t k = 0; k < site.arguments.size(); ++k)
      arguments.insert(arguments.end(), lane + site.arguments[k].offset,
                       lane + site.arguments[k].offset + callee.parameters[k].bytes);
    const auto* from = arguments.data();
    for (const auto& parameter : callee.parameters) {
      std::copy_n(from, parameter.bytes, lane + parameter.offset);
      from += parameter.bytes;
    }
  };
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!(mask >> i & 1)) continue;
    pass(warp.parameters.data() + i * lane_bytes);
    if (!shadow_) continue;
    auto& shadow = shadow_->warps[warp.number];
    pass(shadow.parameters.data() + i * lane_bytes);
    std::fill_n(shadow.local.data() + std::size_t{i} * warp.local_capacity + inner.local_base,
                callee.local_bytes, kNeverWritten);
  }
  warp.current = id;
  return true;
}

void Worker::return_from(Warp& warp, std::uint32_t lanes) {
  const auto self = warp.current;
  const auto site_id = warp.leave(self, lanes, false);
  if (site_id < 0) {  // the entry returns
    if (observer_ != nullptr) observer_->on_exit(block_, warp.number, lanes);
    warp.live &= ~lanes;
    live_threads_ -= lane_count(lanes);
    recheck_warp_sync(warp);
    recheck_barriers();
    return;
  }
  auto& caller = warp.splits[static_cast<std::size_t>(site_id)];
  const auto& site = program_.calls[caller.call_site];
  const auto& callee = program_.functions[static_cast<std::size_t>(site.function)];
  const std::size_t lane_bytes = program_.parameter_bytes_per_lane;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    if (!(lanes >> i & 1)) continue;
    auto* lane = warp.parameters.data() + i * lane_bytes;
    std::vector<std::byte> results;
    for (std::size_t k = 0; k < site.results.size(); ++k)
      results.insert(results.end(), lane + callee.returns[k].offset,
                     lane + callee.returns[k].offset + callee.returns[k].bytes);
    if (!caller.saved.empty()) {
      const std::size_t registers = callee.end_register - callee.first_register,
                        predicates = callee.end_predicate - callee.first_predicate,
                        parameters = callee.end_parameter_byte - callee.first_parameter_byte;
      const auto* from = caller.saved.data();
      // 64-bit registers come first, then 32-bit ones; a lane of either is found by its width
      const auto& f = callee;
      for (std::size_t at = 0; at < f.doubles * 256u; at += 256)
        std::copy_n(from + at + i * 8, 8, warp.registers + f.first_register + at + i * 8);
      for (std::size_t at = f.doubles * 256u; at < registers; at += 128)
        std::copy_n(from + at + i * 4, 4, warp.registers + f.first_register + at + i * 4);
      for (std::size_t at = 0; at < predicates; at += 4) {
        std::uint32_t old, now;
        std::memcpy(&old, from + registers + at, 4);
        std::memcpy(&now, warp.registers + f.first_predicate + at, 4);
        now = (now & ~(1u << i)) | (old & 1u << i);
        std::memcpy(warp.registers + f.first_predicate + at, &now, 4);
      }
      std::copy_n(from + registers + predicates + i * parameters, parameters,
                  lane + f.first_parameter_byte);
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
    std::fill(shadow.undefined.begin(), shadow.undefined.end(), std::uint8_t{0});
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
  warp.leave(warp.current, lanes, true);
  if (observer_ != nullptr) observer_->on_exit(block_, warp.number, lanes);
  warp.live &= ~lanes;
  live_threads_ -= lane_count(lanes);
  recheck_warp_sync(warp);
  recheck_barriers();
}

}  // namespace labkit::simt
