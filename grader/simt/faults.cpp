// What stops a launch, as findings.
#include <cxxabi.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "ptx/passes.h"
#include "simt/access.h"
#include "simt/limits.h"
#include "simt/worker.h"

namespace labkit::simt {
namespace {

using launch::Cause;
using words::Id;
using words::Message;

/// Where an address may lie: an array, or a window of memory that has no name.
struct Range {
  std::uint64_t begin = 0, end = 0;
  std::string name = {};
  bool is_constant = false;
};

/// How far the address is from the nearest range.
Message distance_to(const Range& range, const std::string& space, std::uint64_t address,
                    bool before) {
  const bool inside = !before && address < range.end;
  // compute-sanitizer counts the first byte after an allocation as 1 byte after it
  const std::uint64_t away = before ? range.begin - address : address - range.end + 1;
  const bool named = !range.name.empty();
  Message message;
  if (inside)
    message.id = named ? Id::bounds_over_end : Id::bounds_over_end_of_memory;
  else if (before)
    message.id = named ? Id::bounds_before : Id::bounds_before_memory;
  else
    message.id = named ? Id::bounds_after : Id::bounds_after_memory;
  if (!inside) message.parameters.push_back({"bytes", words::count(away)});
  message.parameters.push_back({named ? "array" : "space", named ? range.name : space});
  message.parameters.push_back({"size", words::count(range.end - range.begin)});
  return message;
}

/// An unsigned index of 32 bits that has gone below 0: it wraps around to nearly 2^32 elements, of this many bytes each.
/// 0: the address is none of such an index.
std::uint64_t wrapped_element_bytes(std::uint64_t begin, std::uint64_t address) {
  constexpr std::uint64_t kAround = std::uint64_t{1} << 32, kMostBelow = std::uint64_t{1} << 24;
  constexpr std::uint64_t kLargestElement = 16;
  if (address < begin + kAround / 2 || address - begin > kLargestElement * kAround) return 0;
  const std::uint64_t element = std::bit_ceil(address - begin) / kAround;
  return element != 0 && element * kAround - (address - begin) <= kMostBelow * element ? element
                                                                                       : 0;
}

/// Where the array in global memory begins that the address was computed from; nullopt: not known, or none that there is.
std::optional<std::uint64_t> meant_array(const Program& program, const LaunchState& launch,
                                         std::uint32_t instruction) {
  const auto& facts = program.instructions[instruction];
  const auto& allocations = launch.memory->allocations;
  const auto begins_one = [&](std::uint64_t address) {
    return std::ranges::any_of(allocations,
                               [&](const Allocation& one) { return one.begin == address; });
  };
  std::vector<bool> is_pointer;
  std::vector<std::uint64_t> values;
  for (const ptx::Parameter& parameter : facts.function->parameters) {
    std::uint64_t value = 0;
    if (facts.function->is_entry && parameter.size_bytes == sizeof value &&
        parameter.offset_bytes + sizeof value <= launch.parameters.size())
      std::memcpy(&value, launch.parameters.data() + parameter.offset_bytes, sizeof value);
    values.push_back(value);
    is_pointer.push_back(value != 0 && begins_one(value));
  }
  const auto origin =
      ptx::global_origins(*program.module, *facts.function, is_pointer)[facts.body_index];
  const auto id = static_cast<std::size_t>(origin.id);
  if (origin.symbol == ptx::SymbolKind::parameter) return values[id];
  if (origin.symbol == ptx::SymbolKind::module_variable) return (*launch.variables)[id];
  return std::nullopt;
}

}  // namespace

std::string source_name(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return mangled;  // "d" is also a name for double
  // NVRTC tells variables of one name apart by an ending: "_ZZ1kPfE1s_$_0"
  const std::string plain = mangled.substr(0, mangled.find("_$_"));
  int status = 0;
  char* text = abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  if (const auto at = name.rfind("::"); at != std::string::npos) name.erase(0, at + 2);
  return name;
}

launch::SourceLine first_line(const Program& program) {
  launch::SourceLine first;
  for (const auto& facts : program.instructions) {
    if (!facts.function->is_entry) continue;
    auto at = line_at(*program.module, shown(facts));
    if (at.line != 0 && (first.line == 0 || (at.file == first.file && at.line < first.line)))
      first = std::move(at);
  }
  return first;
}

launch::Finding Worker::finding_at(launch::FindingKind kind, std::uint32_t instruction,
                                   std::uint32_t warp, std::uint32_t lane) const {
  launch::Finding finding;
  finding.kind = kind;
  finding.kernel = launch_.launch->kernel.empty() ? program_.facts.entry : launch_.launch->kernel;
  finding.thread = place_in(launch_.launch->block, warp * kLanes + lane);
  finding.block = place_;
  if (instruction >= program_.instructions.size()) return finding;
  const auto& facts = program_.instructions[instruction];
  const auto& module = *program_.module;
  if (facts.line_is_of_caller) {
    finding.where = line_at(module, caller_line(warps_[warp], instruction, lane));
    return finding;
  }
  // a line of a header is of no use to the reader: the line of the kernel that brought it in
  finding.where = line_at(module, shown(facts));
  if (facts.inlined_at.line != 0 && facts.inlined_at.file == facts.location.file)
    finding.where_inside = line_at(module, facts.location);
  return finding;
}

/// The line that called the function of a header in which a lane is at `instruction`; line 0 if it is not there.
ptx::SourceLocation Worker::caller_line(const Warp& warp, std::uint32_t instruction,
                                        std::uint32_t lane) const {
  const auto function = program_.blocks[program_.block_of[instruction]].function;
  for (const Split& split : warp.splits) {
    const bool is_there = split.state != SplitState::unused && !split.is_call &&
                          split.function == function && (split.mask >> lane & 1) != 0;
    if (!is_there) continue;
    for (auto at = split.parent; at >= 0;) {
      const Split& caller = warp.split(at);
      at = caller.parent;
      if (!caller.is_call || program_.functions[caller.function].is_of_header) continue;
      const auto& facts = program_.instructions[program_.calls[caller.call_site].instruction];
      if (facts.line_is_of_caller) return {};
      return shown(facts);
    }
    return {};
  }
  return {};
}

void Worker::fail(launch::Finding finding) {
  if (failed_) return;
  failed_ = true;
  failures.push_back({block_, std::move(finding)});
  auto lowest = launch_.stop_at.load();
  while (block_ < lowest && !launch_.stop_at.compare_exchange_weak(lowest, block_)) {
  }
}

bool Worker::fail(launch::FindingKind kind, Cause cause, std::uint32_t instruction,
                  std::uint32_t warp, std::uint32_t lanes, std::vector<Message> evidence,
                  Message fix) {
  auto finding = finding_at(kind, instruction, warp, first_lane(lanes));
  finding.cause = cause;
  finding.evidence = std::move(evidence);
  finding.fix = std::move(fix);
  fail(std::move(finding));
  return false;
}

void Worker::access_fault(const MemoryOp& memory, std::uint8_t space, std::uint32_t lane,
                          std::uint64_t address, bool misaligned, std::uint32_t lanes,
                          std::uint32_t other_lanes) {
  const auto& facts = program_.instructions[memory.index];
  if (space == kSharedSpace && address >= kReservedShared &&
      address < kReservedShared + kReservedSharedBytes) {
    fail(launch::FindingKind::unsupported, Cause::unsupported, memory.index, warp_->number,
         1u << lane, {{Id::unsupported_reserved_shared}});
    return;
  }
  const bool in_window = space == kSharedSpace || space == kLocalSpace || space == kParameterSpace;
  if (in_window) address = static_cast<std::uint64_t>(signed_offset(address));
  const bool before_window = in_window && static_cast<std::int64_t>(address) < 0;
  auto finding =
      finding_at(misaligned ? launch::FindingKind::misaligned : launch::FindingKind::out_of_bounds,
                 memory.index, warp_->number, lane);
  finding.space = ptx::name_of(static_cast<ptx::Space>(space));
  finding.address = address;
  finding.access_bytes = memory.bytes;
  finding.lanes = lanes;
  finding.other_lanes = other_lanes;
  if (misaligned) finding.cause = Cause::misaligned;
  finding.access = facts.is_atomic   ? launch::Access::atomic
                   : memory.is_store ? launch::Access::write
                                     : launch::Access::read;
  if (misaligned)
    describe_misaligned(finding, space, facts);
  else
    describe_outside(finding, memory, space, before_window);
  fail(std::move(finding));
}

void Worker::describe_outside(launch::Finding& finding, const MemoryOp& memory, std::uint8_t space,
                              bool before_window) const {
  const auto& facts = program_.instructions[memory.index];
  const std::uint64_t address = finding.address;
  if (space == kSharedSpace) return describe_outside_shared(finding, facts.shared_array);
  if (space == kGlobalSpace)
    if (const auto* heap = launch_.memory->slot_of(address); heap != nullptr && heap->is_heap)
      return describe_outside_heap(finding, *heap);
  std::vector<Range> ranges;
  bool constant = false;
  if (space == kLocalSpace) {
    ranges.push_back({0, warp_->local_capacity});
  } else if (space == kParameterSpace) {
    ranges.push_back({0, launch_.parameters.size()});
  } else {
    for (const auto& allocation : launch_.memory->allocations) {
      if (allocation.contents.size() == 0 &&
          (allocation.name.empty() || allocation.freed_bytes != 0))
        continue;  // a free place
      ranges.push_back({allocation.begin, allocation.end(), source_name(allocation.name),
                        allocation.is_constant});
      constant = constant || (allocation.is_constant && address >= allocation.begin &&
                              address < allocation.end());
    }
  }
  const auto distance = [&](const Range& r) {
    return address < r.begin ? r.begin - address : address < r.end ? 0 : address - r.end;
  };
  auto nearest = std::ranges::min_element(
      ranges, [&](const Range& a, const Range& b) { return distance(a) < distance(b); });
  if (nearest != ranges.end() && !nearest->is_constant && !constant)
    if (const auto meant = meant_array(program_, launch_, memory.index))
      nearest =
          std::ranges::find_if(ranges, [&](const Range& range) { return range.begin == *meant; });
  // a build for debugging has one kind of address for all: what was meant lies nearest
  if (memory.space == kGenericSpace && !constant && nearest != ranges.end() && nearest->is_constant)
    finding.space = ptx::name_of(ptx::Space::constant);
  if (constant) {
    finding.evidence = {{Id::bounds_constant}};
    return;
  }
  if ((space == kGlobalSpace || space == kGenericSpace) && address < (1ull << 20)) {
    finding.cause = Cause::out_of_bounds_null_pointer;
    finding.evidence = {{Id::bounds_null}};
    return;
  }
  if (const auto* freed = launch_.memory->slot_of(address);
      freed != nullptr && freed->freed_bytes != 0 && address >= freed->begin &&
      address - freed->begin < freed->freed_bytes) {
    finding.cause = Cause::out_of_bounds_freed;
    finding.evidence = {{Id::bounds_freed, {{"size", words::count(freed->freed_bytes)}}}};
    finding.array = {source_name(freed->name), freed->begin, freed->freed_bytes};
    return;
  }
  if (constexpr std::uint64_t kOfHost = 1ull << 46; address >= kOfHost && address < 2 * kOfHost) {
    finding.cause = Cause::out_of_bounds_host_pointer;
    finding.evidence = {{Id::bounds_host}};
    return;
  }
  if (nearest == ranges.end()) return;
  const bool before = before_window || address < nearest->begin;
  if (before) finding.cause = Cause::out_of_bounds_negative_index;
  finding.evidence = {distance_to(*nearest, finding.space, address, before)};
  if (const auto element = wrapped_element_bytes(nearest->begin, address);
      element != 0 && !before && space != kLocalSpace && space != kParameterSpace) {
    const std::uint64_t index = (address - nearest->begin) / element;
    finding.cause = Cause::out_of_bounds_negative_index;
    finding.evidence = {{Id::bounds_wrapped_below,
                         {{"array", nearest->name},
                          {"index", words::count(index)},
                          {"below", words::count((std::uint64_t{1} << 32) - index)}}}};
    finding.fix = {Id::bounds_fix_wrapped_below};
  }
  if (space == kGlobalSpace || nearest->is_constant)
    finding.array = {nearest->name, nearest->begin, nearest->end - nearest->begin};
}

/// Which array was meant the access says, or, where nothing is known of it, which of the arrays of that line, or of all,
/// begins last before the address.
void Worker::describe_outside_shared(launch::Finding& finding, std::int32_t shared_array) const {
  const auto& arrays = program_.facts.shared_arrays;
  const bool is_negative = static_cast<std::int64_t>(finding.address) < 0;
  std::int32_t meant = shared_array;
  const auto may_be_meant = [&](std::int32_t number) {
    const auto begin = arrays[number].begin;
    const auto before = meant < 0 ? begin : arrays[meant].begin;
    const bool nearer = meant < 0 || (is_negative ? begin < before : begin >= before);
    if (nearer && (is_negative || begin <= finding.address)) meant = number;
  };
  if (meant < 0)
    for (const auto& facts : program_.instructions) {
      const auto& at = shown(facts);
      if (facts.shared_array >= 0 && at.line == finding.where.line && at.line != 0)
        may_be_meant(facts.shared_array);
    }
  if (meant < 0)
    for (std::size_t i = 0; i < arrays.size(); ++i) may_be_meant(static_cast<std::int32_t>(i));
  Range range{0, launch_.shared_bytes};
  if (meant >= 0) {
    finding.array = extent_of(meant);
    const Range array{finding.array.begin, finding.array.begin + finding.array.bytes,
                      finding.array.name};
    if (is_negative || finding.address >= array.end) range = array;
  }
  finding.cause = is_negative ? Cause::out_of_bounds_negative_index : Cause::out_of_bounds_shared;
  finding.evidence = {distance_to(range, finding.space, finding.address, is_negative)};
}

void Worker::describe_misaligned(launch::Finding& finding, std::uint8_t space,
                                 const InstructionFacts& facts) const {
  const std::uint64_t address = finding.address;
  if (space == kGlobalSpace)
    for (const auto& allocation : launch_.memory->allocations)
      if (address >= allocation.begin && address < allocation.end()) {
        finding.array = {source_name(allocation.name), allocation.begin,
                         allocation.end() - allocation.begin};
        finding.evidence = {
            {Id::misaligned_in,
             {{"array", finding.array.name}, {"size", words::count(finding.array.bytes)}}}};
      }
  if (space == kSharedSpace && facts.shared_array >= 0) {
    auto array = extent_of(facts.shared_array);
    if (address >= array.begin && address - array.begin < array.bytes)
      finding.array = std::move(array);
  }
}

launch::Extent Worker::extent_of(std::int32_t shared_array) const {
  const auto& array = program_.facts.shared_arrays[shared_array];
  const auto end = array.is_dynamic ? std::uint64_t{launch_.shared_bytes} : array.end;
  return {source_name(array.name), array.begin, end - array.begin};
}

std::int64_t plain_instructions(std::uint64_t budget) {
  return static_cast<std::int64_t>(budget / kLanes);
}

void describe_printing(launch::Finding& finding) {
  finding.cause = Cause::budget_print;
  finding.evidence.push_back(
      {Id::budget_print, {{"instructions", words::count(kPrintCost / kLanes)}}});
  finding.fix = {Id::budget_fix_print};
}

void describe_local_memory(launch::Finding& finding) {
  finding.cause = Cause::budget_local_memory;
  finding.evidence.push_back({Id::budget_local_memory});
  finding.fix = {Id::slow_fix_local_memory};
}

void describe_one_lane(launch::Finding& finding, std::uint64_t warp_instructions,
                       std::uint64_t thread_instructions) {
  if (thread_instructions * 4 > warp_instructions * 5) return;
  finding.cause = Cause::budget_one_lane;
  if (finding.evidence.front().id == Id::budget_endless)  // nor does it seem so: it takes long
    finding.evidence.front().id = Id::budget_busiest_line;
  finding.evidence.push_back({Id::budget_one_lane});
  finding.fix = {Id::budget_fix_share};
}

void Worker::budget_fault(const Warp& warp, const Split& split, bool prints) {
  const auto& block = program_.blocks[split.block];
  const auto instruction = block.first_instruction;
  auto finding =
      finding_at(launch::FindingKind::budget, instruction, warp.number, first_lane(split.mask));
  finding.cause = Cause::budget;
  finding.lanes = split.mask;
  finding.evidence = {
      {Id::budget_endless_somewhere, {{"instructions", plain_instructions(launch_.budget)}}}};
  if (finding.where.line != 0) {
    finding.evidence[0].id = Id::budget_endless;
    finding.evidence[0].parameters.push_back({"line", finding.where});
  }
  const auto& count = block_counts_[split.block];
  if (prints)
    describe_printing(finding);
  else if (launch_.threads > 1)
    describe_one_lane(finding, count.warps, count.threads);
  fail(std::move(finding));
}

/// No warp of the block can go on: barriers that some threads never reach, or warp-wide instructions that name lanes
/// which do not come.
void Worker::deadlock() {
  const auto blocked = [&](const Warp& warp, const Split& split, Id how) {
    const bool at_barrier = split.state == SplitState::at_barrier;
    auto finding = finding_at(launch::FindingKind::barrier, launch_.ops[split.op].index,
                              warp.number, first_lane(split.waiting));
    finding.cause = at_barrier ? Cause::barrier_not_on_every_path : Cause::barrier_mask;
    finding.evidence = {{how}};
    if (at_barrier) describe_waiting(finding, warp, split);
    return finding;
  };
  for (const auto& warp : warps_) {
    for (const auto& split : warp.splits) {
      if (split.state != SplitState::at_barrier && split.state != SplitState::at_warp_sync)
        continue;
      std::uint32_t here = 0;
      for (const auto& other : warp.splits)
        if (other.state == split.state && other.op == split.op) here |= other.waiting;
      if ((warp.live & ~here) == 0) continue;
      auto finding = blocked(warp, split, Id::barrier_divergent_warp);
      finding.lanes = here;
      finding.other_lanes = warp.live & ~here;
      if (split.state == SplitState::at_warp_sync) finding.fix = {Id::barrier_fix_named_lanes};
      return fail(std::move(finding));
    }
  }
  for (const auto& warp : warps_)
    for (const auto& split : warp.splits)
      if (split.state == SplitState::at_barrier || split.state == SplitState::at_warp_sync)
        return fail(blocked(warp, split, Id::barrier_divergent_block));
  fail(launch::FindingKind::barrier, Cause::barrier_not_on_every_path, ~0u, 0, 1,
       {{Id::barrier_divergent_block}, {Id::barrier_stuck}});
}

/// The kernel stops itself: by an assertion, or by a trap. Not a part of the interpreter's loop, which it would slow down.
void Worker::assert_failed(Warp& warp, const Op& op, std::uint32_t mask) {
  if (op.kind == OpKind::trap) {
    fail(launch::FindingKind::trap, Cause::trap, op.index, warp.number, mask, {{Id::trap_stopped}});
    return;
  }
  const auto& site = program_.calls[op.aux];
  const auto lane = first_lane(mask);
  const auto* parameters =
      warp.parameters.data() + std::size_t{lane} * program_.parameter_bytes_per_lane;
  const auto text = [&](std::size_t k) {
    std::uint64_t address;
    std::memcpy(&address, parameters + site.arguments[k].offset, sizeof address);
    return text_of(address, lane, 4096);
  };
  std::uint32_t line;
  std::memcpy(&line, parameters + site.arguments[2].offset, sizeof line);
  auto finding = finding_at(launch::FindingKind::assertion, op.index, warp.number, lane);
  if (finding.where.line == 0) finding.where = {text(1), line};
  finding.cause = Cause::assertion;
  finding.evidence = {{Id::assertion_failed,
                       {{"place", text(1) + ":" + std::to_string(line)},
                        {"function", text(3)},
                        {"block", launch::bracketed(finding.block)},
                        {"thread", launch::bracketed(finding.thread)},
                        {"expression", text(0)}}}};
  fail(std::move(finding));
}

}  // namespace labkit::simt
